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
