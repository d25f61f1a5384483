/**
 * What the assistants have to say, under the grouping that the squad has.
 *
 * In: the source, which members own which nodes, and what their tools are called. Out: for each
 * member its prompt as the wording spells it, part by part, with what is to be said where a part is
 * not there; the line that it opens with; and when a passage is taken.
 */
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import { toLegalName } from '../../compiler/ir/names.js';
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
  whenNeeded,
  whenReady,
} from '../../compiler/ir/wording.js';
import type {
  Condition,
  Text,
  ToolCall,
  WorkflowEdge,
  WorkflowNode,
} from '../../compiler/ir/workflow.js';
import { ofDifferences } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import type { Squad } from '../squad.js';
import { listWays, type Owners, type Passage, type SourceGraph, type SourceWay } from './source.js';
import type { Steps } from './steps.js';
import { anywhere, type ExpectedSupply, entering, leaving, type Reading } from './supply.js';

/** What a member's tools are called: that of a request or tool node, or of a call. */
export type CallNames = (member: number, tool: WorkflowNode | ToolCall) => readonly string[];

/** How a squad makes a handoff: what it calls the assistant, and the function that it calls. */
export interface HandoffWords {
  readonly to: string;
  readonly by: HandoffCall | null;
}

/** What an assistant says otherwise than the source. */
export interface Difference {
  /** The item of the checklist that it fails; null where the walk alone shows it. */
  readonly item: number | null;
  readonly text: string;
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
  readonly member: number;
  /** The node and the way at which a call shows it; null where any does. */
  readonly node: NodeIndex | null;
  readonly edge: WorkflowEdge | null;
}

/** A part of a prompt, as it is spelt, and what differs where it is not there. */
export interface Part extends Omit<Difference, 'output' | 'member'> {
  readonly spelt: string;
}

export interface ExpectedPrompt {
  /** The node of each step. */
  readonly nodes: readonly NodeIndex[];
  /** How many of them a call can begin at. */
  readonly entryCount: number;
  /** The line that the assistant opens with; null where none. */
  readonly line: Text | null;
  readonly spelt: string;
  readonly listParts: () => readonly Part[];
}

interface Scene {
  readonly graph: SourceGraph;
  readonly squad: Squad;
  readonly owners: Owners;
  readonly passages: readonly Passage[];
  /** By member. */
  readonly steps: readonly Steps[];
  readonly names: CallNames;
  /** How the squad makes the handoff of a passage; null where it makes none. */
  readonly handoffOf: (passage: Passage) => HandoffWords | null;
  /** How a member has to say a text. */
  readonly supplyOf: (member: number) => ExpectedSupply;
}

interface Script extends Scene {
  /** By the node that they lead to. */
  readonly leading: ReadonlyMap<NodeIndex, readonly Passage[]>;
}

/** When a passage is taken, in words, and the prompts by member. */
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
  const { member, from, to, condition, edge, target } = passage;
  const { graph, owners, steps, supplyOf } = script;
  const { say } = supplyOf(member);
  const at = from === null ? anywhere : leaving(owners.standsFor(from));
  if (condition !== null) return say(condition, at);
  if (edge === null) {
    return whenNeeded(graph.nodeAt(to).at, target === null ? '' : steps[target]!.name);
  }
  const ways = listWays(graph, owners.standsFor, owners.standsFor(from!));
  const otherwise = ways.some((it) => it.condition !== null);
  return whenReady(edge.at, { ...steps[member]!, otherwise });
}

/** What leads to an entry, in the order of the assistants, and of one in that of a walk. */
function listLeads(script: Script, entry: NodeIndex, member: number) {
  const { graph, leading, steps } = script;
  const along = (leading.get(entry) ?? []).flatMap((it) => {
    const { rank, numbers } = steps[it.member]!;
    if (it.edge === null || !numbers.has(it.from!)) return [];
    const text = it.condition === null ? sayWhen(script, it) : asIs(it.condition);
    return [{ text, said: it.condition !== null, rank, number: graph.ranks[it.from!]! }];
  });
  const { global, at } = graph.nodeAt(entry);
  const { name, rank } = steps[member]!;
  const text = asIs(global?.condition ?? whenNeeded(at, name));
  const own = { text, said: true, rank, number: -1 };
  const all = global === null ? along : [...along, own];
  return all.sort((one, other) => one.rank - other.rank || one.number - other.number);
}

/** What a prompt is written with. */
interface Pen {
  readonly script: Script;
  readonly member: number;
  readonly own: Steps;
  /** The node whose line the assistant opens with; null where there is none. */
  readonly spoken: NodeIndex | null;
  /** The parts, told as they are written; null where nobody asks for them. */
  readonly told: Part[] | null;
}

function expectPrompt(script: Script, member: number): ExpectedPrompt {
  const { nodes, entries } = script.steps[member]!;
  const spoken = entries.length > 1 ? null : (nodes[0] ?? null);
  const listParts = (): readonly Part[] => {
    const told: Part[] = [];
    writePrompt(script, member, spoken, told);
    return told;
  };
  const spelt = spell(writePrompt(script, member, spoken, null));
  const line = spoken === null ? null : script.graph.nodeAt(spoken).firstMessage;
  return { nodes, entryCount: entries.length, line, spelt, listParts };
}

function writePrompt(
  script: Script,
  member: number,
  spoken: NodeIndex | null,
  told: Part[] | null,
): PromptContent {
  const { graph, squad } = script;
  const own = script.steps[member]!;
  const { nodes, entries } = own;
  const pen: Pen = { script, member, own, spoken, told };
  const { say, hasTokens, known } = script.supplyOf(member);
  const { globalPrompt: text } = graph.workflow;
  const globalPrompt = text && say(text, anywhere);
  if (told !== null) {
    const { called } = squad.members[member]!;
    if (globalPrompt !== null) {
      const { at } = globalPrompt;
      tell(told, spell({ globalPrompt }), ofDifferences.promptLost(called), { source: [at] });
    }
  }
  const isStart =
    entries.includes(graph.start) || entries.includes(script.owners.standsFor(graph.start));
  const opening: Opening = {
    part: squad.members.length === 1 ? 'only' : isStart ? 'first' : 'later',
    hasSpoken: spoken !== null && graph.nodeAt(spoken).firstMessage !== null,
    hasTokens,
    known,
  };
  if (told !== null) {
    const { called } = squad.members[member]!;
    const lines = spell({ opening, steps: nodes.map(() => noStep) }).split('\n\n')[0]!;
    tell(told, lines, ofDifferences.roleLost(called), {});
  }
  const [begin, steps, anyTime]: [EntryContent[], StepContent[], Way[]] = [[], [], []];
  for (const node of entries.length > 1 ? entries : []) begin.push(writeEntry(pen, node));
  for (const node of nodes) steps.push(writeStep(pen, node));
  for (const node of graph.globals) anyTime.push(wayAnywhere(pen, node));
  return { globalPrompt, opening, entries: begin, steps, anyTime };
}

function tell(told: Part[], spelt: string, text: string, where: Partial<Part>): void {
  told.push({ item: null, source: [], node: null, edge: null, ...where, spelt, text });
}

function goTo({ script, member, spoken, own }: Pen, to: NodeIndex): Action {
  const again = spoken === to ? script.graph.nodeAt(to).firstMessage : null;
  const line = again && script.supplyOf(member).say(again, entering(to));
  return { kind: 'go', step: own.numbers.get(to) ?? 0, line };
}

/** A way to a node from a step, or from any. */
function writeWay(
  { script, member, own, told }: Pen,
  condition: Condition | null,
  when: Way['when'],
  action: Action,
  { id, role }: WorkflowNode,
  lost: Partial<Part>,
): Way {
  const { graph, squad, names } = script;
  let demand: Way['demand'] = null;
  if (condition !== null && condition.call !== null) {
    demand = { call: names(member, condition.call)[0] ?? '' };
  } else if (condition?.routing === 'extract' && condition.uses.length > 0) {
    demand = { know: [...new Set(condition.uses.map((use) => use.name))] };
  }
  const way = { demand, when, action };
  if (told !== null) {
    const { called } = squad.members[member]!;
    const words = condition?.value ?? null;
    // An edge without a condition has none that a handoff could lack.
    const items = { go: null, 'hand-off': words === null ? null : 3, end: 6, transfer: 5 };
    const from = lost.node ?? own.nodes[0];
    const left = from === undefined ? called : graph.nodeAt(from).id;
    const text =
      role === 'exit'
        ? ofDifferences.endLost(called, id, words)
        : ofDifferences.wayLost(called, left, id, words);
    tell(told, spellStep({ ways: [way] }), text, { ...lost, item: items[action.kind] });
  }
  return way;
}

/** As the squad does it; where it does not, as it might. */
function handOff({ squad, steps, handoffOf }: Script, passage: Passage): Action {
  const { target } = passage;
  const to = target === null ? '' : steps[target]!.name;
  const by = { name: handoffFunction([to]), isShared: false };
  return { kind: 'hand-off', ...(handoffOf(passage) ?? { to, by: squad.wrapped ? null : by }) };
}

function wayOn(pen: Pen, from: NodeIndex, way: SourceWay): Way {
  const { script, member } = pen;
  const { graph, owners } = script;
  const { edge, to, condition, otherwise, isExit } = way;
  const homes = owners.of(to);
  const isInner = homes.has(member);
  const when: Way['when'] =
    condition === null
      ? { kind: 'done', text: null, otherwise }
      : { kind: 'condition', text: script.supplyOf(member).say(condition, leaving(from)) };
  const end = graph.nodeAt(to);
  const [target = null] = homes;
  const passage = { member, from, to, condition, edge, target, at: edge.at };
  const onward: Action = isInner ? goTo(pen, owners.standsFor(to)) : handOff(script, passage);
  const lost = { source: [edge.at], node: from, edge };
  return writeWay(
    pen,
    condition,
    when,
    isExit ? leave(pen, end, leaving(from)) : onward,
    end,
    lost,
  );
}

function wayAnywhere(pen: Pen, node: WorkflowNode): Way {
  const { graph, squad, owners, steps } = pen.script;
  const { index, global, role, at } = node;
  const { condition } = global!;
  // Where there is nobody else, nobody hands off to it.
  const isApart = squad.members.length > 1 || index === owners.standsFor(graph.start);
  const home = isApart ? owners.soleOwner(index) : null;
  const isExit = role === 'exit';
  const to = isExit || home === null ? toLegalName(node.name ?? node.id) : steps[home]!.name;
  const { member } = pen;
  const passage = { member, from: null, to: index, condition, edge: null, target: home, at };
  const onward = pen.own.numbers.has(index) ? goTo(pen, index) : handOff(pen.script, passage);
  const { say } = pen.script.supplyOf(member);
  const said = say(condition ?? whenNeeded(at, to), anywhere);
  const when: Way['when'] = { kind: 'condition', text: said };
  return writeWay(pen, condition, when, isExit ? leave(pen, node, anywhere) : onward, node, {
    source: [at],
  });
}

function writeEntry({ script, member, own, told }: Pen, node: NodeIndex): EntryContent {
  const { graph, squad, owners } = script;
  const leads = listLeads(script, node, member);
  const conditions = leads.filter(({ said }) => said).map(({ text }) => text);
  const sentences = leads.filter(({ said }) => !said).map(({ text }) => text);
  const isStart = node === owners.standsFor(graph.start);
  const entry = { step: own.numbers.get(node)!, isStart, conditions, sentences };
  if (told !== null) {
    const { called } = squad.members[member]!;
    const texts = [...conditions, ...sentences];
    const text = ofDifferences.beginningLost(called, texts[0]?.value ?? '', entry.step);
    const spelt = spell({ entries: [entry] });
    tell(told, spelt, text, { source: texts.map(({ at }) => at) });
  }
  return entry;
}

function writeStep(pen: Pen, index: NodeIndex): StepContent {
  const { script, member, spoken, told } = pen;
  const { graph, owners, names } = script;
  const node = graph.nodeAt(index);
  const { say } = script.supplyOf(member);
  const sayHere = (text: Text | null) => text && say(text, entering(index));
  const instructions = sayHere(node.systemPrompt);
  const captures = node.captures.map((it) => ({ ...it, description: sayHere(it.description) }));
  const line = spoken === index ? null : sayHere(node.firstMessage);
  const calls: string[] = node.role === 'act' ? [...names(member, node)] : [];
  for (const call of node.calls) {
    if (call.moment === 'captured') calls.push(...names(member, call));
  }
  const ways: Way[] = [];
  const step: StepContent = { line, instructions, captures, calls, ways };
  if (told !== null) tellStep(script.squad.members[member]!.called, node, step, told);
  for (const way of listWays(graph, owners.standsFor, index)) ways.push(wayOn(pen, index, way));
  return step;
}

/** The parts of a step but for its ways. */
function tellStep(called: string, node: WorkflowNode, step: StepContent, told: Part[]): void {
  const { line, instructions, captures, calls } = step;
  const lose = (
    what: string,
    words: string,
    { at }: { readonly at: JsonPointer },
    part: Partial<StepContent>,
    item: number | null = null,
  ) => {
    const text = ofDifferences.textLost(called, node.id, what, words);
    tell(told, spellStep(part), text, { item, source: [at], node: node.index });
  };
  if (line !== null) lose('line', line.value, line, { line });
  if (instructions !== null) {
    lose('instruction', instructions.value, instructions, { instructions });
  }
  for (const it of captures) lose('variable', it.name, it, { captures: [it] }, 4);
  for (const call of calls) lose('tool call', call, node, { calls: [call] }, 5);
}

/** Ends or transfers the call; what the exit says stands before it. */
function leave(
  { script: { squad, supplyOf }, member }: Pen,
  exit: WorkflowNode,
  at: Reading,
): Action {
  const { type, transfer, firstMessage, systemPrompt } = exit;
  const { say, isTold } = supplyOf(member);
  const lines = firstMessage === null ? [] : [say(firstMessage, at)];
  const said = { lines, instructions: systemPrompt && say(systemPrompt, at) };
  if (type !== 'transferCall') {
    const tool = squad.members[member]!.tools.find((it) => it.type === 'endCall');
    return { kind: 'end', tool: squad.wrapped ? null : tool?.name || 'endCall', ...said };
  }
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const to = all.flatMap(({ destination }) => {
    if (destination === null) return [];
    const { value, origin } = destination;
    return [traced(value.type === 'sip' ? value.sipUri : value.number, origin)];
  });
  // What the platform would speak without its values the model says itself.
  for (const { message } of all)
    if (message !== null && isTold(message, at)) lines.push(say(message, at));
  return { kind: 'transfer', to, ...said };
}

const silence: Opening = { part: 'only', hasSpoken: false, hasTokens: false, known: [] };
const nothing = { globalPrompt: null, opening: silence, entries: [], steps: [], anyTime: [] };

function spell(content: Partial<PromptContent>): string {
  let spelt = '';
  for (const { text } of spellPrompt({ ...nothing, ...content })) spelt += text;
  return spelt;
}

const noStep: StepContent = { line: null, instructions: null, captures: [], calls: [], ways: [] };

/** A step or a part of one, without its heading. */
export function spellStep(step: Partial<StepContent>): string {
  return spell({ steps: [{ ...noStep, ...step }] }).replace(/^Step 1\n/, '');
}
