/**
 * Which nodes become one assistant: section 3 of the design, phase by phase, as it is written.
 *
 * In: the graph without exits and with equal nodes as one, the splits that answers asked for, and
 * the boundary. Out: the stages that are left, which are the assistants. Stages are sets of nodes
 * with links to those that follow and go before; a step of a phase joins two of them or takes one
 * away, and changes the links there and then. So each phase is its own definition, and ends, as no
 * step makes a stage. The smaller of two stages goes into the larger, so all phases together take
 * n log n, and as much as the result is large.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Decision } from '../compiler/ir/inquiry.js';
import type { Boundary } from '../compiler/ir/options.js';
import { givenToolKey } from '../compiler/ir/workflow.js';
import { append } from '../graph/lists.js';
import { computeComponents } from '../graph/partitions.js';
import type { Quotient } from './equality.js';
import type { Grouping } from './expected.js';

/** Nodes with different labels never share an assistant; a label below 0 is that of one node. */
export interface Split {
  readonly labels: ReadonlyMap<NodeIndex, number>;
  /** Whether an answer asks for it: an assistant that the source brings keeps apart by itself. */
  readonly isAnswer: boolean;
}

export class Stage {
  readonly nodes: NodeIndex[] = [];
  readonly next = new Set<Stage>();
  readonly before = new Set<Stage>();
  /** Tool-only stages that were given to it. */
  readonly held = new Set<Stage>();
  readonly labels = new Map<Split, number>();
  talks = false;
  /** Whether it holds the start or a global node. */
  entered = false;
  /** With boundary `tools`, whether it may join the stage before it. */
  joins = false;

  constructor(readonly number: number) {}
}

export interface Stages extends Quotient {
  readonly all: Set<Stage>;
  /** By node the stage that it is in, or that was taken away with it. */
  readonly home: (Stage | undefined)[];
  /** Global tools, which every stage holds, and the stages that every stage leads to by them. */
  readonly given: Set<Stage>;
  readonly common: Set<Stage>;
  /** By node the number of the stage that it was in after the phase. */
  readonly partOf: Record<'cycle' | 'chain', readonly (number | undefined)[]>;
}

/** By node the number of its component. A node that is an assistant already is one by itself. */
export function findComponents({ graph, successors }: Quotient): readonly number[] {
  const isOpen = (node: number) => graph.workflow.nodes[node]!.assistant === null;
  const steps = successors.map((ends, node) => (isOpen(node) ? ends.filter(isOpen) : []));
  return computeComponents(steps).of;
}

export function runPhases(
  quotient: Quotient,
  components: readonly number[],
  splits: readonly Split[],
  boundary: Boundary,
): Stages {
  const stages = joinComponents(quotient, components, splits);
  const numbers = () => stages.home.map((stage) => stage?.number);
  stages.partOf.cycle = numbers();
  joinChains(stages);
  placeTools(stages);
  joinChains(stages);
  stages.partOf.chain = numbers();
  if (boundary === 'tools') joinSameTools(stages);
  return stages;
}

/** Phase 3: a component is one stage; where answers split it, what has the same labels is one. */
function joinComponents(
  quotient: Quotient,
  components: readonly number[],
  splits: readonly Split[],
): Stages {
  const { graph, nodes, successors, talks } = quotient;
  const answered = new Map<NodeIndex, string[]>();
  for (const [number, { labels, isAnswer }] of splits.entries()) {
    for (const [node, label] of isAnswer ? labels : [])
      append(answered, node, `${number} ${label}`);
  }
  const isCut = new Set([...answered.keys()].map((node) => components[node]!));
  const parts = new Map<string, Stage>();
  const home: Stages['home'] = [];
  for (const node of nodes) {
    const own = answered.get(node)?.join(', ') ?? `alone ${node}`;
    const key = `${components[node]}: ${isCut.has(components[node]!) ? own : 'all'}`;
    const stage = parts.get(key) ?? new Stage(parts.size);
    parts.set(key, stage);
    home[node] = stage;
    stage.nodes.push(node);
    stage.talks ||= talks(node);
    stage.entered ||= node === graph.start || graph.nodeAt(node).global !== null;
  }
  for (const split of splits) {
    for (const [node, label] of split.labels) home[node]!.labels.set(split, label);
  }
  for (const node of nodes) for (const to of successors[node]!) link(home[node]!, home[to]!);
  const all = new Set(parts.values());
  const partOf = { cycle: [], chain: [] };
  return { ...quotient, all, home, given: new Set(), common: new Set(), partOf };
}

/** Phases 4 and 6: a stage and its only successor, whose only predecessor it is, are one. */
function joinChains(stages: Stages): void {
  repeat(stages, stages.nodes, (stage) => {
    const next = onlyNext(stages, stage);
    const isPair = next !== null && !next.entered && onlyBefore(stages, next) === stage;
    return isPair && join(stages, stage, next);
  });
}

/** Phase 5: stages without a talk node go to the stages that lead to them. */
function placeTools(stages: Stages): void {
  const { all, home, given, common, nodes, graph } = stages;
  const start = home[graph.start]!;
  for (const node of nodes) {
    const tool = home[node]!;
    if (!all.has(tool) || tool.talks || tool.entered) continue;
    for (const stage of tool.before) {
      for (const it of [tool, ...tool.held]) stage.held.add(it);
      for (const next of tool.next) link(stage, next);
    }
    remove(stages, tool);
  }
  for (const tool of all) {
    if (tool.talks || !tool.entered || tool === start) continue;
    for (const it of [tool, ...tool.held]) given.add(it);
    for (const next of tool.next) common.add(next);
    remove(stages, tool);
  }
  for (const stage of common) if (!all.has(stage)) common.delete(stage);
  const only = start.talks ? null : onlyNext(stages, start);
  if (only === null) return;
  // A tool that no group names is alone only until this phase.
  const lone = [...start.labels].filter(([, label]) => label < 0);
  for (const [split] of lone) start.labels.delete(split);
  if (join(stages, start, only)) return;
  for (const [split, label] of lone) start.labels.set(split, label);
}

/**
 * Boundary `tools`: v joins the stage that holds all its predecessors, unless v has tools and one of
 * them has tools and the two sets differ. What joined v before has its predecessors in v.
 */
function joinSameTools(stages: Stages): void {
  const { all, common } = stages;
  const tools = new Map([...all].map((stage) => [stage, toolsOf(stages, stage)]));
  const sets = new Set(tools.values());
  sets.delete('');
  for (const stage of all) {
    const own = tools.get(stage)!;
    const before = [...stage.before].map((it) => tools.get(it)!);
    const isAlike = common.has(stage)
      ? sets.size === 1
      : before.every((it) => it === '' || it === own);
    stage.joins = !stage.entered && (own === '' || isAlike);
  }
  // Predecessors first: where an answer keeps stages apart, it counts which joins first.
  const list = listStages(stages);
  const places = new Map(list.map((stage, place) => [stage, place]));
  const steps = list.map(({ next }) => [...next, ...common].map((stage) => places.get(stage)!));
  const order = computeComponents(steps).members.flat();
  const along = order.map((place) => list[place]!.nodes[0]!);
  repeat(stages, along, (stage) => {
    const before = stage.joins ? onlyBefore(stages, stage) : null;
    return before !== null && join(stages, before, stage);
  });
}

/** The requests, custom tools and transfers of a stage, those aside that every stage was given. */
function toolsOf({ graph, representative, given }: Stages, { nodes, held }: Stage): string {
  const found = new Set<string>();
  const own = [...held].filter((tool) => !given.has(tool));
  for (const node of [...nodes, ...own.flatMap((tool) => tool.nodes)]) {
    const { role, tools, calls } = graph.nodeAt(node);
    if (role === 'act') found.add(`node ${node}`);
    else for (const tool of tools) found.add(`given ${givenToolKey(tool)}`);
    for (const { tool } of calls) found.add(`custom ${tool}`);
    for (const to of graph.successors[node]!) {
      if (graph.nodeAt(to).type === 'transferCall') found.add(`node ${representative[to]}`);
    }
  }
  return [...found].sort().join('\n');
}

/** Steps of a phase from the stages of these nodes, one after the other, until none can be taken. */
function repeat(
  { all, home }: Stages,
  along: readonly NodeIndex[],
  step: (stage: Stage) => boolean,
): void {
  for (let size = -1; size !== all.size; ) {
    size = all.size;
    for (const node of along) while (all.has(home[node]!) && step(home[node]!));
  }
}

/** The stages as a walk first meets them. */
function listStages({ all, home, nodes }: Stages): Stage[] {
  return [...new Set(nodes.map((node) => home[node]!))].filter((stage) => all.has(stage));
}

/** Whether two stages bear different labels of one split. */
function areApart(one: Stage, other: Stage, counts: (split: Split) => boolean = () => true) {
  const [few, many] = one.labels.size < other.labels.size ? [one, other] : [other, one];
  return [...few.labels].some(
    ([split, label]) => counts(split) && (many.labels.get(split) ?? label) !== label,
  );
}

/** Makes one stage of two; false where an answer keeps them apart. */
function join(stages: Stages, first: Stage, second: Stage): boolean {
  if (areApart(first, second)) return false;
  const sizeOf = ({ nodes, next, before }: Stage) => nodes.length + next.size + before.size;
  const [into, gone] = sizeOf(first) < sizeOf(second) ? [second, first] : [first, second];
  for (const node of gone.nodes) stages.home[node] = into;
  for (const node of gone.nodes) into.nodes.push(node);
  for (const tool of gone.held) into.held.add(tool);
  for (const [split, label] of gone.labels) into.labels.set(split, label);
  for (const stage of gone.next) link(into, stage);
  for (const stage of gone.before) link(stage, into);
  if (stages.common.has(gone)) stages.common.add(into);
  into.talks ||= gone.talks;
  into.entered ||= gone.entered;
  into.joins = first.joins;
  remove(stages, gone);
  return true;
}

function remove({ all, common }: Stages, stage: Stage): void {
  for (const { before } of stage.next) before.delete(stage);
  for (const { next } of stage.before) next.delete(stage);
  all.delete(stage);
  common.delete(stage);
}

function link(from: Stage, to: Stage): void {
  if (from === to) return;
  from.next.add(to);
  to.before.add(from);
}

function onlyNext({ common }: Stages, stage: Stage): Stage | null {
  if (stage.next.size > 1 || common.size > 2) return null;
  const all = new Set([...stage.next, ...common]);
  all.delete(stage);
  return all.size === 1 ? [...all][0]! : null;
}

function onlyBefore({ all, common }: Stages, stage: Stage): Stage | null {
  // All other stages lead to a common one.
  const before = common.has(stage) ? all : stage.before;
  if (before.size > 2) return null;
  const others = [...before].filter((it) => it !== stage);
  return others.length === 1 ? others[0]! : null;
}

export function describeStages(stages: Stages, decisions: readonly Decision[]): Grouping {
  const { home, given, nodes, graph, representative, partOf } = stages;
  const list = listStages(stages);
  const everywhere = [...list.keys()];
  const holders = new Map<Stage, number[]>([...given].map((tool) => [tool, everywhere]));
  for (const [number, stage] of list.entries()) {
    const own = [stage, ...stage.held].filter((it) => !given.has(it));
    for (const held of own) append(holders, held, number);
  }
  const ready = nodes.filter((node) => graph.nodeAt(node).assistant !== null);
  const isReady = new Set(ready.map((node) => home[node]));
  const stagesOf = (node: NodeIndex): readonly number[] => {
    const stage = home[representative[node]!];
    return (stage && holders.get(stage)) ?? [];
  };
  return {
    representative,
    stageCount: list.length,
    talks: (stage) => list[stage]!.talks,
    stagesOf,
    stageOf: (node) => stagesOf(node)[0] ?? null,
    partOf: (node, phase) => partOf[phase][representative[node]!]!,
    keptApart: (one, other) => areApart(list[one]!, list[other]!, ({ isAnswer }) => isAnswer),
    isReady: (stage) => isReady.has(list[stage]),
    decisions,
  };
}
