/**
 * How nodes are grouped into assistants, phase by phase as defined.
 *
 * Stages are sets of nodes, and one leads to another if an edge does. Within a phase the next step
 * is any possible step: random numbers choose. The result must not depend on the numbers, and must
 * equal the compiler's. Nothing here is fast, and the only code shared with the compiler is the
 * refinement of partitions.
 */
import { nodeOf } from '../call/machine.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { refine } from '../graph/partitions.js';
import { flood } from '../graph/walks.js';
import type { JsonPointer } from '../text/pointer.js';
import type { Settlement } from './answering.js';
import { edgesOf, readGraph } from './law.js';
import { drawing, wheel } from './pick.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** What the definition is applied to, besides the workflow. */
export interface GroupingOptions {
  /** The questions and answers; none by default. */
  readonly settlement?: Pick<Settlement, 'asked' | 'answers' | 'options'>;
  readonly boundary?: 'branch' | 'tools';
  /** They choose among possible steps; the result does not depend on them. */
  readonly numbers?: readonly number[];
}

/**
 * The assistants of a workflow by the definition, as ids of their nodes, exits included; null if an
 * answer puts equal nodes into different groups, or separates a node that reads. Slow: for small
 * workflows.
 */
export function referenceGrouping(
  workflow: SpecWorkflow,
  options: GroupingOptions = {},
): string[][] | null {
  const {
    settlement = { asked: [], answers: {}, options: {} },
    boundary = 'branch',
    numbers = [],
  } = options;
  const graph = readGraph(workflow, settlement.options);
  const first = representatives(graph);
  const stand = (node: number): number => first.get(node) ?? node;
  const edges = edgesOf(graph).map(({ from, to }) => ({ from: stand(from), to: stand(to) }));
  const [stages, given, next] = [new Set<Stage>(), new Set<number>(), drawing(numbers)];
  const phases: Phases = { graph, edges, stages, given, choose: (all) => wheel(all, next()) };
  if (!components(phases, settlement, stand)) return null;
  if (!returning(phases, settlement)) return null;
  chains(phases);
  toolOnlyStages(phases);
  chains(phases);
  const alone = [...phases.stages].map((stage) => [stage]);
  const groups = boundary === 'tools' ? joinByTools(phases, alone) : alone;
  return groups.map((group) => {
    const held = new Set(group.flatMap(({ nodes }) => [...nodes]));
    const left = edges.filter(({ from }) => held.has(from)).map(({ to }) => to);
    const exits = [...left, ...graph.globals.map(stand)];
    for (const exit of exits) if (nodeOf(graph, exit).role === 'exit') held.add(exit);
    const owned = [...first.keys()].filter((node) => held.has(stand(node)));
    return owned.map((node) => nodeOf(graph, node).id);
  });
}

/**
 * For each reachable node the first of the nodes that behave the same: they look alike, and each
 * step of one corresponds to a step of the other to a node that behaves the same.
 */
export function representatives(graph: FlowGraph): ReadonlyMap<number, number> {
  const look = (index: number): string => {
    const { index: _, id, at, name, nameAt, ...rest } = nodeOf(graph, index);
    if (index === graph.start || rest.global !== null) return `only ${id}`;
    return JSON.stringify(rest, withoutPlaces);
  };
  const nodes: readonly number[] = [...graph.order].sort((a, b) => a - b);
  const arcs = nodes.map((node) =>
    graph.leaving[node]!.map(({ to, condition }) => {
      return { label: JSON.stringify(condition, withoutPlaces), to: nodes.indexOf(to) };
    }),
  );
  const classes = refine(nodes.map(look), arcs);
  return new Map(nodes.map((node, at) => [node, nodes[classes.indexOf(classes[at]!)]!]));
}

/** A part of a node without its places; an empty text counts as absent. */
function withoutPlaces(key: string, part: unknown): unknown {
  if (/^(?:at|origin|places|uses|changedBy|sourceAt|question)$/.test(key)) return undefined;
  if (typeof part !== 'object' || part === null || !('value' in part)) return part;
  if ('uses' in part && part.value === '') return null;
  return 'origin' in part ? JSON.stringify(part.value) : part;
}

interface Stage {
  readonly nodes: Set<number>;
  /** By component, the group from an answer: two groups of a component stay apart. */
  readonly groups: Map<number, number>;
}

interface Phases {
  readonly graph: FlowGraph;
  /** Between the representatives of equal nodes. */
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  readonly stages: Set<Stage>;
  /** Global tools that every stage has been given: they do not make a stage global. */
  readonly given: Set<number>;
  readonly choose: <T>(possible: readonly T[]) => T;
}

/**
 * Phases 1 to 3: one stage for each component, or as an answer groups it; exits are in none. False
 * if two groups share a node. A node outside all groups is alone; a group without a talk node is no
 * assistant and is ignored.
 */
function components(
  { graph, edges, stages }: Phases,
  { asked, answers }: Pick<Settlement, 'asked' | 'answers'>,
  stand: (node: number) => number,
): boolean {
  const isTalking = (node: number): boolean => nodeOf(graph, node).role === 'talk';
  const all = [...new Set([...graph.order].sort((a, b) => a - b).map(stand))];
  const nodes = all.filter((node) => nodeOf(graph, node).role !== 'exit');
  const leads = (from: number, to: number): boolean => reach([from], edges).has(to);
  const indexOf = (id: string) => graph.workflow.nodes.findIndex((each) => each.id === id);
  for (const node of nodes) {
    if ([...stages].some((stage) => stage.nodes.has(node))) continue;
    const component = nodes.filter((other) => leads(node, other) && leads(other, node));
    const question = asked.find(
      ({ kind, at }) =>
        kind === 'cyclic-stages' && nodesAt(at).some((each) => component.includes(stand(each))),
    );
    const { choice, value } = (question && answers[question.id]) ?? {};
    const named = choice === 'group' ? (value as string[][]) : [];
    const wanted = named.map((ids) => [...new Set(ids.map(indexOf).map(stand))]);
    const isSplit = choice === 'keep-split' || choice === 'group';
    const isWhole = !isSplit || component.filter(isTalking).length < 2;
    if (!isWhole && new Set(wanted.flat()).size < wanted.flat().length) return false;
    const groups = isWhole ? [component] : wanted.filter((group) => group.some(isTalking));
    const alone = component.filter((each) => !groups.flat().includes(each));
    for (const [number, group] of [...groups, ...alone.map((each) => [each])].entries())
      stages.add({ nodes: new Set(group), groups: new Map([[node, number]]) });
  }
  return true;
}

/** After phase 3; false if an answer requests what is not defined here. */
function returning(phases: Phases, { asked, answers }: Pick<Settlement, 'asked' | 'answers'>) {
  for (const { id, kind } of asked) {
    const choice = answers[id]?.choice;
    if (kind === 'read-too-early' && choice === 'keep-split') return false;
    if (kind !== 'global-returns' || choice !== 'consolidate') continue;
    const { nodes } = phases.graph.workflow;
    const global = nodes.findIndex((node) => id === `global-returns:${node.id}`);
    const own = [...phases.stages].find((stage) => stage.nodes.has(global))!;
    const reached = () => neighbours(phases, own, 'to').filter((stage) => !keptApart(own, stage));
    untilNone(phases, reached, (stage) => join(phases, own, stage));
  }
  return true;
}

/** The other stages that an edge leads to, or from, a stage. */
function neighbours({ edges, stages }: Phases, stage: Stage, end: 'from' | 'to'): Stage[] {
  return [...stages].filter((other) => {
    const [{ nodes }, next] = end === 'to' ? [stage, other] : [other, stage];
    return edges.some(({ from, to }) => nodes.has(from) && !nodes.has(to) && next.nodes.has(to));
  });
}

function keptApart(a: Stage, b: Stage): boolean {
  return [...a.groups].some(([component, group]) => (b.groups.get(component) ?? group) !== group);
}

function holds({ graph, given }: Phases, { nodes }: Stage, what: 'talk' | 'start' | 'global') {
  const test = {
    talk: (node: number) => nodeOf(graph, node).role === 'talk',
    start: (node: number) => node === graph.start,
    global: (node: number) => nodeOf(graph, node).global !== null && !given.has(node),
  };
  return [...nodes].some(test[what]);
}

/** Removes a stage, and gives its nodes to others. */
function moveInto({ stages }: Phases, stage: Stage, others: Iterable<Stage>): void {
  stages.delete(stage);
  for (const other of others) {
    for (const node of stage.nodes) other.nodes.add(node);
  }
}

function join(phases: Phases, first: Stage, second: Stage): void {
  moveInto(phases, second, [first]);
  for (const [component, group] of second.groups) first.groups.set(component, group);
}

/** Repeats steps until none is possible; each step removes a stage. */
function untilNone<T>({ choose }: Phases, possible: () => readonly T[], step: (one: T) => void) {
  for (let list = possible(); list.length > 0; list = possible()) step(choose(list));
}

/** Phases 4 and 6. */
function chains(phases: Phases): void {
  const pairs = () =>
    [...phases.stages].flatMap((u) => {
      const [v, ...others] = neighbours(phases, u, 'to');
      const isChain =
        v !== undefined &&
        others.length + neighbours(phases, v, 'from').length === 1 &&
        !holds(phases, v, 'start') &&
        !holds(phases, v, 'global') &&
        !keptApart(u, v);
      return isChain ? [[u, v] as const] : [];
    });
  untilNone(phases, pairs, ([u, v]) => join(phases, u, v));
}

/** Phase 5: first tools between stages, then global tools, last a tool-only start. */
function toolOnlyStages(phases: Phases): void {
  const { stages, given } = phases;
  const without = (...kinds: readonly ('talk' | 'start' | 'global')[]): Stage[] =>
    [...stages].filter((stage) => !kinds.some((kind) => holds(phases, stage, kind)));
  const onTheWay = () => without('talk', 'start', 'global');
  untilNone(phases, onTheWay, (stage) =>
    moveInto(phases, stage, neighbours(phases, stage, 'from')),
  );
  const atAnyTime = () => without('talk', 'start');
  untilNone(phases, atAnyTime, (stage) => {
    moveInto(phases, stage, stages);
    for (const node of stage.nodes) given.add(node);
  });
  const [start] = without('talk');
  const [only, ...others] = start === undefined ? [] : neighbours(phases, start, 'to');
  if (start && only && others.length === 0) join(phases, only, start);
}

/** Boundary `tools`: lists of the stages that become one assistant. */
function joinByTools(phases: Phases, alone: readonly Stage[][]): Stage[][] {
  const groupOf = new Map(alone.map((group) => [group[0]!, group]));
  const home = (v: Stage): Stage[] | null => {
    const before = neighbours(phases, v, 'from');
    const homes = new Set(before.map((atom) => groupOf.get(atom)!));
    // A stage that joined it before, and leads back through a given tool, does not count.
    const own = groupOf.get(v)!;
    homes.delete(own);
    const [only, ...others] = homes;
    const mayJoin =
      others.length === 0 &&
      !holds(phases, v, 'start') &&
      !holds(phases, v, 'global') &&
      !before.some((atom) => toolsDiffer(phases, v, atom)) &&
      !only?.some((a) => own.some((b) => keptApart(a, b)));
    return (mayJoin && only) || null;
  };
  const joinable = (): Stage[] => [...groupOf.keys()].filter((atom) => home(atom) !== null);
  untilNone(phases, joinable, (v) => {
    const to = home(v)!;
    for (const atom of groupOf.get(v)!) {
      to.push(atom);
      groupOf.set(atom, to);
    }
  });
  return [...new Set(groupOf.values())];
}

/** True if both have tools or transfers of their own, and different ones. */
function toolsDiffer({ graph, edges, given }: Phases, a: Stage, b: Stage): boolean {
  const [left, right] = [a, b].map(({ nodes }) => {
    const own = [...nodes].filter((node) => !given.has(node));
    const ends = edges.filter(({ from }) => own.includes(from)).map(({ to }) => to);
    const tools = own.filter((node) => /^(?:apiRequest|tool)$/.test(nodeOf(graph, node).type));
    const transfers = ends.filter((to) => nodeOf(graph, to).type === 'transferCall');
    return [...new Set([...tools, ...transfers])].sort().join();
  });
  return left !== '' && right !== '' && left !== right;
}

/** Everything that edges reach from these nodes, including the nodes themselves. */
export function reach(
  from: readonly number[],
  edges: readonly { readonly from: number; readonly to: number }[],
): Set<number> {
  return flood(from, (node) => edges.filter((edge) => edge.from === node).map(({ to }) => to));
}

/** The nodes that a question is about, by its places. */
export function nodesAt(places: readonly JsonPointer[]): number[] {
  return places.flatMap((place) => /^\/nodes\/(\d+)/.exec(place)?.slice(1).map(Number) ?? []);
}
