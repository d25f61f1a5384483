/**
 * The expected texts of the assistants, under the grouping of the squad.
 *
 * In: the source, which members own which nodes, and the names of their tools. Out: for each member
 * its prompt in squadc's wording, part by part, with the message for a missing part; its opening
 * line; and the condition of each handoff in words.
 */
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import { traced } from '../../compiler/ir/provenance.js';
import { writeTemplate } from '../../compiler/ir/template.js';
import { markVerbatim } from '../../compiler/ir/tokens.js';
import {
  type Action,
  type Branch,
  describe,
  type EntryContent,
  type HandoffCall,
  handoffFunction,
  type Opening,
  type PromptContent,
  type StepContent,
  whenReady,
  writePrompt,
} from '../../compiler/ir/wording.js';
import {
  onlySays,
  partsOf,
  type Text,
  type ToolCall,
  type WorkflowEdge,
  type WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import type { Member, Squad } from '../squad.js';
import {
  type Handoff,
  type Owners,
  outgoing,
  type SourceGraph,
  type Steps,
  type Transition,
} from './source.js';
import { anywhere, type ExpectedSupply, entering, leaving, type Reading } from './supply.js';

/** The names of a member's tools: that of a request or tool node, or of a call. */
export type CallNames = (member: number, tool: WorkflowNode | ToolCall) => readonly string[];

/** How a squad makes a handoff: the assistant's name, and the function to call. */
export interface HandoffWords {
  readonly to: string;
  readonly by: HandoffCall | null;
}

/** A part of a prompt, and the message if it is missing. */
export interface Part {
  /** In squadc's wording; empty if it belongs to another part. */
  readonly spelt: string;
  /** Other prose has to contain one of these; any prose will do if there are none. */
  readonly words: readonly string[];
  readonly text: string;
  readonly source: readonly JsonPointer[];
  /** The item of the checklist that fails; null if only a call shows it. */
  readonly item: number | null;
}

export interface ExpectedPrompt {
  /** The node of each step. */
  readonly nodes: readonly NodeIndex[];
  /** The number of nodes that a call can begin at. */
  readonly entryCount: number;
  /** The lines that the assistant opens with. */
  readonly lines: readonly Text[];
  readonly spelt: string;
  readonly listParts: () => Part[];
}

interface PromptInput {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly owners: Owners;
  readonly handoffs: readonly Handoff[];
  /** By member. */
  readonly steps: readonly Steps[];
  readonly names: CallNames;
  /** How the squad makes an expected handoff; null if it does not. */
  readonly handoffOf: (handoff: Handoff) => HandoffWords | null;
  /** How a member has to say a text. */
  readonly supplyOf: (member: number) => ExpectedSupply;
}

interface Indexed extends PromptInput {
  /** By the node that they lead to. */
  readonly leading: ReadonlyMap<NodeIndex, readonly Handoff[]>;
}

/** The condition of each handoff in words, and the prompts by member. */
export function expectPrompts(given: PromptInput): {
  readonly sayWhen: (handoff: Handoff) => string;
  readonly of: (member: number) => ExpectedPrompt;
} {
  const leading = groupBy(given.handoffs, ({ to }) => given.owners.standsFor(to));
  const input = { ...given, leading };
  return {
    sayWhen: (handoff) => String(writeTemplate(describe([sayWhen(input, handoff)]), '', [])),
    of: (member) => expectPrompt(input, member),
  };
}

function sayWhen(input: Indexed, handoff: Handoff): Text {
  const { member, from, condition, edge } = handoff;
  const { graph, owners, steps, supplyOf } = input;
  const { say } = supplyOf(member);
  const at = from === null ? anywhere : leaving(owners.standsFor(from));
  if (condition !== null) return say(condition, at);
  const transitions = outgoing(graph, owners.standsFor, owners.standsFor(from!));
  const otherwise = transitions.some((it) => it.condition !== null);
  const { label, collectedAt } = steps[member]!;
  const collected = collectedAt(owners.standsFor(from!));
  return whenReady(edge!.at, { name: label, collected, otherwise });
}

/** What leads to an entry, in the order of the assistants, and for each in walk order. */
function listIncoming(input: Indexed, entry: NodeIndex, member: number) {
  const { graph, leading, steps } = input;
  const along = (leading.get(entry) ?? []).flatMap((it) => {
    const { rank, numbers } = steps[it.member]!;
    if (it.edge === null || !numbers.has(it.from!)) return [];
    const text = it.condition === null ? sayWhen(input, it) : markVerbatim(it.condition);
    return [{ text, said: it.condition !== null, rank, number: graph.rank[it.from!]! }];
  });
  const { global } = graph.nodeAt(entry);
  const text = global && markVerbatim(global.condition!);
  const own = text && { text, said: true, rank: steps[member]!.rank };
  const all = own === null ? along : [...along, { ...own, number: -1 }];
  return all.sort((one, other) => one.rank - other.rank || one.number - other.number);
}

/** The state for writing one prompt. */
interface Writer extends Indexed {
  readonly member: Member;
  readonly own: Steps;
  readonly supply: ExpectedSupply;
  /** The parts, in the order in which they are written. */
  readonly parts: (() => Part)[];
}

function expectPrompt(input: Indexed, index: number): ExpectedPrompt {
  const { graph, squad, owners } = input;
  const [member, own, supply] = [squad.members[index]!, input.steps[index]!, input.supplyOf(index)];
  const { nodes, entries } = own;
  const lines = [...own.opening].flatMap((node) => graph.nodeAt(node).firstMessage ?? []);
  // Nodes that are spoken before the first step have no step of their own.
  const spoken = Math.max(own.opening.size - 1, 0);
  const writer: Writer = { ...input, member, own, supply, parts: [] };
  const { globalPrompt: text } = graph.workflow;
  const globalPrompt = text && supply.say(text, anywhere);
  for (const part of globalPrompt === null ? [] : partsOf(globalPrompt)) {
    addPart(writer, () => ({
      spelt: spell({ globalPrompt: part }),
      words: member.saved ? [] : [part.value],
      text: ofDifferences.promptLost(member.called),
      source: [part.at],
    }));
  }
  const isStart = entries.includes(graph.start) || entries.includes(owners.standsFor(graph.start));
  const opening: Opening = {
    part: squad.members.length === 1 ? 'only' : isStart ? 'first' : 'later',
    hasSpoken: lines.length > 0,
    hasTokens: supply.hasTokens,
    known: supply.known,
  };
  addPart(writer, () => ({
    spelt: spell({ opening, steps: nodes.slice(spoken).map(() => none) }).split('\n\n')[0]!,
    text: ofDifferences.roleLost(member.called),
  }));
  const spelt = spell({
    globalPrompt,
    opening,
    entries: (entries.length > 1 ? entries : []).map((node) => writeEntry(writer, node)),
    steps: nodes.map((node) => writeStep(writer, node)).slice(spoken),
    anyTime: graph.globalNodes.map(({ index: to, global }) =>
      writeBranch(writer, null, { edge: null, to, condition: global!.condition, otherwise: false }),
    ),
  });
  const listParts = () => writer.parts.map((part) => part());
  return { nodes, entryCount: entries.length, lines, spelt, listParts };
}

/** Parts are computed only if the prompt differs from the expected one. */
function addPart({ parts }: Writer, part: () => Partial<Part>): void {
  parts.push(() => ({ spelt: '', words: [], text: '', source: [], item: null, ...part() }));
}

function writeEntry(writer: Writer, node: NodeIndex): EntryContent {
  const { graph, owners, member, own } = writer;
  const leads = listIncoming(writer, node, member.index);
  const conditions = leads.filter(({ said }) => said).map(({ text }) => text);
  const sentences = leads.filter(({ said }) => !said).map(({ text }) => text);
  const isStart = node === owners.standsFor(graph.start);
  const entry = { step: own.numbers.get(node)!, isStart, conditions, sentences };
  const texts = [...conditions, ...sentences];
  addPart(writer, () => ({
    spelt: spell({ entries: [entry] }),
    text: ofDifferences.beginningLost(member.called, texts[0]?.value ?? '', entry.step),
    source: texts.map(({ at }) => at),
  }));
  return entry;
}

function writeStep(writer: Writer, index: NodeIndex): StepContent {
  const { graph, owners, names, member, supply, own } = writer;
  const node = graph.nodeAt(index);
  const sayHere = (text: Text | null) => text && supply.say(text, entering(index));
  const instructions = sayHere(node.systemPrompt);
  const captures = node.captures.map((it) => ({ ...it, description: sayHere(it.description) }));
  const isSpoken = own.opening.has(index);
  const line = sayHere(node.firstMessage);
  const calls: (string | number)[] = node.role === 'act' ? [...names(member.index, node)] : [];
  // A tool whose name is unknown is called the tool of the step.
  const isUnnamed = node.role === 'act' && node.tools.length > 0 && calls.length === 0;
  if (isUnnamed) calls.push(own.numbers.get(index)!);
  for (const call of node.calls) {
    if (call.moment === 'captured') calls.push(...names(member.index, call));
  }
  // The texts of a saved assistant are stored on the platform.
  const isSeen = !member.saved || node.assistant?.savedAs == null;
  const addText = (
    what: string,
    at: JsonPointer,
    words: readonly string[],
    part: Partial<Part>,
    spelt: Partial<StepContent> | null,
  ) =>
    addPart(writer, () => ({
      spelt: spelt === null ? '' : stepText(spelt),
      words: isSeen ? words : [],
      text: ofDifferences.textLost(member.called, node.id, what, words[0]!),
      source: [at],
      ...part,
    }));
  if (line !== null) {
    addText('line', line.at, [line.value], {}, isSpoken ? null : { lines: [line] });
  }
  // The model says what the platform would speak without its values.
  const unsaid = node.role === 'act' ? sayHere(supply.unsaidBy(node)) : null;
  if (unsaid !== null) addText('line', unsaid.at, [unsaid.value], {}, { lines: [unsaid] });
  for (const part of instructions === null ? [] : partsOf(instructions)) {
    addText('instruction', part.at, [part.value], {}, { instructions: part });
  }
  for (const it of captures) {
    // Handoffs make the derived variables, so other prose need not mention them.
    const lost = { item: 4, ...(it.alias === undefined ? {} : { words: [] }) };
    const words = [it.name, ...(it.description === null ? [] : [it.description.value])];
    addText('variable', it.at, words, lost, { captures: [it] });
  }
  for (const call of calls) {
    const words = node.role === 'act' && !isUnnamed ? [String(call)] : [];
    addText('tool call', node.at, [String(call)], { item: 5, words }, { calls: [call] });
  }
  const onward = isSpoken && onlySays(node) ? [] : outgoing(graph, owners.standsFor, index);
  const branches = onward.map((branch) => writeBranch(writer, index, branch));
  const lines = [isSpoken ? null : line, unsaid].filter((it) => it !== null);
  return { lines, instructions, captures, calls, branches };
}

/** A transition to a node from a step, or from any step. */
function writeBranch(
  writer: Writer,
  from: NodeIndex | null,
  {
    edge,
    to,
    condition,
    otherwise,
  }: Pick<Handoff, 'edge' | 'to' | 'condition'> & Pick<Transition, 'otherwise'>,
): Branch {
  const { graph, squad, owners, names, member, own, supply } = writer;
  const node = graph.nodeAt(to);
  const { id, role, type } = node;
  const isExit = role === 'exit';
  const at = edge?.at ?? node.at;
  const place = from === null ? anywhere : leaving(from);
  // In a squad of one, nobody hands off to a global node.
  const isApart = squad.members.length > 1 || to === owners.standsFor(graph.start);
  const [first = null] = owners.of(to);
  const home = edge !== null ? first : isApart ? owners.soleOwner(to) : null;
  const when: Branch['when'] =
    condition === null
      ? { kind: 'done', text: null, otherwise }
      : { kind: 'condition', text: supply.say(condition, place) };
  const handoff = { member: member.index, from, to, condition, edge, target: home, at };
  const isInner = owners.of(to).has(member.index);
  const onward = isInner ? goTo(writer, owners.standsFor(to)) : handOff(writer, handoff);
  const action = isExit ? leave(writer, node, place, edge) : onward;
  let demand: Branch['demand'] = null;
  if (condition !== null && condition.call !== null) {
    demand = { call: names(member.index, condition.call)[0] ?? '' };
  } else if (condition?.routing === 'extract' && condition.uses.length > 0) {
    demand = { know: [...new Set(condition.uses.map((use) => use.name))] };
  }
  const branch = { demand, when, action };
  const words = condition?.value ?? null;
  const step = from ?? own.nodes[0];
  const left = step === undefined ? member.called : graph.nodeAt(step).id;
  // An edge without a condition has none that a handoff could lack.
  const items = { go: null, 'hand-off': words === null ? null : 3, end: 6, transfer: 5 };
  addPart(writer, () => ({
    spelt: stepText({ branches: [branch] }),
    text: isExit
      ? ofDifferences.endLost(member.called, id, words)
      : ofDifferences.wayLost(member.called, left, id, words),
    // The conditions of handoffs and transfers belong to their tools.
    words:
      edge !== null && words !== null && action.kind !== 'hand-off' && type !== 'transferCall'
        ? [words]
        : [],
    source: [at],
    item: items[action.kind],
  }));
  return branch;
}

function goTo({ graph, supply, own }: Writer, to: NodeIndex): Action {
  const spoken = [...(own.opening.has(to) ? own.opening : [])];
  const lines = spoken.slice(spoken.indexOf(to)).flatMap((node): Text[] => {
    const { firstMessage } = graph.nodeAt(node);
    return firstMessage === null ? [] : [supply.say(firstMessage, entering(node))];
  });
  return { kind: 'go', step: own.numbers.get(to) ?? 0, lines };
}

/** As the squad does it; if it does not, as it could. */
function handOff({ squad, steps, handoffOf }: Indexed, handoff: Handoff): Action {
  const { target } = handoff;
  const to = target === null ? '' : steps[target]!.name;
  const by = { name: handoffFunction([to]), isShared: false };
  return { kind: 'hand-off', ...(handoffOf(handoff) ?? { to, by: squad.wrapped ? null : by }) };
}

/** Ends or transfers the call, after what the exit says. */
function leave(writer: Writer, exit: WorkflowNode, at: Reading, edge: WorkflowEdge | null): Action {
  const {
    squad,
    member,
    supply: { say, isTold },
  } = writer;
  const { id, type, transfer, firstMessage, systemPrompt } = exit;
  const lines = firstMessage === null ? [] : [say(firstMessage, at)];
  const said = { lines, instructions: systemPrompt && say(systemPrompt, at) };
  const item = type === 'transferCall' ? null : 6;
  for (const it of [...lines, said.instructions]) {
    if (it === null) continue;
    const what = it.at === firstMessage?.at ? 'line' : 'instruction';
    addPart(writer, () => ({
      words: [it.value],
      text: ofDifferences.textLost(member.called, id, what, it.value),
      source: edge === null ? [it.at] : [it.at, edge.at],
      item,
    }));
  }
  if (type !== 'transferCall') {
    const tool = member.tools.find((it) => it.type === 'endCall');
    return { kind: 'end', tool: squad.wrapped ? null : tool?.name || 'endCall', ...said };
  }
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const to = all.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [traced(value.type === 'sip' ? value.sipUri : value.number, origin)];
  });
  // The model says what the platform would speak without its values.
  for (const { message } of all) {
    if (message !== null && isTold(message, at)) lines.push(say(message, at));
  }
  return { kind: 'transfer', to, ...said };
}

const noOpening: Opening = { part: 'only', hasSpoken: false, hasTokens: false, known: [] };
const nothing = { globalPrompt: null, opening: noOpening, entries: [], steps: [], anyTime: [] };

function spell(content: Partial<PromptContent>): string {
  let spelt = '';
  for (const { text } of writePrompt({ ...nothing, ...content })) spelt += text;
  return spelt;
}

const none: StepContent = { lines: [], instructions: null, captures: [], calls: [], branches: [] };

/** A step or a part of one, without its heading. */
export function stepText(step: Partial<StepContent>): string {
  return spell({ steps: [{ ...none, ...step }] }).replace(/^Step 1\n/, '');
}
