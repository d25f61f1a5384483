/** Faults of variables: where they are set, read, carried and named. */
import { quote, quoteAll, quoteWalk } from '../quote.js';
import { entry } from './entry.js';
import { phrase } from './words.js';

export const data = {
  'data/maybe-unset': entry<{ variable: string; walk: readonly string[] }>({
    severity: 'warning',
    title: 'A variable may be missing when it is read',
    message: ({ variable, walk }) =>
      `${quote(variable)} is read here, but a call can get here without it: ${quoteWalk(walk)}.`,
    why:
      'A variable has a value only after a node has extracted it or a tool has returned it. On ' +
      'the walk shown no node does, so the text will be read with a gap.',
    help: ({ variable }) =>
      `Extract ${quote(variable)} on that walk too, or word the text so that it works without.`,
    example: { variable: 'customer_name', walk: ['greeting', 'emergency', 'transfer'] },
  }),
  'data/never-set': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A variable is read but never set',
    message: ({ variable }) =>
      `${quote(variable)} is read here, but nothing that comes before sets it.`,
    why:
      'Variables come from `extractVariables`, from responses of tools, from the platform ' +
      '(such as {{now}}) or from the caller of the API. A variable from none of these is empty ' +
      'in every call.',
    help: ({ variable }) =>
      `Correct the name, extract ${quote(variable)} in an earlier node, or list it in \`dynamicVariables\`.`,
    example: { variable: 'custmer_name' },
  }),
  'data/mixed-source': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A variable is both extracted and returned by a tool',
    message: ({ variable }) =>
      `When the call is handed over here, ${quote(variable)} may come from the conversation or ` +
      'from a tool; it is extracted again either way.',
    why:
      'One handoff serves all walks that lead to it. An extraction plan reads the value from ' +
      'the conversation, and on walks where a tool had set the value it can replace it.',
    help: () => 'Use two names, one for what the caller says and one for what the tool returns.',
    example: { variable: 'customer_id' },
  }),
  'data/guard-unseen': entry<{ variable: string }>({
    severity: 'warning',
    title: 'The platform judges a condition by a value that it does not have yet',
    message: ({ variable }) =>
      `The platform does not know ${quote(variable)} when it judges this condition: the assistant ` +
      'has it from the conversation alone, so the way stays closed or an older value decides.',
    why:
      'The platform sees what a tool has returned, what an earlier handoff has carried and what ' +
      'came with the call. What an assistant finds out is stored by its next handoff, and a ' +
      'guard is judged before that.',
    help: ({ variable }) =>
      `Answer \`tool\` for this condition, so that a tool returns ${quote(variable)} first, or ` +
      '`extract`, so that the assistant judges it.',
    example: { variable: 'tier' },
  }),
  'data/may-overwrite': entry<{ variable: string; context: string }>({
    severity: 'warning',
    title: 'An earlier value may be lost at a handoff',
    message: ({ variable, context }) =>
      `${quote(variable)} may lose an earlier value here: on some walks it is not captured again, ` +
      `and the context ${quote(context)} hides where it was said.`,
    why:
      'An extraction plan reads the transcript at the moment of the handoff. Where the visit ' +
      'did not capture the variable again, and the context keeps only part of the ' +
      'conversation, the value given earlier is out of sight.',
    help: () =>
      'Choose the context “all”, or let the node capture the variable under another name.',
    example: { variable: 'customer_name', context: 'lastNMessages' },
  }),
  'data/may-block': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A handoff demands a value that a call may not have',
    message: ({ variable }) =>
      `${quote(variable)} is a required argument of a handoff, and a call can come to it without ` +
      'having captured it.',
    why:
      'The platform makes no handoff before all of its required arguments are given. On walks ' +
      'where the visit did not capture the variable, the assistant asks for it out of turn, ' +
      'stays where it is, or makes a value up.',
    help: ({ variable }) =>
      `Extract ${quote(variable)} on every walk to the handoff, list it in \`criticalVariables\` ` +
      'if the handoff is to wait for it, or set `pass` to extraction.',
    example: { variable: 'customer_name' },
  }),
  'data/shadows-builtin': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A variable bears the name of a built-in one',
    message: ({ variable }) => `${quote(variable)} is also the name of a variable of the platform.`,
    why:
      'The platform sets some variables by itself, such as now, date, time and customer. After ' +
      'a node has captured one of that name, every text reads the captured value instead.',
    help: () => 'Rename the captured variable, here and in the texts that mean it.',
    example: { variable: 'date' },
  }),
  'data/path-into-scalar': entry<{ variable: string; type: string }>({
    severity: 'warning',
    title: 'A text reads into a variable that has no parts',
    message: ({ variable, type }) =>
      `This text reads a part of ${quote(variable)}, but that is a plain ${phrase(type)}.`,
    why:
      'A path such as {{name.first}} works for objects and lists. Extracted variables are ' +
      'strings, numbers or booleans, and a part of one of these is empty.',
    help: ({ variable }) =>
      `Read {{${phrase(variable)}}} as a whole, or extract the part as a variable.`,
    example: { variable: 'name', type: 'string' },
  }),
  'data/type-conflict': entry<{ variable: string; types: readonly string[] }>({
    severity: 'warning',
    title: 'A variable is captured with different types',
    message: ({ variable, types }) =>
      `${quote(variable)} is captured as ${quoteAll(types)}; it is carried as a string.`,
    why:
      'A property of an extraction plan has a single type. Where the captures that reach one ' +
      'handoff disagree, only a string can hold all of their values.',
    help: () => 'Give every capture of this variable the same type.',
    example: { variable: 'party_size', types: ['number', 'string'] },
  }),
  'data/unreadable-name': entry<{ variable: string }>({
    severity: 'warning',
    title: 'No text can read a variable of this name',
    message: ({ variable }) => `No text can read a variable that is called ${quote(variable)}.`,
    why:
      'A variable is read as {{name}}, where the name starts with a letter or an underscore ' +
      'and goes on with letters, digits, underscores or hyphens. Spaces and other signs end ' +
      'the name or break the template.',
    help: () => 'Rename the variable, with underscores in place of spaces.',
    example: { variable: 'first name' },
  }),
  'data/set-twice': entry<{ variable: string }>({
    severity: 'warning',
    title: 'A node sets one variable twice',
    message: ({ variable }) =>
      `This node sets ${quote(variable)} a second time; the later one counts.`,
    why:
      'Within one node the variables are set in the order in which they stand, so the earlier ' +
      'value can never be read.',
    help: () => 'Remove one of the two, or give it a name of its own.',
    example: { variable: 'order_id' },
  }),
  'data/alias-key': entry<{ variable: string }>({
    severity: 'error',
    title: 'A name cannot be used for an alias',
    message: ({ variable }) => `${quote(variable)} cannot be the key of an alias.`,
    why:
      'A value that is derived, or taken from a tool’s response, is set by an alias, whose key ' +
      'starts with a letter, consists of letters, digits and underscores and has at most 40 ' +
      'characters (spec/3, “Variable extraction reference”). The platform refuses any other key.',
    help: () => 'Rename the variable within these rules, here and in the texts that read it.',
    example: { variable: 'order-id' },
  }),
  'data/two-authorizations': entry<{ node: string }>({
    severity: 'warning',
    title: 'A request says twice who sends it',
    message: ({ node }) =>
      `${quote(node)} has a credential of the platform and an Authorization header; which of them ` +
      'is sent is up to the platform.',
    why:
      'A credential makes the platform add its own Authorization header. The workflow holds both, ' +
      'and both are carried as they stand.',
    help: () => 'Remove the one that the endpoint does not expect.',
    example: { node: 'lookup' },
  }),
  'data/literal-secret': entry<{ header: string }>({
    severity: 'warning',
    title: 'A secret stands in the workflow',
    message: ({ header }) => `The header ${quote(header)} holds its secret in plain text.`,
    why:
      'Whoever can read the workflow or the squad can read the secret and use it. The value is ' +
      'carried over unchanged so that the request keeps working, and is hidden in every report.',
    help: () =>
      'Store the secret as a credential of the platform, or read it from a variable that the ' +
      'caller supplies, and replace the secret itself.',
    example: { header: 'Authorization' },
  }),
  'data/unused-capture': entry<{ variable: string }>({
    severity: 'info',
    title: 'A captured variable is never read',
    message: ({ variable }) => `${quote(variable)} is captured here, but no later text reads it.`,
    why:
      'A variable that only serves to choose a branch needs no extraction, and neither does ' +
      'one that nobody reads (spec/3, conversion procedure, step 5). The instruction to ask ' +
      'for it stays in the prompt.',
    help: () => 'Nothing needs to be done, unless a text should have read it under another name.',
    example: { variable: 'mood' },
  }),
};
