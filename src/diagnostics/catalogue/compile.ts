/** What compiling finds: in the graph, in the variables, and in what the target makes of both. */
import { quote } from '../quote.js';
import { error, info, warning } from '../sentence.js';

/** Edges, the start, what can be reached, global nodes. */
export const flow = {
  'flow/missing-node': error<{ id: string; end: 'from' | 'to'; near: string | null }>(
    ({ id, end }) =>
      `This edge ${end === 'from' ? 'starts at' : 'leads to'} ${quote(id)}, but no node has that id.`,
    ({ near }) =>
      near === null
        ? 'Correct the id, add the missing node, or delete the edge.'
        : `Write ${quote(near)} if that is the node you mean; otherwise add the node or delete the edge.`,
    { id: 'colect', end: 'to', near: 'collect' },
  ),
  'flow/start-is-exit': error(
    'The call would start at {id}, a node that only ends or transfers it.',
    'Put a conversation node before it, or correct which node is the start.',
  ),
  'flow/several-starts': warning(
    '{ids:all} are all marked as the start, so none of the marks counts.',
    'Leave one mark.',
  ),
  'flow/unreachable': warning(
    'No call can reach {id}; it is left out of the squad.',
    'Add the edge that is missing, make the node global, or delete it.',
  ),
  'flow/edge-out-of-exit': warning(
    'This edge leaves {id}, a node of type {type}; the call is over there, so the edge is dropped.',
    'Delete the edge, or let it start at the node before.',
  ),
  'flow/endless': warning(
    'A call that reaches {ids:all} can never end: no way leads from there to an end.',
    'Add an edge from one of these nodes to an endCall, hangup or transferCall node.',
  ),
  'flow/same-condition': warning<{ condition: string | null; from: string }>(
    ({ condition, from }) =>
      condition === null
        ? `Several edges leave ${quote(from)} without a condition.`
        : `Several edges leave ${quote(from)} under the same condition, ${quote(condition)}.`,
    'Make the conditions exclude each other, or delete the edge that is not meant.',
    { condition: 'wants an appointment', from: 'greeting' },
  ),
  'flow/copied-edge': info(
    'This edge from {from} to {to} repeats an earlier one; it is counted once.',
    'Nothing needs to be done; delete the copy, or correct it if it should differ.',
  ),
  'flow/condition-without-global': warning(
    '{id} has a condition, but is not global, so the condition has no effect.',
    'Set `isGlobal` to true, or move the condition to the edges that lead to the node.',
  ),
  'flow/kept-apart': warning(
    'What edges reach from {node} does not all become one assistant with it: another answer or an assistant of the source keeps {stages:all} apart.',
    'Change one of the two answers if they are to be one assistant.',
  ),
  'flow/not-e164': warning(
    '{number} is not a number in the form +4930123456 (E.164).',
    'Write the number with plus sign and country code, unless it is an internal extension.',
  ),
};

/** Where variables are set, read, carried and named. */
export const data = {
  'data/maybe-unset': warning(
    '{variable} is read here, but a call can get here without it: {walk:walk}.',
    'Extract {variable} on that walk too, or word the text so that it works without.',
  ),
  'data/never-set': warning(
    '{variable} is read here, but nothing that comes before sets it.',
    'Correct the name, extract {variable} in an earlier node, or list it in `dynamicVariables`.',
  ),
  'data/critical-filled': info(
    '{nodes:all} cannot be called without {variable}: the model has to give it with the call.',
    'Nothing needs to be done.',
  ),
  'data/mixed-source': warning(
    'When the call is handed over here, {variable} may come from the conversation or from a tool; it is extracted again either way.',
    'Use two names, one for what the caller says and one for what the tool returns.',
  ),
  'data/assign-leaks': warning(
    'This text sets {variable}, and the platform gives that value to a later text of the same prompt, too.',
    'Use another name here, or another for the variable that the later text reads.',
  ),
  'data/guard-unseen': warning(
    'The platform does not know {variable} when it judges this condition: the assistant has it from the conversation alone, so the way stays closed or an older value decides.',
    'Answer `tool` for this condition, so that a tool returns {variable} first, or `extract`, so that the assistant judges it.',
  ),
  'data/may-overwrite': warning(
    '{variable} may lose an earlier value here: on some walks it is not captured again, and the context {context} hides where it was said.',
    'Choose the context “all”, or let the node capture the variable under another name.',
  ),
  'data/may-block': warning(
    '{variable} is a required argument of a handoff, and a call can come to it without having captured it.',
    'Extract {variable} on every walk to the handoff, list it in `criticalVariables` if the handoff is to wait for it, or set `pass` to extraction.',
  ),
  'data/shadows-builtin': warning(
    '{variable} is also the name of a variable of the platform.',
    'Rename the captured variable, here and in the texts that mean it.',
  ),
  'data/path-into-scalar': warning(
    'This text reads a part of {variable}, but that is a plain {type:words}.',
    'Read {{{variable:words}}} as a whole, or extract the part as a variable.',
  ),
  'data/type-conflict': warning(
    '{variable} is captured as {types:all}; it is carried as a string.',
    'Give every capture of this variable the same type.',
  ),
  'data/unreadable-name': warning(
    'No text can read a variable that is called {variable}.',
    'Rename the variable, with underscores in place of spaces.',
  ),
  'data/set-twice': warning(
    'This node sets {variable} a second time; the later one counts.',
    'Remove one of the two, or give it a name of its own.',
  ),
  'data/alias-key': error(
    '{variable} cannot be the key of an alias.',
    'Rename the variable, here and in the texts that read it: a letter first, then letters, digits and underscores, at most 40 characters.',
  ),
  'data/alias-of-itself': warning(
    'The value of {variable} is made from {variable}, which this node does not find out.',
    'Give the alias a key of its own.',
  ),
  'data/two-authorizations': warning(
    '{node} has a credential of the platform and an Authorization header; which of them is sent is up to the platform.',
    'Remove the one that the endpoint does not expect.',
  ),
  'data/template-key': warning(
    'The name {key} is a template, but the platform renders templates in values only.',
    'Write the name itself, and the template as its value.',
  ),
  'data/unfilled-placeholder': warning(
    '{placeholder} stands here like a placeholder that nobody has filled in.',
    'Write the value itself, or a variable in double braces.',
  ),
  'data/literal-secret': warning(
    '{name} holds a secret in plain text; it stands in the squad, and is hidden everywhere else.',
    'Store the secret as a credential of the platform, or read it from a variable that the caller supplies, and replace the secret itself.',
  ),
  'data/sent-besides': info(
    'The tool {tool} sends {variable} as a field of its own besides, because the model gives the value there and the platform puts it where this text reads it.',
    'Nothing needs to be done, unless the server refuses fields that it does not know.',
  ),
  'data/unused-capture': info(
    '{variable} is captured here, but no later text reads it.',
    'Nothing needs to be done, unless a text should have read it under another name.',
  ),
};

type RenameReason = 'too-long' | 'taken' | 'unreadable';

const renameReasons: Readonly<Record<RenameReason, string>> = {
  'too-long': 'it is too long',
  taken: 'another one has that name already',
  unreadable: 'it holds characters that a name cannot have',
};

/** Something that a saved assistant cannot be told, and the name of what it is about. */
export interface Unsayable {
  readonly kind: 'way' | 'call' | 'find-out' | 'setting' | 'text';
  readonly name: string;
}

const unsayable: Readonly<Record<Unsayable['kind'], (name: string) => string>> = {
  way: (name) => `when to go to ${quote(name)}`,
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
    'Nothing needs to be done; the option `names` sets a name of your own.',
    { from: 'intake', to: 'intake 2', reason: 'taken' },
  ),
  'lower/too-large': error<{ most: number; assistants: number; globals: number }>(
    ({ most, assistants, globals }) =>
      globals > 0
        ? `The squad would hold ${assistants * globals} copies of global nodes, because each of ` +
          `${assistants} assistants has to know all ${globals} of them; at most ${most} are made.`
        : `The squad would hold more than ${most} copies of tools, because each assistant that ` +
          'leads to a tool gets a copy of it.',
    ({ globals }) =>
      globals > 0
        ? 'Join global nodes, or make them branches of the nodes that need them.'
        : 'Put a conversation before the shared tools, so that one assistant calls them.',
    { most: 25_010, assistants: 1501, globals: 500 },
  ),
  'lower/tool-to-provide': warning(
    'The squad calls the tool {tool}, which somebody has to provide.',
    'Implement {tool} and enter the address of its server before deploying.',
  ),
  'lower/guard-within': warning(
    'The way to {node} stays in one assistant and calls no tool that a guard could be put on, so the platform refuses nothing there: the assistant judges the condition itself.',
    'Answer `extract` or `tool` for this condition, so that its values are known before the assistant judges it, or accept its judgement with `prose`.',
  ),
  'lower/guard-shared': warning(
    'The platform does not refuse the way to {node}, because an assistant comes to the same tool without a guard too: there the assistant judges the condition itself.',
    'Answer `guard` for the other ways too, or `extract` or `tool` for this one.',
  ),
  'lower/tools-of-one-name': error(
    'Two different tools are called {tool}, and one assistant would have both.',
    'Give one of the two another name than {tool}, or make them equal.',
  ),
  'lower/refused-tool': error(
    'The target would refuse the tool {tool}: {problem:words}.',
    'Correct the tool in the workflow.',
  ),
  'lower/not-an-argument': warning(
    '{variable} crosses by an extraction plan, because a handoff has an argument of this name already.',
    'Rename {variable}, here and in the texts that read it, to pass it as an argument.',
  ),
  'lower/supplied-by-caller': info(
    'Whoever starts a call has to supply {variable}.',
    'Pass {variable} among the variable values when starting a call.',
  ),
  'lower/saved-as-it-is': error<{ id: string; what: Unsayable }>(
    ({ id, what }) =>
      `The saved assistant ${quote(id)} cannot be told ${unsayable[what.kind](what.name)} in target squad.`,
    'Compile for target `vapi`, where tools are added to saved assistants, or put the assistant itself into the workflow in the place of its id.',
    { id: 'assistant-7', what: { kind: 'way', name: 'billing' } },
  ),
  'lower/saved-needs-prompt': error<{ id: string; what: Unsayable }>(
    ({ id, what }) =>
      `The saved assistant ${quote(id)} cannot be told ${unsayable[what.kind](what.name)}, because ` +
      'only its prompt could.',
    'Put a conversation behind the saved assistant that does it, or put the assistant itself into the workflow in the place of its id. A logical condition may be answered by `guard` or `prose`.',
    { id: 'assistant-7', what: { kind: 'call', name: 'lookup' } },
  ),
  'lower/saved-twice': error(
    'The saved assistant {id} is at {nodes:all}, which go on differently.',
    'Save a copy of the assistant for each place, or let the places go on alike.',
  ),
};
