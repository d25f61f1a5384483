/** Findings about the graph, the variables, and the squad that they become. */
import { quote, quoteAll } from '../quote.js';
import { error, info, warning } from '../sentence.js';

/** Edges, the start, what can be reached, global nodes. */
export const flow = {
  'flow/missing-node': error<{ id: string; end: 'from' | 'to'; near: string | null }>(
    ({ id, end }) =>
      `This edge ${end === 'from' ? 'starts at' : 'leads to'} ${quote(id)}, but no node has that id.`,
    ({ near }) =>
      near === null
        ? 'Correct the id, add the missing node, or delete the edge.'
        : `If you meant ${quote(near)}, correct the id; otherwise add the node or delete the edge.`,
    { id: 'colect', end: 'to', near: 'collect' },
  ),
  'flow/start-is-exit': error(
    'The call would start at {id}, which only ends or transfers it.',
    'Add a conversation node before it, or mark another node as the start.',
  ),
  'flow/several-starts': warning(
    '{ids:all} are all marked as the start, so the marks are ignored.',
    'Mark only one node as the start.',
  ),
  'flow/unreachable': warning(
    'No call can reach {id}, so it was left out of the squad.',
    'Add the missing edge, make the node global, or delete it.',
  ),
  'flow/edge-out-of-exit': warning(
    'This edge starts at {id}, a node of type {type}. The call is over there, so the edge was dropped.',
    'Delete the edge, or start it at the node before {id}.',
  ),
  'flow/never-taken': warning<{ what: 'edge' | 'global node' }>(
    ({ what }) =>
      what === 'edge'
        ? 'The condition of this edge is `false`, so no call takes it, and it was dropped.'
        : 'The condition of this global node is `false`, so no call enters it from elsewhere.',
    'Delete it, or give it a condition that can hold.',
    { what: 'edge' },
  ),
  'flow/endless': warning(
    'A call that reaches {ids:all} can never end: no path from there leads to an exit.',
    'Add an edge from one of these nodes to an endCall, hangup or transferCall node.',
  ),
  'flow/no-end': warning(
    'Nothing in the squad can end the call: no call reaches an endCall, hangup or transferCall node.',
    'Add an endCall node where the conversation is over, unless callers are meant to hang up themselves.',
  ),
  'flow/same-condition': warning<{ condition: string | null; from: string }>(
    ({ condition, from }) =>
      condition === null
        ? `Several edges leave ${quote(from)} without a condition.`
        : `Several edges leave ${quote(from)} under the same condition, ${quote(condition)}.`,
    'Make the conditions mutually exclusive, or delete the wrong edge.',
    { condition: 'wants an appointment', from: 'greeting' },
  ),
  'flow/copied-edge': info(
    'This edge from {from} to {to} duplicates an earlier one, so it was ignored.',
    'No action needed, unless the two edges should differ.',
  ),
  'flow/condition-without-global': warning(
    '{id} has a condition but is not global, so the condition has no effect.',
    'Set `isGlobal` to true, or move the condition to the edges that lead to this node.',
  ),
  'flow/kept-apart': warning(
    '{node} could not be merged with everything that its edges lead to: another answer, or an assistant in the workflow, keeps {stages:all} apart.',
    'Change one of the two answers if they should be one assistant.',
  ),
  'flow/not-e164': warning(
    '{number} is not a phone number in E.164 format, such as +4930123456.',
    'Write the number with a plus sign and the country code, unless it is an internal extension.',
  ),
};

/** Where variables are set, read, carried and named. */
export const data = {
  'data/maybe-unset': warning(
    '{variable} is read here, but a call can arrive without it: {walk:walk}.',
    'Extract {variable} on that path too, or reword the text so that it works without it.',
  ),
  'data/never-set': warning(
    '{variable} is read here, but nothing sets it before.',
    'Correct the name, extract {variable} in an earlier node, or list it in `dynamicVariables`.',
  ),
  'data/mixed-source': warning(
    'At this handoff {variable} may come from the conversation or from a tool. It is extracted again in both cases.',
    'Use two variables: one for what the caller says and one for what the tool returns.',
  ),
  'data/assign-leaks': warning(
    'This text assigns {variable}, and the platform uses that value in a later text of the same prompt as well.',
    'Use another name here or in the later text.',
  ),
  'data/guard-unseen': warning(
    'The platform does not know {variable} when it checks this condition: only the assistant has heard it. The handoff or tool call is refused, or decided by an older value.',
    'Answer `tool`, so that a tool returns {variable} first, or `extract`, so that the assistant judges the condition.',
  ),
  'data/may-overwrite': warning(
    '{variable} may lose its earlier value here: it may not be captured again, and the context setting {context} hides the part of the conversation where it was mentioned.',
    'Use the context “all”, or capture the variable under another name.',
  ),
  'data/may-block': warning(
    '{variable} is a required argument of a handoff, but a call can get there without having captured it.',
    'Extract {variable} on every path to the handoff, list it in `criticalVariables` if the handoff should wait for it, or set `pass` to `plan`.',
  ),
  'data/shadows-builtin': warning(
    '{variable} is also the name of a built-in variable of the platform.',
    'Rename the captured variable, here and in the texts that read it.',
  ),
  'data/path-into-scalar': warning(
    'This text reads a part of {variable}, but its type is {type:words}.',
    'Read {{{variable:words}}} as a whole, or extract that part as its own variable.',
  ),
  'data/type-conflict': warning(
    '{variable} is captured as {types:all}, so it is passed on as a string.',
    'Give every capture of this variable the same type.',
  ),
  'data/unreadable-name': warning(
    'A variable called {variable} cannot be used in a template.',
    'Rename the variable, with underscores instead of spaces.',
  ),
  'data/set-twice': warning(
    'This node sets {variable} twice; the second definition is used.',
    'Remove one of the two, or rename it.',
  ),
  'data/alias-key': error(
    '{variable} cannot be the key of an alias.',
    'Rename the variable, here and in the texts that read it. Start with a letter, then use letters, digits and underscores; at most 40 characters.',
  ),
  'data/template-key': warning(
    'The key {key} contains a template, but the platform only renders templates in values.',
    'Write a plain key, and use the template in its value.',
  ),
  'data/unfilled-placeholder': warning(
    '{placeholder} looks like a placeholder that was never filled in.',
    'Replace it with the actual value, or with a variable in double braces.',
  ),
  'data/literal-secret': warning(
    '{name} contains a secret in plain text. It is copied to the squad if the squad uses it, and hidden everywhere else.',
    'Store the secret as a credential on the platform, or pass it in as a variable. Then revoke this secret and issue a new one.',
  ),
  'data/masked-secret': error(
    '{name} contains “••••” in the place of a secret: this text was copied from where secrets are hidden.',
    'Use the workflow itself, or put the secret back.',
  ),
  'data/sent-besides': info(
    'The tool {tool} also sends {variable} as a separate field: the model provides the value there, and the platform inserts it where this text reads it.',
    'No action needed, unless the server rejects unknown fields.',
  ),
  'data/lost-after-call': warning(
    'After a call, the workflow reports {variables:all}. In the squad such values can be lost when the call ends.',
    'If somebody reads them, compile for the target `vapi`, which can report them, or pass them to a tool before the call ends.',
  ),
  'data/best-effort': warning(
    'Nothing reads {variable} during the call. It is reported after the call, extracted from the conversation, which is best effort.',
    'If {variable} must never be missing, pass it to a tool before the call ends.',
  ),
  'data/value-names-variable': warning(
    'The request sends the word {variable} here, which is also the name of a variable.',
    'To send the value of the variable, write its name in double braces.',
  ),
  'data/unused-capture': info(
    '{variable} is captured here, but no later text reads it.',
    'No action needed, unless a text should have read it under another name.',
  ),
};

type RenameReason = 'too-long' | 'taken' | 'unreadable' | 'generated';

const renameReasons: Readonly<Record<RenameReason, string>> = {
  'too-long': 'the name is too long',
  taken: 'that name is already in use',
  unreadable: 'the name contains characters that are not allowed',
  generated: 'a program made the name up',
};

/** Something that a saved assistant cannot be told, and the name of what it is about. */
export interface Unsayable {
  readonly kind: 'transition' | 'call' | 'find-out' | 'setting' | 'text';
  readonly name: string;
}

const unsayable: Readonly<Record<Unsayable['kind'], (name: string) => string>> = {
  transition: (name) => `when to go to ${quote(name)}`,
  call: (name) => `to call the tool ${quote(name)}`,
  'find-out': (name) => `to find out ${quote(name)}`,
  setting: (name) => `which ${name} to use`,
  text: (name) => `the text of ${quote(name)}`,
};

/** Names, tools and saved assistants of the squad. */
export const lower = {
  'lower/renamed': info<{ from: string; to: string; reason: RenameReason }>(
    ({ from, to, reason }) =>
      `${quote(from)} is called ${quote(to)} in the squad, because ${renameReasons[reason]}.`,
    'No action needed. Use the option `names` to choose a name yourself.',
    { from: 'intake', to: 'intake-2', reason: 'taken' },
  ),
  'lower/too-large': error<{ most: number; assistants: number; globals: number }>(
    ({ most, assistants, globals }) =>
      globals > 0
        ? `The squad would contain ${assistants * globals} copies of global nodes, because each of ` +
          `${assistants} assistants needs all ${globals} of them. The limit is ${most}.`
        : `The squad would contain more than ${most} copies of tools, because each assistant that ` +
          'leads to a tool needs its own copy.',
    ({ globals }) =>
      globals > 0
        ? 'Merge global nodes, or turn them into branches of the nodes that need them.'
        : 'Add a conversation node before the shared tools, so that a single assistant calls them.',
    { most: 25_010, assistants: 1501, globals: 500 },
  ),
  'lower/tool-to-provide': warning(
    'The squad calls the tool {tool}, which does not exist yet.',
    'Implement {tool} and add its server address before you deploy.',
  ),
  'lower/guard-within': warning(
    'The step to {node} stays within one assistant and calls no tool that a guard could block, so the assistant judges the condition itself.',
    'Answer `extract` or `tool`, so that the values are known before the assistant judges the condition, or accept its judgement with `prose`.',
  ),
  'lower/guard-shared': warning(
    'The platform cannot guard the step to {node}, because the same tool can also be reached without this condition. The assistant judges the condition itself.',
    'Answer `guard` for the other edges too, or `extract` or `tool` for this one.',
  ),
  'lower/tools-of-one-name': error(
    'One assistant would have two different tools called {tool}.',
    'Rename one of the two, or make them identical.',
  ),
  'lower/refused-tool': error(
    'The target would reject the tool {tool}: {problem:words}.',
    'Correct this part of the tool.',
  ),
  'lower/greets-again': warning(
    '{assistant} says {line} again each time another assistant hands the call back to it.',
    'If callers should hear it only once, put the line in a node of its own before this one.',
  ),
  'lower/realtime': warning(
    '{assistant} opens with words that its model makes up, but {model} is a realtime model, and some of these stay silent then.',
    'Use a model that is not a realtime model, or test the handoff on the platform.',
  ),
  'lower/few-tokens': warning(
    '{model} reasons before it speaks, which counts towards its {tokens:number} tokens, so that answers can be cut off or missing.',
    'Set `maxTokens` of the model to at least 1000, or use a model that does not reason.',
  ),
  'lower/many-assistants': warning(
    'The squad has {count:assistants}. With more than a dozen, wrong handoffs become likely.',
    'Merge nodes or branches that need no assistant of their own.',
  ),
  'lower/entry-by-words': warning<{ assistant: string; nodes: readonly string[]; why: string }>(
    ({ assistant, nodes, why }) => {
      const can = `${quote(assistant)} can begin at ${quoteAll(nodes)}, and`;
      if (why === 'words') return `${can} the same words lead to several of them.`;
      return `${can} only its instructions tell which: ${why === 'names' ? 'handoffs have no name in the target `squad`' : `the context ${quote(why)} hides what was said`}.`;
    },
    'Make sure that the conditions of these edges exclude each other. With the target `vapi` and the context “all”, the conversation also shows which handoff was made.',
    { assistant: 'billing', nodes: ['invoice', 'refund'], why: 'none' },
  ),
  'lower/not-an-argument': warning(
    '{variable} is passed by an extraction plan, because a handoff already has an argument with this name.',
    'To pass it as an argument, rename {variable} here and in the texts that read it.',
  ),
  'lower/supplied-by-caller': info(
    'Whoever starts the call must supply {variable}.',
    'Pass {variable} in `variableValues` when you start a call.',
  ),
  'lower/saved-as-it-is': error<{ id: string; what: Unsayable }>(
    ({ id, what }) =>
      `The saved assistant ${quote(id)} cannot be told ${unsayable[what.kind](what.name)} in the target \`squad\`.`,
    'Compile for the target `vapi`, which can add tools to saved assistants, or replace the id in the workflow with the assistant itself.',
    { id: 'assistant-7', what: { kind: 'transition', name: 'billing' } },
  ),
  'lower/saved-needs-prompt': error<{ id: string; what: Unsayable }>(
    ({ id, what }) =>
      `The saved assistant ${quote(id)} cannot be told ${unsayable[what.kind](what.name)}: ` +
      'that needs its prompt, which squadc cannot change.',
    'Add a conversation node after the saved assistant that does it, or replace the id in the workflow with the assistant itself. For a logical condition, answer `guard` or `prose`.',
    { id: 'assistant-7', what: { kind: 'call', name: 'lookup' } },
  ),
  'lower/saved-twice': error(
    'The saved assistant {id} is used at {nodes:all}, which continue differently.',
    'Save a copy of the assistant for each place, or make the places continue in the same way.',
  ),
};
