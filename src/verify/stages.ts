/**
 * Which nodes become one assistant: section 3 of the design, phase by phase, as written there. Item
 * 2 takes its stages from here, and so do the laws, to which no phase of the compiler is known.
 *
 * In: what a call can reach, the splits that answers requested, and the boundary. Out: the
 * remaining stages, which are the assistants. A step of a phase joins two stages or removes one, so
 * each phase ends. What leads from one stage to another is read off their nodes each time.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Boundary } from '../compiler/ir/options.js';
import { type Split as Labels, maxCopiesOf, singletonLabel } from '../compiler/ir/region-map.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import { givenToolKey, onlySays } from '../compiler/ir/workflow.js';
import { diagnose } from '../diagnostics/diagnose.js';
import { append, groupBy } from '../graph/lists.js';
import { computeComponents } from '../graph/partitions.js';
import { flood } from '../graph/walks.js';
import { createOwners, type Owners } from './expected/source.js';
import type { Quotient } from './quotient.js';

/** Nodes with different labels never share an assistant. */
export interface Split {
  readonly labels: Labels;
  /** Whether an answer requested it; an assistant of the source is always split off. */
  readonly isAnswer: boolean;
}

interface Stage {
  readonly nodes: NodeIndex[];
  /** Tool-only stages that were given to it. */
  readonly held: Set<Stage>;
  readonly labels: Map<Split, string>;
}

export interface Stages extends Quotient {
  readonly all: Set<Stage>;
  /** By node the stage that contains it, or that was removed with it. */
  readonly home: (Stage | undefined)[];
  /** Global tools, which every stage has. */
  readonly given: Set<Stage>;
  /** The order in which steps are tried: walk order, or that of a law. */
  readonly along: readonly NodeIndex[];
}

/** The expected assistants: stages, numbered as a call first meets them, and their nodes. */
export interface Grouping extends Owners {
  readonly stageCount: number;
  /** The first stage that contains the node; null for an exit. */
  readonly stageOf: (node: NodeIndex) => number | null;
  /** Whether a stage has a talk node; only a start that is a tool may have none. */
  readonly talks: (stage: number) => boolean;
  /** Whether an answer keeps the two stages apart. */
  readonly keptApart: (one: number, other: number) => boolean;
}

/** Runs the phases in order; `along` are all nodes, in the order in which steps are tried. */
export function groupStages(
  quotient: Quotient,
  components: readonly number[],
  splits: readonly Split[],
  returning: readonly NodeIndex[],
  { boundary, along }: { readonly boundary: Boundary; readonly along: readonly NodeIndex[] },
): Stages {
  const stages = joinComponents({ ...quotient, along }, components, splits);
  joinReturning(stages, returning);
  joinChains(stages);
  placeTools(stages);
  joinChains(stages);
  if (boundary === 'tools') joinSameTools(stages);
  return stages;
}

/** Phase 3: a component is one stage; if answers split it, nodes with equal labels are one. */
function joinComponents(
  quotient: Quotient & Pick<Stages, 'along'>,
  components: readonly number[],
  splits: readonly Split[],
): Stages {
  const { nodes } = quotient;
  const answered = new Map<NodeIndex, string[]>();
  for (const [number, { labels, isAnswer }] of splits.entries()) {
    for (const [node, label] of isAnswer ? labels : [])
      append(answered, node, `${number} ${label}`);
  }
  const isCut = new Set(Array.from(answered.keys(), (node) => components[node]!));
  const parts = groupBy(nodes, (node): unknown => {
    const component = components[node]!;
    if (!isCut.has(component)) return component;
    return `${component}: ${answered.get(node)?.join(', ') ?? singletonLabel(node)}`;
  });
  const home: Stages['home'] = [];
  for (const members of parts.values()) {
    const stage: Stage = { nodes: members, held: new Set(), labels: new Map() };
    for (const node of members) home[node] = stage;
  }
  for (const split of splits) {
    for (const [node, label] of split.labels) home[node]!.labels.set(split, label);
  }
  const all = new Set(nodes.map((node) => home[node]!));
  return { ...quotient, all, home, given: new Set() };
}

/** Joins the stage of a global node with all that edges reach from it, if an answer says so. */
function joinReturning(stages: Stages, globals: readonly NodeIndex[]): void {
  const { home, graph } = stages;
  const reached = globals.map((global) => {
    const all = flood([home[global]!], (it) => nextOf(stages, it));
    const nodes = [...all].flatMap((stage) => stage.nodes);
    return { global, nodes: nodes.sort((a, b) => graph.rank[a]! - graph.rank[b]!) };
  });
  for (const { global, nodes } of reached) {
    for (const node of nodes) {
      if (home[node] !== home[global]) join(stages, home[global]!, home[node]!);
    }
  }
}

/** Phases 4 and 6: joins a stage and its only successor, if it is that one's only predecessor. */
function joinChains(stages: Stages): void {
  repeat(stages, stages.along, (stage) => {
    const next = soleOf(nextOf(stages, stage));
    if (next === null || isEntered(stages, next)) return false;
    return soleOf(beforeOf(stages, next)) === stage && join(stages, stage, next);
  });
}

/** Phase 5: stages without a talk node go to the stages that lead to them, global ones to all. */
function placeTools(stages: Stages): void {
  const { all, home, given, along, graph } = stages;
  const start = home[graph.start]!;
  const give = (tool: Stage, users: ReadonlySet<Stage>): void => {
    all.delete(tool);
    for (const { held } of users) for (const it of [tool, ...tool.held]) held.add(it);
  };
  for (const tool of along.map((node) => home[node]!)) {
    const isTool = all.has(tool) && !talks(stages, tool) && !isEntered(stages, tool);
    if (isTool) give(tool, beforeOf(stages, tool));
  }
  for (const tool of all) {
    if (tool === start || talks(stages, tool)) continue;
    give(tool, all);
    for (const it of [tool, ...tool.held]) given.add(it);
  }
  const only = talks(stages, start) ? null : soleOf(nextOf(stages, start));
  if (only === null) return;
  // A tool outside all groups is kept alone only until this phase.
  const lone = [...start.labels].filter(([, label]) =>
    start.nodes.some((node) => label === singletonLabel(node)),
  );
  for (const [split] of lone) start.labels.delete(split);
  if (join(stages, start, only)) return;
  for (const [split, label] of lone) start.labels.set(split, label);
}

/** The limit of copies, checked before anything is expected of each of them. */
export function checkSize({ graph, all, given }: Stages): Diagnostic | null {
  const { workflow, globals, nodeAt } = graph;
  const most = maxCopiesOf(workflow);
  const held = [...all].flatMap((stage) => [...stage.held]).filter((tool) => !given.has(tool));
  const tools = held.reduce((sum, { nodes }) => sum + nodes.length, 0);
  if (Math.max(tools, all.size * globals.length) <= most) return null;
  const entered = tools > most ? [] : globals.map(nodeAt);
  const args = { most, assistants: all.size, globals: entered.length };
  return diagnose('lower/too-large', entered[0]?.at ?? workflow.at, args);
}

/**
 * Boundary `tools`: v joins the stage that contains all its predecessors, unless v and one of them
 * have tools and the sets differ. Stages that joined v before have their predecessors in v.
 */
function joinSameTools(stages: Stages): void {
  const tools = new Map(Array.from(stages.all, (stage) => [stage, toolsOf(stages, stage)]));
  const joins = ([stage, own]: readonly [Stage, string]) => {
    const isAlike = (before: Stage) => tools.get(before) === '' || tools.get(before) === own;
    const hasSame = own === '' || [...beforeOf(stages, stage)].every(isAlike);
    return hasSame && !isEntered(stages, stage);
  };
  const joining = new Set([...tools].filter(joins).map(([stage]) => stage));
  // Predecessors first: if an answer keeps stages apart, the order of joining matters.
  const list = inWalkOrder(stages);
  const places = new Map(list.map((stage, place) => [stage, place]));
  const steps = list.map((it) => [...nextOf(stages, it)].map((stage) => places.get(stage)!));
  const along = computeComponents(steps).members.flat();
  const first = along.map((place) => list[place]!.nodes[0]!);
  repeat(stages, first, (stage) => {
    const before = joining.has(stage) ? soleOf(beforeOf(stages, stage)) : null;
    return before !== null && join(stages, before, stage);
  });
}

/** The requests, custom tools and transfers of a stage, without tools given to every stage. */
function toolsOf({ graph, representative, given }: Stages, { nodes, held }: Stage): string {
  const found = new Set<string>();
  const own = [...held].filter((tool) => !given.has(tool));
  for (const node of [...nodes, ...own.flatMap((tool) => tool.nodes)]) {
    const it = graph.nodeAt(node);
    const { role, tools, calls } = it;
    if (role === 'act' && !onlySays(it)) found.add(`node ${node}`);
    else for (const tool of tools) found.add(`given ${givenToolKey(tool)}`);
    for (const { tool } of calls) found.add(`custom ${tool}`);
    for (const to of graph.successors[node]!) {
      if (graph.nodeAt(to).type === 'transferCall') found.add(`node ${representative[to]}`);
    }
  }
  return [...found].sort().join('\n');
}

/** Repeats a step from the stages of these nodes, one after the other, until none is possible. */
function repeat(
  { all, home }: Stages,
  along: readonly NodeIndex[],
  step: (stage: Stage) => boolean,
): void {
  for (let size = -1; size !== all.size; ) {
    size = all.size;
    for (const stage of new Set(along.map((node) => home[node]!)))
      while (all.has(stage) && step(stage));
  }
}

/** The stages in walk order. */
function inWalkOrder({ all, home, nodes }: Stages): Stage[] {
  return [...new Set(nodes.map((node) => home[node]!))].filter((stage) => all.has(stage));
}

/** Whether it contains the start or a global node. */
function isEntered({ graph }: Stages, { nodes }: Stage): boolean {
  return nodes.some((node) => node === graph.start || graph.nodeAt(node).global !== null);
}

const talks = ({ graph }: Stages, { nodes }: Stage) =>
  nodes.some((node) => graph.nodeAt(node).role === 'talk');

/** The stages that edges lead to, from its nodes or from tools that were given to it. */
function nextOf({ all, home, successors }: Stages, stage: Stage): Set<Stage> {
  const own = [stage, ...stage.held].flatMap(({ nodes }) => nodes);
  const ends = own.flatMap((node) => successors[node]!.map((to) => home[to]!));
  return new Set(ends.filter((it) => it !== stage && all.has(it)));
}

/** The stages from which edges lead to it. */
function beforeOf({ all, home, predecessors }: Stages, stage: Stage): Set<Stage> {
  const from = new Set(stage.nodes.flatMap((node) => predecessors[node]!.map((it) => home[it]!)));
  const holding = [...from].flatMap((it) =>
    all.has(it) ? it : [...all].filter(({ held }) => held.has(it)),
  );
  return new Set(holding.filter((it) => it !== stage));
}

/** Returns true if two stages have different labels of one split. */
function mustStaySeparate(one: Stage, other: Stage, counts = (_: Split): boolean => true) {
  return [...one.labels].some(
    ([split, label]) => counts(split) && (other.labels.get(split) ?? label) !== label,
  );
}

/** Joins the second stage to the first; false if an answer keeps them apart. */
function join({ all, home }: Stages, first: Stage, second: Stage): boolean {
  if (mustStaySeparate(first, second)) return false;
  for (const node of second.nodes) home[node] = first;
  for (const node of second.nodes) first.nodes.push(node);
  for (const tool of second.held) first.held.add(tool);
  for (const [split, label] of second.labels) first.labels.set(split, label);
  all.delete(second);
  return true;
}

function soleOf(stages: ReadonlySet<Stage>): Stage | null {
  const [only = null] = stages;
  return stages.size === 1 ? only : null;
}

export function describeStages(stages: Stages): Grouping {
  const { representative } = stages;
  const list = inWalkOrder(stages);
  const homes: Set<number>[] = [];
  for (const [number, stage] of list.entries()) {
    for (const node of [stage, ...stage.held].flatMap((it) => it.nodes)) {
      homes[node] = (homes[node] ?? new Set()).add(number);
    }
  }
  const owners = createOwners(homes, (node) => representative[node]!);
  return {
    ...owners,
    stageCount: list.length,
    stageOf: (node) => {
      const [first = null] = owners.of(node);
      return first;
    },
    talks: (stage) => talks(stages, list[stage]!),
    keptApart: (one, other) =>
      mustStaySeparate(list[one]!, list[other]!, ({ isAnswer }) => isAnswer),
  };
}
