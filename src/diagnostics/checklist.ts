/** The sentences of the verifier: the titles of the checklist, and what its evidence says. */
import { quote, quoteAll } from './quote.js';
import { count, edgeInWords, sentences } from './sentence.js';

/** Names of assistants, ids of nodes, conditions: as the source or the squad has them. */
type Name = string;

/** The nine items of spec/3, in its words. */
export const itemTitles: readonly string[] = [
  'The first members entry is the workflow’s start',
  'The assistant count is minimized, linear chains are merged, no cyclical handoff pair is left split',
  'Every retained edge is a handoff destination whose description captures the condition',
  'Every variable referenced across an assistant boundary has a variableExtractionPlan on the crossing handoff; locally used variables have none',
  'apiRequest, transferCall and tool nodes are attached to the correct assistant',
  'endCall and hangup behavior is folded into terminal prompts',
  'All assistantName and assistantId values resolve to a member',
  'The JSON is valid and matches the shapes',
  'An API caller uses squadId instead of workflowId',
];

/** What the items have in common. */
export const ofQuestions = sentences({ open: 'Nobody has answered the question {id}.' });

/** Item 1. */
export const ofEntry = sentences({
  owns: 'The call starts at {start}, which the first member, {assistant}, owns.',
  ownsNot: 'The first member does not own the start, {start}.',
});

/** Why two nodes are for one assistant. */
const bonds = sentences({
  cycle: '{one} and {other} lead to each other',
  chain: '{one} and {other} are of one chain',
  tools: 'no tools set {one} and {other} apart',
});

/** Item 2: how nodes became assistants. */
export const ofGrouping = sentences({
  counted: (assistants: number, nodes: number) =>
    `${count(nodes, 'node')} that a call can reach became ${count(assistants, 'assistant')}.`,
  leftApart: (one: Name, other: Name, nodes: readonly [Name, Name], bond: keyof typeof bonds) =>
    `${quote(one)} and ${quote(other)} could be one: ${bonds[bond](...nodes)}.`,
  merged: (assistant: Name, nodes: readonly [Name, Name], answered: boolean) =>
    `${quote(assistant)} has ${quote(nodes[0])} and ${quote(nodes[1])}, ` +
    (answered ? 'which an answer keeps apart.' : 'which are for two assistants.'),
  repeated: 'Several assistants have {node}: {assistants:all}.',
  equalLeftApart: '{nodes:all} behave the same and could be one; {assistants:all} have them.',
  nobodys: 'No assistant has {node}.',
  lacksTool: '{assistant} does not call {tool}, which is among the tools of its nodes.',
  hasTool: '{assistant} calls {tool}, which is not among the tools of its nodes.',
  keptApart: '{from} hands off to {to} and they could be one; an answer keeps them apart.',
  talks:
    'Every assistant but a start that is only a tool talks with the caller: {number:assistants}.',
  talksNot: 'No conversation or gather node belongs to {assistant}.',
  saved: '{node} is the saved assistant {id}.',
  notSaved: '{node} is the saved assistant {id}, and no call comes to a member of that id.',
  elsewhere: '{assistant} is saved elsewhere, and {node} is not that assistant.',
});

/** Item 3. */
export const ofHandoffs = sentences({
  none: 'No edge leads from one assistant to another, and no handoff is there.',
  licensed: (from: Name, to: Name, condition: string | null) =>
    condition === null
      ? `The edge without a condition from ${quote(from)} is a handoff to ${quote(to)}.`
      : `The condition ${quote(condition)} describes the handoff from ${quote(from)} to ${quote(to)}.`,
  missing: '{from} has no handoff for {condition:edge}.',
  misled: (from: Name, to: Name, condition: string | null) =>
    `The handoff from ${quote(from)} for ${edgeInWords(condition)} does not lead to ${quote(to)}.`,
  undescribed: (from: Name, to: Name, condition: string | null) =>
    `The handoff from ${quote(from)} to ${quote(to)} ` +
    (condition === null ? 'does not say when.' : `lacks ${edgeInWords(condition)}.`),
  leftOver: 'No edge and no global node allows the handoff from {from} to {to}.',
  saysMore: 'The handoff from {from} to {to} is also described by {words}.',
  otherContext: 'The handoff from {from} to {to} takes another part of the conversation along.',
  toItself: '{from} hands off to itself.',
});

/** Item 4. */
export const ofVariables = {
  ...sentences({
    none: 'No variable crosses from one assistant to another, and no handoff has a plan.',
    carries: (from: Name, to: Name, variables: readonly Name[]) =>
      `The handoff from ${quote(from)} to ${quote(to)} carries ${quoteAll(variables)}, which ` +
      `${variables.length === 1 ? 'is' : 'are'} captured before it and read after it.`,
    lacks: 'The handoff from {from} to {to} does not carry {variables:all}.',
    carriesInVain: 'The handoff from {from} to {to} carries {variables:all} and need not.',
    wrongSchema:
      'The handoff from {from} to {to} carries {variable} with another {what:plain} than its captures have.',
    notRequired:
      'The plan of the handoff from {from} to {to} does not require exactly its variables.',
    otherSchema:
      'The plan of the handoff from {from} to {to} says something else than what its variables are.',
    derives:
      'The plan of the handoff from {from} to {to} derives variables that the source does not have.',
    derivesOtherwise:
      'The handoff from {from} to {to} does not derive {variable} as its alias says.',
    idle: 'The handoff from {from} to {to} has a plan, and nothing to carry by it.',
  }),
  /** The same where variables are arguments of the tool. */
  asArguments: sentences({
    lacks:
      'The handoff from {from} to {to} does not demand {variables:all} as an answer or the options want it.',
    carriesInVain:
      'The handoff from {from} to {to} demands {variables:all}, and neither an answer nor the options want it.',
    notRequired: 'The handoff from {from} to {to} does not require exactly its arguments.',
    otherSchema:
      'The arguments of the handoff from {from} to {to} are not its destination and its variables.',
  }),
};

/** What is said of a field of a tool. */
const differences = sentences({
  other: 'another {field} than the source or the answers give it',
  missing: 'no {field}, which the source or the answers give it',
  extra: '{field}, which neither the source nor the answers give it',
});

/** “The tool of “t” in “a””, with what is said of it. */
function ofTool(assistant: Name, tool: Name, what: string): string {
  return `The tool of ${quote(tool)} in ${quote(assistant)} ${what}.`;
}

/** Item 5. */
export const ofTools = sentences({
  none: 'The workflow has no tools, and no assistant has any.',
  has: '{assistant} has the tool of {tool}.',
  lacks: '{assistant} does not have the tool of {tool}.',
  nowhere: 'No assistant is known to own what calls the tool of {tool}.',
  unseen: 'Whether a saved assistant has the tool of {tool} is not to be seen.',
  differs: (assistant: Name, tool: Name, field: string, how: keyof typeof differences) =>
    ofTool(assistant, tool, `has ${differences[how](field)}`),
  misnamed: (assistant: Name, tool: Name, name: Name) =>
    ofTool(assistant, tool, `is called ${quote(name)}`),
  undescribed: (assistant: Name, tool: Name) =>
    ofTool(assistant, tool, 'is not described by its conditions'),
  guardedOtherwise: (assistant: Name, tool: Name) =>
    ofTool(assistant, tool, 'is not refused exactly where its conditions do not hold'),
  handoffGuardedOtherwise:
    'A handoff of {assistant} is not refused exactly where its conditions do not hold.',
  leftOver: '{assistant} has the tool {tool}, which none of its nodes needs.',
  sharedName: '{assistant} has two tools of the name {tool}.',
});

/** Item 6. */
export const ofEndings = sentences({
  none: 'No endCall or hangup node can be reached.',
  ends: 'The prompt of {assistant} says when to end the call and what to say before.',
  endsNot: 'A call can end in {assistant}, but its prompt does not say “end the call”.',
  unseen:
    'Whether the prompt of {assistant}, which is saved, says “end the call” is not to be seen.',
  lacksTool: 'A call can end in {assistant}, but it has no tool to end it.',
});

/** Item 7. */
export const ofNames = sentences({
  unique: 'The names of the members are unique: {number:assistants}.',
  shared: 'Several members are called {name}.',
  otherName: (name: Name, node: Name, wanted: Name) =>
    `The assistant that begins with ${quote(node)} is called ${quote(name)}, and not ${quote(wanted)} as an option says.`,
  unnamed: 'A member has neither a name nor the id of a saved assistant.',
  resolve: (destinations: number) =>
    destinations === 0
      ? 'No handoff names a member.'
      : `Every handoff names a member: ${count(destinations, 'destination')}.`,
  dangling: (from: Name, target: string | null) =>
    target === null
      ? `A handoff of ${quote(from)} names nobody.`
      : `A handoff of ${quote(from)} names ${quote(target)}, and no member is called that.`,
});

/** Item 8. */
export const ofShape = sentences({
  valid: 'The document has the shape of target {target}.',
  invalid: 'The document breaks its shape: {fault:plain}.',
  otherTarget: 'The document was to have the shape of target {stated} and has that of {found}.',
  withoutPrompt: 'The first message of {assistant} is no system message that says something.',
  shortNames: 'No name of an assistant is longer than 40 characters.',
  longName: 'The name {name} is longer than 40 characters.',
});

/** Item 9. */
export const ofCallers = sentences({
  clean:
    'The squad names no workflowId. Programs that start calls must send squadId: `squadc callers` finds those that still send workflowId.',
  named: 'The squad names a workflowId here; runs are started with squadId.',
  carried:
    'The workflow itself names a workflowId here: if it starts runs by that, they must be started with squadId.',
});

/** Settings, which no item of spec/3 names. */
export const ofSettings = sentences({
  other: '{assistant} has another {setting:plain} than the source or the options give it.',
  missing: '{assistant} does not have the {setting:plain} that the source or the options give it.',
  extra: '{assistant} sets {setting}, which neither the source nor the options ask for.',
  otherModel:
    'The model of {assistant} differs in {key} from what the source or the options give it.',
  unasked: 'An override sets {setting}, which neither the source nor the options ask for.',
  keepsFrom: 'A handoff of {assistant} is described otherwise than by its conditions.',
  speaks: 'A handoff of {assistant} is not silent.',
  fallsSilent: '{assistant} has no line to open with and does not find one: the call falls silent.',
  losesLine: '{assistant} has a line to open with and does not say it.',
});

/** What a call shows that the squad answers otherwise than the workflow. */
export const ofDifferences = sentences({
  textLost: (assistant: Name, node: Name, what: string, text: string) =>
    `${quote(assistant)} lacks the ${what} of ${quote(node)}: ${quote(text)}.`,
  lineElsewhere: (assistant: Name, node: Name, line: string) =>
    `${quote(assistant)} does not say ${quote(line)} where the call comes to ${quote(node)}.`,
  greetsWith: (assistant: Name, node: Name, line: string) =>
    `${quote(assistant)} begins with ${quote(line)}, which is no line of ${quote(node)}.`,
  greetsEverybody: '{assistant} can be entered at several steps and says {line} at each.',
  unaccounted: 'The prompt of {assistant} says {text}, and nothing in the workflow does.',
  wayLost: '{assistant} does not say how to go on from {from} to {to}{condition:when}.',
  endLost: '{assistant} does not do what {exit} says{condition:when}.',
  beginningLost: (assistant: Name, lead: string, step: number) =>
    `The prompt of ${quote(assistant)} does not say that a call begins at step ${step} for ${quote(lead)}.`,
  promptLost: 'The prompt of {assistant} lacks the global prompt.',
  stepsLost: 'The prompt of {assistant} is not one message of steps that are numbered from 1.',
  roleLost: 'The prompt of {assistant} does not open as its part in the call demands.',
});
