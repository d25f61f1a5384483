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
import { asIs } from '../../compiler/ir/tokens.js';
import {
  type Action,
  describe,
  type EntryContent,
  type HandoffCall,
  handoffFunction,
  type Opening,
  type PromptContent,
  type StepContent,
  spellPrompt,
  type Way,
  whenReady,
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
  listWays,
  type Owners,
  type Passage,
  type SourceGraph,
  type SourceWay,
  type Steps,
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

interface Scene {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly owners: Owners;
  readonly passages: readonly Passage[];
  /** By member. */
  readonly steps: readonly Steps[];
  readonly names: CallNames;
  /** How the squad makes an expected handoff; null if it does not. */
  readonly handoffOf: (passage: Passage) => HandoffWords | null;
  /** How a member has to say a text. */
  readonly supplyOf: (member: number) => ExpectedSupply;
}

interface Script extends Scene {
  /** By the node that they lead to. */
  readonly leading: ReadonlyMap<NodeIndex, readonly Passage[]>;
}

/** The condition of each handoff in words, and the prompts by member. */
export function expectPrompts(scene: Scene): {
  readonly sayWhen: (passage: Passage) => string;
  readonly of: (member: number) => ExpectedPrompt;
} {
  const leading = groupBy(scene.passages, ({ to }) => scene.owners.standsFor(to));
  const script = { ...scene, leading };
  return {
    sayWhen: (passage) => String(writeTemplate(describe([sayWhen(script, passage)]), '', [])),
    of: (member) => expectPrompt(script, member),
  };
}

function sayWhen(script: Script, passage: Passage): Text {
  const { member, from, condition, edge } = passage;
  const { graph, owners, steps, supplyOf } = script;
  const { say } = supplyOf(member);
  const at = from === null ? anywhere : leaving(owners.standsFor(from));
  if (condition !== null) return say(condition, at);
  const ways = listWays(graph, owners.standsFor, owners.standsFor(from!));
  const otherwise = ways.some((it) => it.condition !== null);
  const { label, collectedAt } = steps[member]!;
  const collected = collectedAt(owners.standsFor(from!));
  return whenReady(edge!.at, { name: label, collected, otherwise });
}

/** What leads to an entry, in the order of the assistants, and for each in walk order. */
function listLeads(script: Script, entry: NodeIndex, member: number) {
  const { graph, leading, steps } = script;
  const along = (leading.get(entry) ?? []).flatMap((it) => {
    const { rank, numbers } = steps[it.member]!;
    if (it.edge === null || !numbers.has(it.from!)) return [];
    const text = it.condition === null ? sayWhen(script, it) : asIs(it.condition);
    return [{ text, said: it.condition !== null, rank, number: graph.rank[it.from!]! }];
  });
  const { global } = graph.nodeAt(entry);
  const own = global && { text: asIs(global.condition!), said: true, rank: steps[member]!.rank };
  const all = own === null ? along : [...along, { ...own, number: -1 }];
  return all.sort((one, other) => one.rank - other.rank || one.number - other.number);
}

/** The state for writing one prompt. */
interface Pen extends Script {
  readonly member: Member;
  readonly own: Steps;
  readonly supply: ExpectedSupply;
  /** The parts, in the order in which they are written. */
  readonly parts: (() => Part)[];
}

function expectPrompt(script: Script, index: number): ExpectedPrompt {
  const { graph, squad, owners } = script;
  const [member, own, supply] = [
    squad.members[index]!,
    script.steps[index]!,
    script.supplyOf(index),
  ];
  const { nodes, entries } = own;
  const lines = [...own.opening].flatMap((node) => graph.nodeAt(node).firstMessage ?? []);
  // Nodes that are spoken before the first step have no step of their own.
  const spoken = Math.max(own.opening.size - 1, 0);
  const pen: Pen = { ...script, member, own, supply, parts: [] };
  const { globalPrompt: text } = graph.workflow;
  const globalPrompt = text && supply.say(text, anywhere);
  for (const part of globalPrompt === null ? [] : partsOf(globalPrompt)) {
    tell(pen, () => ({
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
  tell(pen, () => ({
    spelt: spell({ opening, steps: nodes.slice(spoken).map(() => noStep) }).split('\n\n')[0]!,
    text: ofDifferences.roleLost(member.called),
  }));
  const spelt = spell({
    globalPrompt,
    opening,
    entries: (entries.length > 1 ? entries : []).map((node) => writeEntry(pen, node)),
    steps: nodes.map((node) => writeStep(pen, node)).slice(spoken),
    anyTime: graph.globalNodes.map(({ index: to, global }) =>
      writeWay(pen, null, { edge: null, to, condition: global!.condition, otherwise: false }),
    ),
  });
  const listParts = () => pen.parts.map((part) => part());
  return { nodes, entryCount: entries.length, lines, spelt, listParts };
}

/** Parts are computed only if the prompt differs from the expected one. */
function tell({ parts }: Pen, part: () => Partial<Part>): void {
  parts.push(() => ({ spelt: '', words: [], text: '', source: [], item: null, ...part() }));
}

function writeEntry(pen: Pen, node: NodeIndex): EntryContent {
  const { graph, owners, member, own } = pen;
  const leads = listLeads(pen, node, member.index);
  const conditions = leads.filter(({ said }) => said).map(({ text }) => text);
  const sentences = leads.filter(({ said }) => !said).map(({ text }) => text);
  const isStart = node === owners.standsFor(graph.start);
  const entry = { step: own.numbers.get(node)!, isStart, conditions, sentences };
  const texts = [...conditions, ...sentences];
  tell(pen, () => ({
    spelt: spell({ entries: [entry] }),
    text: ofDifferences.beginningLost(member.called, texts[0]?.value ?? '', entry.step),
    source: texts.map(({ at }) => at),
  }));
  return entry;
}

function writeStep(pen: Pen, index: NodeIndex): StepContent {
  const { graph, owners, names, member, supply, own } = pen;
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
  const tellText = (
    what: string,
    at: JsonPointer,
    words: readonly string[],
    part: Partial<Part>,
    spelt: Partial<StepContent> | null,
  ) =>
    tell(pen, () => ({
      spelt: spelt === null ? '' : spellStep(spelt),
      words: isSeen ? words : [],
      text: ofDifferences.textLost(member.called, node.id, what, words[0]!),
      source: [at],
      ...part,
    }));
  if (line !== null) {
    tellText('line', line.at, [line.value], {}, isSpoken ? null : { lines: [line] });
  }
  // The model says what the platform would speak without its values.
  const unsaid = node.role === 'act' ? sayHere(supply.unsaidBy(node)) : null;
  if (unsaid !== null) tellText('line', unsaid.at, [unsaid.value], {}, { lines: [unsaid] });
  for (const part of instructions === null ? [] : partsOf(instructions)) {
    tellText('instruction', part.at, [part.value], {}, { instructions: part });
  }
  for (const it of captures) {
    // Handoffs make the derived variables, so other prose need not mention them.
    const lost = { item: 4, ...(it.alias === undefined ? {} : { words: [] }) };
    const words = [it.name, ...(it.description === null ? [] : [it.description.value])];
    tellText('variable', it.at, words, lost, { captures: [it] });
  }
  for (const call of calls) {
    const words = node.role === 'act' && !isUnnamed ? [String(call)] : [];
    tellText('tool call', node.at, [String(call)], { item: 5, words }, { calls: [call] });
  }
  const onward = isSpoken && onlySays(node) ? [] : listWays(graph, owners.standsFor, index);
  const ways = onward.map((way) => writeWay(pen, index, way));
  const lines = [isSpoken ? null : line, unsaid].filter((it) => it !== null);
  return { lines, instructions, captures, calls, ways };
}

/** A transition to a node from a step, or from any step. */
function writeWay(
  pen: Pen,
  from: NodeIndex | null,
  {
    edge,
    to,
    condition,
    otherwise,
  }: Pick<Passage, 'edge' | 'to' | 'condition'> & Pick<SourceWay, 'otherwise'>,
): Way {
  const { graph, squad, owners, names, member, own, supply } = pen;
  const node = graph.nodeAt(to);
  const { id, role, type } = node;
  const isExit = role === 'exit';
  const at = edge?.at ?? node.at;
  const place = from === null ? anywhere : leaving(from);
  // In a squad of one, nobody hands off to a global node.
  const isApart = squad.members.length > 1 || to === owners.standsFor(graph.start);
  const [first = null] = owners.of(to);
  const home = edge !== null ? first : isApart ? owners.soleOwner(to) : null;
  const when: Way['when'] =
    condition === null
      ? { kind: 'done', text: null, otherwise }
      : { kind: 'condition', text: supply.say(condition, place) };
  const passage = { member: member.index, from, to, condition, edge, target: home, at };
  const isInner = owners.of(to).has(member.index);
  const onward = isInner ? goTo(pen, owners.standsFor(to)) : handOff(pen, passage);
  const action = isExit ? leave(pen, node, place, edge) : onward;
  let demand: Way['demand'] = null;
  if (condition !== null && condition.call !== null) {
    demand = { call: names(member.index, condition.call)[0] ?? '' };
  } else if (condition?.routing === 'extract' && condition.uses.length > 0) {
    demand = { know: [...new Set(condition.uses.map((use) => use.name))] };
  }
  const way = { demand, when, action };
  const words = condition?.value ?? null;
  const step = from ?? own.nodes[0];
  const left = step === undefined ? member.called : graph.nodeAt(step).id;
  // An edge without a condition has none that a handoff could lack.
  const items = { go: null, 'hand-off': words === null ? null : 3, end: 6, transfer: 5 };
  tell(pen, () => ({
    spelt: spellStep({ ways: [way] }),
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
  return way;
}

function goTo({ graph, supply, own }: Pen, to: NodeIndex): Action {
  const spoken = [...(own.opening.has(to) ? own.opening : [])];
  const lines = spoken.slice(spoken.indexOf(to)).flatMap((node): Text[] => {
    const { firstMessage } = graph.nodeAt(node);
    return firstMessage === null ? [] : [supply.say(firstMessage, entering(node))];
  });
  return { kind: 'go', step: own.numbers.get(to) ?? 0, lines };
}

/** As the squad does it; if it does not, as it could. */
function handOff({ squad, steps, handoffOf }: Script, passage: Passage): Action {
  const { target } = passage;
  const to = target === null ? '' : steps[target]!.name;
  const by = { name: handoffFunction([to]), isShared: false };
  return { kind: 'hand-off', ...(handoffOf(passage) ?? { to, by: squad.wrapped ? null : by }) };
}

/** Ends or transfers the call, after what the exit says. */
function leave(pen: Pen, exit: WorkflowNode, at: Reading, edge: WorkflowEdge | null): Action {
  const {
    squad,
    member,
    supply: { say, isTold },
  } = pen;
  const { id, type, transfer, firstMessage, systemPrompt } = exit;
  const lines = firstMessage === null ? [] : [say(firstMessage, at)];
  const said = { lines, instructions: systemPrompt && say(systemPrompt, at) };
  const item = type === 'transferCall' ? null : 6;
  for (const it of [...lines, said.instructions]) {
    if (it === null) continue;
    const what = it.at === firstMessage?.at ? 'line' : 'instruction';
    tell(pen, () => ({
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

const silence: Opening = { part: 'only', hasSpoken: false, hasTokens: false, known: [] };
const nothing = { globalPrompt: null, opening: silence, entries: [], steps: [], anyTime: [] };

function spell(content: Partial<PromptContent>): string {
  let spelt = '';
  for (const { text } of spellPrompt({ ...nothing, ...content })) spelt += text;
  return spelt;
}

const noStep: StepContent = { lines: [], instructions: null, captures: [], calls: [], ways: [] };

/** A step or a part of one, without its heading. */
export function spellStep(step: Partial<StepContent>): string {
  return spell({ steps: [{ ...noStep, ...step }] }).replace(/^Step 1\n/, '');
}
