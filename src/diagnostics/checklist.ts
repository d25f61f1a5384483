/** The sentences of the verifier: the titles of the checklist, and its evidence. */
import { counted } from '../text/counted.js';
import { quote, quoteAll } from './quote.js';
import { edgeInWords, sentences } from './sentence.js';

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

/** Any item. */
export const ofQuestions = sentences({ open: 'The question {id} has no answer.' });

/** Item 1. */
export const ofEntry = sentences({
  owns: 'The call starts at {start}, which belongs to the first member, {assistant}.',
  ownsNot: 'The start, {start}, does not belong to the first member.',
});

/** Item 2: how nodes became assistants. */
export const ofGrouping = sentences({
  counted: (assistants: number, nodes: number) =>
    `${counted(nodes, 'reachable node')} became ${counted(assistants, 'assistant')}.`,
  leftApart: '{one} and {other} could be one assistant: {node} and {next} belong together.',
  merged: '{assistant} has {one} and {other}, which belong to two assistants.',
  mergedAnyway: '{assistant} has {one} and {other}, which an answer keeps apart.',
  repeated: '{node} belongs to several assistants: {assistants:all}.',
  equalLeftApart:
    '{nodes:all} behave the same and could be one node, but they are spread over {assistants:all}.',
  nobodys: 'No assistant contains {node}.',
  unseen: 'A saved assistant may contain {node}; that could not be checked.',
  lacksTool: '{assistant} does not call {tool}, although its nodes do.',
  hasTool: '{assistant} calls {tool}, although its nodes do not.',
  keptApart: '{from} and {to} could be one assistant, but an answer keeps them apart.',
  talks:
    'Every assistant talks with the caller, except a start that is only a tool call: {number:assistants}.',
  talksNot: '{assistant} has no conversation or gather node.',
  saved: '{node} is the saved assistant {id}.',
  notSaved: '{node} is the saved assistant {id}, but no call reaches a member with that id.',
  elsewhere: '{assistant} is a saved assistant, but {node} is not that assistant.',
});

/** Item 3. */
export const ofHandoffs = sentences({
  none: 'No edge leads from one assistant to another, and there are no handoffs.',
  licensed: (from: string, to: string, condition: string | null) =>
    condition === null
      ? `The edge without a condition from ${quote(from)} is a handoff to ${quote(to)}.`
      : `The condition ${quote(condition)} describes the handoff from ${quote(from)} to ${quote(to)}.`,
  missing: '{from} has no handoff for {condition:edge}.',
  misled: (from: string, to: string, condition: string | null) =>
    `The handoff from ${quote(from)} for ${edgeInWords(condition)} does not lead to ${quote(to)}.`,
  undescribed: (from: string, to: string, condition: string | null) =>
    `The handoff from ${quote(from)} to ${quote(to)} ` +
    (condition === null ? 'does not say when.' : `lacks ${edgeInWords(condition)}.`),
  leftOver: 'The handoff from {from} to {to} matches no edge and no global node.',
  saysMore: 'The description of the handoff from {from} to {to} also says {words}.',
  alsoSays:
    'Whether the handoff from {from} to {to} is made exactly when it should be is not clear: its description also says {words:all}.',
  otherContext: 'The handoff from {from} to {to} passes on a different part of the conversation.',
  toItself: '{from} hands off to itself.',
  shared: 'Handoffs from {from} share a tool, so {to} cannot tell where to begin.',
  audible:
    'A handoff tool of {assistant} has no messages, so the platform says a line of its own; an empty list is silent.',
  speaks: 'A handoff of {assistant} is not silent.',
  shorthand:
    'A handoff of {assistant} stands beside the assistant; whether the platform says a line of its own at it is not documented.',
  outside:
    'A handoff of {assistant} leads to something that is no member of the squad; that could not be checked.',
  withoutDescription:
    'A handoff function of {assistant} has no description, and the prompt does not name it, so the model does not call it.',
  keepsFrom: 'The description of a handoff of {assistant} does not match its conditions.',
  overrides: 'A handoff of {assistant} changes settings of the assistant that takes over.',
});

/** Item 4. */
export const ofVariables = {
  ...sentences({
    none: 'No variable has to be passed to another assistant, and no handoff has a plan.',
    carries: (from: string, to: string, variables: readonly string[]) =>
      `The handoff from ${quote(from)} to ${quote(to)} carries ${quoteAll(variables)}, which ` +
      `${variables.length === 1 ? 'is' : 'are'} captured before it and read after it.`,
    lacks: 'The handoff from {from} to {to} does not carry {variables:all}.',
    carriesInVain: 'The handoff from {from} to {to} carries {variables:all}, which is not needed.',
    wrongSchema:
      'The handoff from {from} to {to} carries {variable} with a different {what:plain} than its captures.',
    notRequired: 'The plan of the handoff from {from} to {to} must require exactly its variables.',
    otherSchema:
      'The plan of the handoff from {from} to {to} contains more than the schema of its variables.',
    derives:
      'The plan of the handoff from {from} to {to} derives variables that the workflow does not.',
    derivesOtherwise:
      'The handoff from {from} to {to} does not derive {variable} the way its alias does.',
    idle: 'The handoff from {from} to {to} has a plan but carries nothing.',
  }),
  /** The same if variables are arguments of the tool. */
  asArguments: sentences({
    lacks:
      'The handoff from {from} to {to} does not require {variables:all}, although an answer or option does.',
    carriesInVain:
      'The handoff from {from} to {to} requires {variables:all}, although no answer or option does.',
    notRequired: 'The handoff from {from} to {to} must require exactly its arguments.',
    otherSchema:
      'The arguments of the handoff from {from} to {to} must be its destination and its variables.',
  }),
};

/** Item 5. */
export const ofTools = sentences({
  none: 'Neither the workflow nor the assistants have tools.',
  has: '{assistant} has the tool of {tool}.',
  lacks: '{assistant} does not have the tool of {tool}.',
  nowhere: 'The node that calls the tool of {tool} was not found in any assistant.',
  unseen: 'A saved assistant may have the tool of {tool}; that could not be checked.',
  other:
    'The tool of {tool} in {assistant} has a different {field} than in the workflow or the answers.',
  missing:
    'The tool of {tool} in {assistant} has no {field}, although the workflow or the answers give it one.',
  extra:
    'The tool of {tool} in {assistant} has {field}, although neither the workflow nor the answers do.',
  misnamed: 'The tool of {tool} in {assistant} is called {name}.',
  undescribed:
    'The description of the tool of {tool} in {assistant} does not match its conditions.',
  alsoSays:
    'Whether {assistant} uses the tool of {tool} exactly when it should is not clear: its description also says {words:all}.',
  guardedOtherwise:
    'The tool of {tool} in {assistant} must be refused exactly when its conditions do not hold.',
  handoffGuardedOtherwise:
    'A handoff of {assistant} must be refused exactly when its conditions do not hold.',
  leftOver: '{assistant} has the tool {tool}, which none of its nodes use.',
  sharedName: '{assistant} has two tools called {tool}.',
});

/** Item 6. */
export const ofEndings = sentences({
  none: 'No endCall or hangup node can be reached.',
  ends: 'The prompt of {assistant} says when to end the call, and what to say first.',
  endsNot: 'A call can end in {assistant}, but its prompt does not say “end the call”.',
  unseen:
    '{assistant} is a saved assistant; whether its prompt says “end the call” could not be checked.',
  lacksTool: 'A call can end in {assistant}, but it has no tool to end it.',
});

/** Item 7. */
export const ofNames = sentences({
  unique: 'The names of the members are unique: {number:assistants}.',
  shared: 'Several members are called {name}.',
  otherName: 'The assistant that begins with {node} is called {name}, but an option says {wanted}.',
  unnamed: 'A member has neither a name nor the id of a saved assistant.',
  resolve: (destinations: number) =>
    destinations === 0
      ? 'No handoff names a member.'
      : `Every handoff names a member: ${counted(destinations, 'destination')}.`,
  dangling: (from: string, target: string | null) =>
    target === null
      ? `A handoff of ${quote(from)} names no member.`
      : `A handoff of ${quote(from)} names ${quote(target)}, but no member has that name.`,
});

/** Item 8. */
export const ofShape = sentences({
  valid: 'The document is valid for the target {target}.',
  invalid: 'The document is invalid: {fault:plain}.',
  refused: 'The platform’s API would refuse this: {fault:plain}.',
  otherTarget: 'The document should be for the target {stated}, but it is for {found}.',
  withoutPrompt: 'The first message of {assistant} must be a system message that is not empty.',
  unknown: 'squadc does not know what {place:plain} does to a call.',
  shortNames: 'No assistant name is longer than 40 characters.',
  longName: 'The name {name} is longer than 40 characters.',
});

/** Item 9. */
export const ofCallers = sentences({
  clean:
    'The squad contains no workflowId. No program that starts calls was looked at: they must send squadId, and `squadc callers` finds those that still send workflowId.',
  named: 'The squad contains a workflowId here; calls are started with squadId.',
  carried:
    'The workflow itself contains a workflowId here. If it uses that to start calls, they must be started with squadId.',
});

/** Settings, which no item of spec/3 covers. */
export const ofSettings = sentences({
  other: '{assistant} has a different {setting} than in the workflow or the options.',
  missing: '{assistant} lacks the setting {setting} that the workflow or the options give it.',
  extra: '{assistant} sets {setting}, although neither the workflow nor the options do.',
  answers:
    '{assistant} sets a server, which answers its tool {tool}; neither the workflow nor the options do.',
  fallsSilent:
    '{assistant} has no first message and does not generate one, so the call falls silent.',
  losesLine: '{assistant} has a first message but does not say it.',
});

/** How a call of the squad differs from one of the workflow. */
export const ofDifferences = sentences({
  textLost: '{assistant} lacks {text}.',
  lineLost: 'The prompt of {assistant} lacks {line}.',
  lineMoved: 'The prompt of {assistant} has {line} in a different place.',
  lineElsewhere: '{assistant} does not say {line} when the call reaches {node}.',
  greetsWith: '{assistant} begins with {line}, which {node} does not say.',
  greetsEverybody: '{assistant} can be entered at several steps, but says {line} every time.',
  unaccounted: 'The prompt of {assistant} says {text}, which is not in the workflow.',
  valueLost:
    '{assistant} reads {variable} in {text}, but has another value there than the workflow.',
  renderedEarly:
    '{assistant} has {text} without a raw block, so the platform would evaluate it too early.',
  neverEvaluated: '{assistant} has {text} in a raw block, so the platform would never evaluate it.',
  nowhere: 'No assistant has {value} of the workflow together with the rest of its node.',
  strayTag: 'The squad contains {tag}, which is in no text of the workflow.',
  severalMessages: 'The prompt of {assistant} must be a single message.',
});

/** What a prompt in free prose leaves open. */
export const ofDoubts = sentences({
  order: (steps: number) => `the order of its ${counted(steps, 'step')}`,
  otherWords: 'what the workflow does not say: {words:all}',
  messages: 'its messages that are no instructions (role {roles:all})',
  lines: 'whether it says {lines:all} word for word',
});
