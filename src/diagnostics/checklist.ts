/** The sentences of the verifier: the titles of the checklist, and what its evidence says. */
import { quote, quoteAll } from './quote.js';

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

/** The number and the word, with an s unless it is one. */
function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** What the items have in common. */
export const ofQuestions = {
  open: (question: string) => `Nobody has answered the question ${quote(question)}.`,
};

/** Item 1. */
export const ofEntry = {
  owns: (start: Name, assistant: Name) =>
    `The call starts at ${quote(start)}, which the first member, ${quote(assistant)}, owns.`,
  ownsNot: (start: Name) => `The first member does not own the start, ${quote(start)}.`,
};

/** Why two nodes are for one assistant. */
const bonds = {
  cycle: (one: Name, other: Name) => `${quote(one)} and ${quote(other)} lead to each other`,
  chain: (one: Name, other: Name) => `${quote(one)} and ${quote(other)} are of one chain`,
  tools: (one: Name, other: Name) => `no tools set ${quote(one)} and ${quote(other)} apart`,
};

/** Why a handoff is there. */
const reasons = {
  branch: 'it can also hand off elsewhere',
  join: 'others hand off there too',
  entry: 'that assistant is entered by itself, as the start or from anywhere',
  tools: 'their tools differ',
  ready: 'one of them is an assistant in the workflow already',
};

/** Item 2: how nodes became assistants. */
export const ofGrouping = {
  counted: (assistants: number, nodes: number) =>
    `${count(nodes, 'node')} that a call can reach became ${count(assistants, 'assistant')}.`,
  justified: (from: Name, to: Name, because: keyof typeof reasons) =>
    `${quote(from)} hands off to ${quote(to)}: ${reasons[because]}.`,
  leftApart: (one: Name, other: Name, nodes: readonly [Name, Name], bond: keyof typeof bonds) =>
    `${quote(one)} and ${quote(other)} could be one: ${bonds[bond](...nodes)}.`,
  merged: (assistant: Name, nodes: readonly [Name, Name], answered: boolean) =>
    `${quote(assistant)} has ${quote(nodes[0])} and ${quote(nodes[1])}, ` +
    (answered ? 'which an answer keeps apart.' : 'which are for two assistants.'),
  repeated: (node: Name, assistants: readonly Name[]) =>
    `Several assistants have ${quote(node)}: ${quoteAll(assistants)}.`,
  equalLeftApart: (nodes: readonly Name[], assistants: readonly Name[]) =>
    `${quoteAll(nodes)} behave the same and could be one; ${quoteAll(assistants)} have them.`,
  nobodys: (node: Name) => `No assistant has ${quote(node)}.`,
  lacksTool: (assistant: Name, tool: Name) =>
    `${quote(assistant)} does not call ${quote(tool)}, which is among the tools of its nodes.`,
  hasTool: (assistant: Name, tool: Name) =>
    `${quote(assistant)} calls ${quote(tool)}, which is not among the tools of its nodes.`,
  keptApart: (from: Name, to: Name) =>
    `${quote(from)} hands off to ${quote(to)} and they could be one; an answer keeps them apart.`,
  talks: (assistants: number) =>
    `Every assistant but a start that is only a tool talks with the caller: ${count(assistants, 'assistant')}.`,
  talksNot: (assistant: Name) => `No conversation or gather node belongs to ${quote(assistant)}.`,
  acyclic: () => 'No assistants hand off to each other in a circle along edges.',
  cyclic: (assistants: readonly Name[]) =>
    `${quoteAll(assistants)} hand off to each other in a circle.`,
  cycleKept: (assistants: readonly Name[]) =>
    `${quoteAll(assistants)} hand off to each other in a circle, as an answer wants it.`,
  cycleOfReady: (assistants: readonly Name[]) =>
    `${quoteAll(assistants)} hand off to each other in a circle; one of them is an assistant in ` +
    'the workflow already.',
  saved: (node: Name, id: Name) => `${quote(node)} is the saved assistant ${quote(id)}.`,
  notSaved: (node: Name, id: Name) =>
    `${quote(node)} is the saved assistant ${quote(id)}, and no call comes to a member of that id.`,
  elsewhere: (assistant: Name, node: Name) =>
    `${quote(assistant)} is saved elsewhere, and ${quote(node)} is not that assistant.`,
};

function edgeInWords(condition: string | null): string {
  return condition === null ? 'an edge without a condition' : `the condition ${quote(condition)}`;
}

/** “The handoff from “a” to “b””, with what is said of it. */
function ofHandoff(from: Name, to: Name, what: string): string {
  return `The handoff from ${quote(from)} to ${quote(to)} ${what}.`;
}

/** Item 3. */
export const ofHandoffs = {
  none: () => 'No edge leads from one assistant to another, and no handoff is there.',
  licensed: (from: Name, to: Name, condition: string | null) =>
    condition === null
      ? `The edge without a condition from ${quote(from)} is a handoff to ${quote(to)}.`
      : `The condition ${quote(condition)} describes the handoff from ${quote(from)} to ${quote(to)}.`,
  missing: (from: Name, condition: string | null) =>
    `${quote(from)} has no handoff for ${edgeInWords(condition)}.`,
  misled: (from: Name, to: Name, condition: string | null) =>
    `The handoff from ${quote(from)} for ${edgeInWords(condition)} does not lead to ${quote(to)}.`,
  undescribed: (from: Name, to: Name, condition: string | null) =>
    ofHandoff(
      from,
      to,
      condition === null ? 'does not say when' : `lacks ${edgeInWords(condition)}`,
    ),
  leftOver: (from: Name, to: Name) =>
    `No edge and no global node allows the handoff from ${quote(from)} to ${quote(to)}.`,
  saysMore: (from: Name, to: Name, words: string) =>
    ofHandoff(from, to, `is also described by ${quote(words)}`),
  otherContext: (from: Name, to: Name) =>
    ofHandoff(from, to, 'takes another part of the conversation along'),
  toItself: (from: Name) => `${quote(from)} hands off to itself.`,
};

/** Item 4. */
export const ofVariables = {
  none: () => 'No variable crosses from one assistant to another, and no handoff has a plan.',
  carries: (from: Name, to: Name, variables: readonly Name[]) => {
    const are = variables.length === 1 ? 'is' : 'are';
    const which = `which ${are} captured before it and read after it`;
    return ofHandoff(from, to, `carries ${quoteAll(variables)}, ${which}`);
  },
  lacks: (from: Name, to: Name, variables: readonly Name[]) =>
    ofHandoff(from, to, `does not carry ${quoteAll(variables)}`),
  carriesInVain: (from: Name, to: Name, variables: readonly Name[]) =>
    ofHandoff(from, to, `carries ${quoteAll(variables)} and need not`),
  wrongSchema: (from: Name, to: Name, variable: Name, what: string) =>
    ofHandoff(from, to, `carries ${quote(variable)} with another ${what} than its captures have`),
  notRequired: (from: Name, to: Name) =>
    `The plan of the handoff from ${quote(from)} to ${quote(to)} does not require exactly its variables.`,
  otherSchema: (from: Name, to: Name) =>
    `The plan of the handoff from ${quote(from)} to ${quote(to)} says something else than what its variables are.`,
  derives: (from: Name, to: Name) =>
    `The plan of the handoff from ${quote(from)} to ${quote(to)} derives variables that the source does not have.`,
  derivesOtherwise: (from: Name, to: Name, variable: Name) =>
    ofHandoff(from, to, `does not derive ${quote(variable)} as its alias says`),
  idle: (from: Name, to: Name) => ofHandoff(from, to, 'has a plan, and nothing to carry by it'),
  /** The same where variables are arguments of the tool. */
  asArguments: {
    lacks: (from: Name, to: Name, variables: readonly Name[]) =>
      ofHandoff(
        from,
        to,
        `does not demand ${quoteAll(variables)} as an answer or the options want it`,
      ),
    carriesInVain: (from: Name, to: Name, variables: readonly Name[]) =>
      ofHandoff(
        from,
        to,
        `demands ${quoteAll(variables)}, and neither an answer nor the options want it`,
      ),
    notRequired: (from: Name, to: Name) =>
      ofHandoff(from, to, 'does not require exactly its arguments'),
    otherSchema: (from: Name, to: Name) =>
      `The arguments of the handoff from ${quote(from)} to ${quote(to)} are not its destination ` +
      'and its variables.',
  },
};

/** What is said of a field of a tool. */
const differences = {
  other: (field: string) => `another ${field} than the source or the answers give it`,
  missing: (field: string) => `no ${field}, which the source or the answers give it`,
  extra: (field: string) => `${field}, which neither the source nor the answers give it`,
};

/** “The tool of “t” in “a””, with what is said of it. */
function ofTool(assistant: Name, tool: Name, what: string): string {
  return `The tool of ${quote(tool)} in ${quote(assistant)} ${what}.`;
}

/** Item 5. */
export const ofTools = {
  none: () => 'The workflow has no tools, and no assistant has any.',
  has: (assistant: Name, tool: Name) => `${quote(assistant)} has the tool of ${quote(tool)}.`,
  lacks: (assistant: Name, tool: Name) =>
    `${quote(assistant)} does not have the tool of ${quote(tool)}.`,
  nowhere: (tool: Name) => `No assistant is known to own what calls the tool of ${quote(tool)}.`,
  unseen: (tool: Name) =>
    `Whether a saved assistant has the tool of ${quote(tool)} is not to be seen.`,
  differs: (assistant: Name, tool: Name, field: string, how: keyof typeof differences) =>
    ofTool(assistant, tool, `has ${differences[how](quote(field))}`),
  misnamed: (assistant: Name, tool: Name, name: Name) =>
    ofTool(assistant, tool, `is called ${quote(name)}`),
  undescribed: (assistant: Name, tool: Name) =>
    ofTool(assistant, tool, 'is not described by its conditions'),
  guardedOtherwise: (assistant: Name, tool: Name) =>
    ofTool(assistant, tool, 'is not refused exactly where its conditions do not hold'),
  handoffGuardedOtherwise: (assistant: Name) =>
    `A handoff of ${quote(assistant)} is not refused exactly where its conditions do not hold.`,
  leftOver: (assistant: Name, tool: Name) =>
    `${quote(assistant)} has the tool ${quote(tool)}, which none of its nodes needs.`,
  sharedName: (assistant: Name, tool: Name) =>
    `${quote(assistant)} has two tools of the name ${quote(tool)}.`,
};

/** Item 6. */
export const ofEndings = {
  none: () => 'No endCall or hangup node can be reached.',
  ends: (assistant: Name) =>
    `The prompt of ${quote(assistant)} says when to end the call and what to say before.`,
  endsNot: (assistant: Name) =>
    `A call can end in ${quote(assistant)}, but its prompt does not say “end the call”.`,
  unseen: (assistant: Name) =>
    `Whether the prompt of ${quote(assistant)}, which is saved, says “end the call” is not to be seen.`,
  lacksTool: (assistant: Name) =>
    `A call can end in ${quote(assistant)}, but it has no tool to end it.`,
};

/** Item 7. */
export const ofNames = {
  unique: (assistants: number) =>
    `The names of the members are unique: ${count(assistants, 'assistant')}.`,
  shared: (name: Name) => `Several members are called ${quote(name)}.`,
  otherName: (name: Name, node: Name, wanted: Name) =>
    `The assistant that begins with ${quote(node)} is called ${quote(name)}, and not ${quote(wanted)} as an option says.`,
  unnamed: () => 'A member has neither a name nor the id of a saved assistant.',
  resolve: (destinations: number) =>
    destinations === 0
      ? 'No handoff names a member.'
      : `Every handoff names a member: ${count(destinations, 'destination')}.`,
  dangling: (from: Name, target: string | null) =>
    target === null
      ? `A handoff of ${quote(from)} names nobody.`
      : `A handoff of ${quote(from)} names ${quote(target)}, and no member is called that.`,
  danglingOverride: (target: string) =>
    `An override names ${quote(target)}, and no member is called that.`,
};

/** Item 8. */
export const ofShape = {
  valid: (target: string) => `The document has the shape of target ${quote(target)}.`,
  invalid: (fault: string) => `The document breaks its shape: ${fault}.`,
  otherTarget: (stated: string, found: string) =>
    `The document was to have the shape of target ${quote(stated)} and has that of ${quote(found)}.`,
  withoutPrompt: (assistant: Name) =>
    `The first message of ${quote(assistant)} is no system message that says something.`,
  shortNames: () => 'No name of an assistant is longer than 40 characters.',
  longName: (name: Name) => `The name ${quote(name)} is longer than 40 characters.`,
};

/** Item 9. */
export const ofCallers = {
  clean: () =>
    'The squad names no workflowId. Programs that start calls must send squadId: ' +
    '`squadc callers` finds those that still send workflowId.',
  named: () => 'The squad names a workflowId here; runs are started with squadId.',
  carried: () =>
    'The workflow itself names a workflowId here: if it starts runs by that, they must be started ' +
    'with squadId.',
};

/** Settings, which no item of spec/3 names. */
export const ofSettings = {
  other: (assistant: Name, setting: string) =>
    `${quote(assistant)} has another ${setting} than the source or the options give it.`,
  missing: (assistant: Name, setting: string) =>
    `${quote(assistant)} does not have the ${setting} that the source or the options give it.`,
  extra: (assistant: Name, setting: string) =>
    `${quote(assistant)} sets ${quote(setting)}, which neither the source nor the options ask for.`,
  otherModel: (assistant: Name, key: string) =>
    `The model of ${quote(assistant)} differs in ${quote(key)} from what the source or the options give it.`,
  unasked: (setting: string) =>
    `An override sets ${quote(setting)}, which neither the source nor the options ask for.`,
  keepsFrom: (assistant: Name) =>
    `A handoff of ${quote(assistant)} is described otherwise than by its conditions.`,
  speaks: (assistant: Name) => `A handoff of ${quote(assistant)} is not silent.`,
  fallsSilent: (assistant: Name) =>
    `${quote(assistant)} has no line to open with and does not find one: the call falls silent.`,
  losesLine: (assistant: Name) =>
    `${quote(assistant)} has a line to open with and does not say it.`,
};

function when(condition: string | null): string {
  return condition === null ? '' : ` under the condition ${quote(condition)}`;
}

/** What a call shows that the squad answers otherwise than the workflow. */
export const ofDifferences = {
  textLost: (assistant: Name, node: Name, what: string, text: string) =>
    `${quote(assistant)} lacks the ${what} of ${quote(node)}: ${quote(text)}.`,
  lineElsewhere: (assistant: Name, node: Name, line: string) =>
    `${quote(assistant)} does not say ${quote(line)} where the call comes to ${quote(node)}.`,
  greetsWith: (assistant: Name, node: Name, line: string) =>
    `${quote(assistant)} begins with ${quote(line)}, which is no line of ${quote(node)}.`,
  greetsEverybody: (assistant: Name, line: string) =>
    `${quote(assistant)} can be entered at several steps and says ${quote(line)} at each.`,
  unaccounted: (assistant: Name, text: string) =>
    `The prompt of ${quote(assistant)} says ${quote(text)}, and nothing in the workflow does.`,
  wayLost: (assistant: Name, from: Name, to: Name, condition: string | null) =>
    `${quote(assistant)} does not say how to go on from ${quote(from)} to ${quote(to)}${when(condition)}.`,
  endLost: (assistant: Name, exit: Name, condition: string | null) =>
    `${quote(assistant)} does not do what ${quote(exit)} says${when(condition)}.`,
  beginningLost: (assistant: Name, lead: string, step: number) =>
    `The prompt of ${quote(assistant)} does not say that a call begins at step ${step} for ${quote(lead)}.`,
  promptLost: (assistant: Name) => `The prompt of ${quote(assistant)} lacks the global prompt.`,
  stepsLost: (assistant: Name) =>
    `The prompt of ${quote(assistant)} is not one message of steps that are numbered from 1.`,
  roleLost: (assistant: Name) =>
    `The prompt of ${quote(assistant)} does not begin with the name of the assistant.`,
};
