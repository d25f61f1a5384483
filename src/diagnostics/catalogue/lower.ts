/** What is worth knowing about the squad that comes out. */
import { quote } from '../quote.js';
import { entry } from './entry.js';

type RenameReason = 'too-long' | 'taken' | 'unreadable';

const renameReasons: Readonly<Record<RenameReason, string>> = {
  'too-long': 'it is too long',
  taken: 'another one has that name already',
  unreadable: 'it holds characters that a name cannot have',
};

export const lower = {
  'lower/renamed': entry<{ from: string; to: string; reason: RenameReason }>({
    severity: 'info',
    title: 'A name was changed',
    message: ({ from, to, reason }) =>
      `${quote(from)} is called ${quote(to)} in the squad, because ${renameReasons[reason]}.`,
    why:
      'Names of assistants are unique and have at most 40 characters; names of tools consist ' +
      'of letters, digits, underscores and hyphens. The platform refuses any other name.',
    help: () => 'Nothing needs to be done; the option `names` sets a name of your own.',
    example: {
      from: 'Collect the details of the appointment and confirm them',
      to: 'Collect the details of the appointment',
      reason: 'too-long',
    },
  }),
  'lower/tool-to-provide': entry<{ tool: string }>({
    severity: 'warning',
    title: 'A tool has yet to be provided',
    message: ({ tool }) =>
      `The squad calls the tool ${quote(tool)}, which somebody has to provide.`,
    why:
      'An answer or a node asks for a tool whose implementation is not part of the workflow. ' +
      'The squad declares it by name; until a server answers to it, calls that need it fail.',
    help: ({ tool }) =>
      `Implement ${quote(tool)} and enter the address of its server before deploying.`,
    example: { tool: 'check_eligibility' },
  }),
  'lower/guard-within': entry<{ node: string }>({
    severity: 'warning',
    title: 'The platform cannot enforce a condition inside of an assistant',
    message: ({ node }) =>
      `The way to ${quote(node)} stays in one assistant and calls no tool that a guard could be put ` +
      'on, so the platform refuses nothing there: the assistant judges the condition itself.',
    why:
      'The platform refuses calls of tools: handoffs, transfers, requests, the end of the call. ' +
      'From one step of an assistant to the next no tool is called, and a tool that the platform ' +
      'keeps, or that brings a rejection plan of its own, stays as it is.',
    help: () =>
      'Answer `extract` or `tool` for this condition, so that its values are known before the ' +
      'assistant judges it, or accept its judgement with `prose`.',
    example: { node: 'premium-offer' },
  }),
  'lower/guard-shared': entry<{ node: string }>({
    severity: 'warning',
    title: 'A tool is open to another way than the guarded one',
    message: ({ node }) =>
      `The platform does not refuse the way to ${quote(node)}, because an assistant comes to the ` +
      'same tool without a guard too: there the assistant judges the condition itself.',
    why:
      'A rejection plan belongs to a tool and not to one way to it. A tool that has to be open ' +
      'on one way cannot be closed on another; one tool ends the call, on whatever way.',
    help: () => 'Answer `guard` for the other ways too, or `extract` or `tool` for this one.',
    example: { node: 'goodbye' },
  }),
  'lower/tools-of-one-name': entry<{ tool: string }>({
    severity: 'error',
    title: 'Two tools of one assistant have one name',
    message: ({ tool }) =>
      `Two different tools are called ${quote(tool)}, and one assistant would have both.`,
    why:
      'A model calls a tool by its name, so of two tools with one name nobody can say which is ' +
      'meant. Nodes that become one assistant share their tools, and tools that the workflow ' +
      'holds in the platform’s own words keep their names.',
    help: ({ tool }) => `Give one of the two another name than ${quote(tool)}, or make them equal.`,
    example: { tool: 'lookup' },
  }),
  'lower/refused-tool': entry<{ tool: string; problem: string }>({
    severity: 'error',
    title: 'A tool has a form that the target does not take',
    message: ({ tool, problem }) => `The target would refuse the tool ${quote(tool)}: ${problem}.`,
    why:
      'Tools in the platform’s own words are carried as they are. A squad with one that the ' +
      'target does not know in this form would be refused as a whole.',
    help: () => 'Correct the tool in the workflow.',
    example: { tool: 'lookup', problem: 'function/name must be a name of letters and digits' },
  }),
  'lower/not-an-argument': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A variable cannot be an argument of a handoff',
    message: ({ variable }) =>
      `${quote(variable)} crosses by an extraction plan, because a handoff has an argument of this ` +
      'name already.',
    why:
      'A handoff with arguments has one called “destination” that says where to hand off. The ' +
      'platform reads it as the way to go and does not keep it as a variable, so a variable of ' +
      'that name can only be extracted from the conversation, which may fail.',
    help: ({ variable }) =>
      `Rename ${quote(variable)}, here and in the texts that read it, to pass it as an argument.`,
    example: { variable: 'destination' },
  }),
  'lower/supplied-by-caller': entry<{ variable: string }>({
    severity: 'info',
    title: 'The caller of the API supplies a variable',
    message: ({ variable }) => `Whoever starts a call has to supply ${quote(variable)}.`,
    why:
      'Nothing inside the call sets this variable. An answer or the option `dynamicVariables` ' +
      'says that it comes with the request that starts the call.',
    help: ({ variable }) =>
      `Pass ${quote(variable)} among the variable values when starting a call.`,
    example: { variable: 'account_token' },
  }),
};
