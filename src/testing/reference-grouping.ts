/**
 * How nodes are grouped into assistants, written down phase by phase as DESIGN 3 states it.
 *
 * Stages are sets of nodes, and one leads to another where an edge does. Inside a phase the next step
 * is any step that may be taken: a list of random numbers says which. The result must not depend on
 * the numbers, and the compiler's must be the same. Nothing here is fast, and of the compiler it
 * shares the refinement of partitions alone.
 */
import { refine } from '../graph/partitions.js';
import {
  isExit,
  isTalk,
  nodeOf,
  reach,
  type Source,
  type SpecWorkflow,
} from '../simulator/workflow.js';
import { type Answered, nodesAt, readAnswered } from './answered.js';
import { drawing, wheel } from './pick.js';

/** What the definition is applied to, beside the workflow. */
export interface GroupingOptions {
  /** What was asked and answered; nothing unless given. */
  readonly settlement?: Answered;
  readonly boundary?: 'branch' | 'tools';
  /** Decide which step is taken where several may be; the result does not depend on them. */
  readonly numbers?: readonly number[];
}

/**
 * The assistants that a workflow gives by the definition, as ids of their nodes, exits included;
 * null where an answer puts equal nodes into different groups. Slow: for small workflows.
 */
export function referenceGrouping(
  workflow: SpecWorkflow,
  options: GroupingOptions = {},
): string[][] | null {
  const { settlement = { asked: [], answers: {} }, boundary = 'branch', numbers = [] } = options;
  const source = readAnswered(workflow, settlement);
  const first = representatives(source, settlement);
  const stand = (node: number): number => first.get(node) ?? node;
  const edges = source.edges.map(({ from, to }) => ({ from: stand(from), to: stand(to) }));
  const [stages, given, next] = [new Set<Stage>(), new Set<number>(), drawing(numbers)];
  const phases: Phases = { source, edges, stages, given, choose: (all) => wheel(all, next()) };
  if (!components(phases, settlement, stand)) return null;
  chains(phases);
  toolOnlyStages(phases);
  chains(phases);
  const alone = [...phases.stages].map((stage) => [stage]);
  const groups = boundary === 'tools' ? joinByTools(phases, alone) : alone;
  return groups.map((group) => {
    const held = new Set(group.flatMap(({ nodes }) => [...nodes]));
    const left = edges.filter(({ from }) => held.has(from)).map(({ to }) => to);
    const exits = [...left, ...source.globals.map(stand)];
    for (const exit of exits) if (isExit(nodeOf(source, exit))) held.add(exit);
    const owned = [...first.keys()].filter((node) => held.has(stand(node)));
    return owned.map((node) => nodeOf(source, node).id);
  });
}

/**
 * For each reachable node the first of the nodes that behave the same: they look alike, and each step
 * of one is answered by a step of the other to a node that behaves the same.
 */
export function representatives(
  source: Source,
  { asked, answers }: Answered,
): ReadonlyMap<number, number> {
  /** Answers that change what a node or an edge is, and are no part of its texts by now. */
  const answersAbout = (place: string): unknown[] =>
    asked
      .filter(({ kind }) => !/^(?:cyclic|ambiguous|undefined)-/.test(kind))
      .filter(({ at }) => at.some((each) => `${each}/`.startsWith(`${place}/`)))
      .map(({ kind, id }) => [kind, answers[id]] as const)
      .filter(([, answer]) => answer?.choice !== 'best-effort');
  const look = (index: number): string => {
    const { id, name: _, ...rest } = nodeOf(source, index);
    if (index === source.start || rest.isGlobal) return `only ${id}`;
    const fields = Object.entries(rest).filter(([, value]) => value !== '' && value !== undefined);
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([fields, answersAbout(`/nodes/${index}`)]);
  };
  const nodes = [...source.reachable].sort((a, b) => a - b);
  const arcs = nodes.map((node) =>
    source.edges
      .filter(({ from }) => from === node)
      .map(({ index, to, condition }) => {
        const label = JSON.stringify([condition ?? null, answersAbout(`/edges/${index}`)]);
        return { label, to: nodes.indexOf(to) };
      }),
  );
  const classes = refine(nodes.map(look), arcs);
  return new Map(nodes.map((node, at) => [node, nodes[classes.indexOf(classes[at]!)]!]));
}

interface Stage {
  readonly nodes: Set<number>;
  /** By component, the group that an answer gave it: two groups of a component stay apart. */
  readonly groups: Map<number, number>;
}

interface Phases {
  readonly source: Source;
  /** Between the first ones of equal nodes. */
  readonly edges: readonly { readonly from: number; readonly to: number }[];
  readonly stages: Set<Stage>;
  /** Global tools that every stage has been given: they make no stage a global one. */
  readonly given: Set<number>;
  readonly choose: <T>(possible: readonly T[]) => T;
}

/**
 * Phases 1 to 3: one stage for each component, or as an answer groups it; exits are in none. False
 * where two groups share a node. A node that no group names is alone; without a talk node a group is
 * no assistant, and unnamed.
 */
function components(
  { source, edges, stages }: Phases,
  { asked, answers }: Answered,
  stand: (node: number) => number,
): boolean {
  const isTalking = (node: number): boolean => isTalk(nodeOf(source, node));
  const all = [...new Set([...source.reachable].sort((a, b) => a - b).map(stand))];
  const nodes = all.filter((node) => !isExit(nodeOf(source, node)));
  const leads = (from: number, to: number): boolean => reach([from], edges).has(to);
  const indexOf = (id: string) => source.workflow.nodes.findIndex((each) => each.id === id);
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

function holds({ source, given }: Phases, { nodes }: Stage, what: 'talk' | 'start' | 'global') {
  const test = {
    talk: (node: number) => isTalk(nodeOf(source, node)),
    start: (node: number) => node === source.start,
    global: (node: number) => source.globals.includes(node) && !given.has(node),
  };
  return [...nodes].some(test[what]);
}

/** Takes a stage away, and gives its nodes to others. */
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

/** Steps until none is possible; each step takes a stage away. */
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

/** Phase 5: first tools on the way, then global tools, last a tool-only start. */
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
    // What joined it before, and leads back through a given tool, does not keep it apart.
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

/** Whether both have tools or transfers of their own, and not the same ones. */
function toolsDiffer({ source, edges, given }: Phases, a: Stage, b: Stage): boolean {
  const [left, right] = [a, b].map(({ nodes }) => {
    const own = [...nodes].filter((node) => !given.has(node));
    const ends = edges.filter(({ from }) => own.includes(from)).map(({ to }) => to);
    const tools = own.filter((node) => !isTalk(nodeOf(source, node)));
    const transfers = ends.filter((to) => nodeOf(source, to).type === 'transferCall');
    return [...new Set([...tools, ...transfers])].sort().join();
  });
  return left !== '' && right !== '' && left !== right;
}
