/**
 * How nodes are grouped into assistants, written down phase by phase as DESIGN 3 states it.
 *
 * Stages are sets with links to each other, and inside a phase the next step is any step that may be
 * taken: a list of random numbers says which. The result must not depend on the numbers, and the
 * compiler's must be the same. Nothing here is fast, and nothing is shared with the compiler.
 */
import { isExit, isTalk, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { nodeOf, reach, type Source, type SourceEdge } from '../simulator/workflow.js';
import { type Answered, nodesAt, readAnswered } from './answered.js';
import { wheel } from './pick.js';

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
  let drawn = 0;
  const choose = <T>(possible: readonly T[]): T => {
    drawn += 1;
    return wheel(possible, numbers.length > 0 ? wheel(numbers, drawn) : 0);
  };
  const source = readAnswered(workflow, settlement);
  const first = representatives(source, settlement);
  const phases: Phases = { source, settlement, first, stages: new Set(), given: new Set(), choose };
  if (!components(phases)) return null;
  chains(phases);
  toolOnlyStages(phases);
  chains(phases);
  const atoms = [...phases.stages];
  const groups = boundary === 'tools' ? joinByTools(phases, atoms) : atoms.map((each) => [each]);
  return groups.map((stages) => {
    const owned = ownedBy(phases, stages);
    return workflow.nodes.flatMap(({ id }, index) => (owned.has(index) ? [id] : []));
  });
}

interface Stage {
  readonly nodes: Set<number>;
  readonly next: Set<Stage>;
  /** Groups of split components that it holds, as component and group. */
  readonly groups: Map<number, number>;
  /** The split component of a tool that no group names: it joins nothing before phase 5. */
  waits: number | null;
}

interface Phases {
  readonly source: Source;
  readonly settlement: Answered;
  /** For each node the first of its equals. */
  readonly first: ReadonlyMap<number, number>;
  readonly stages: Set<Stage>;
  /** Global tools that every stage has been given: they make no stage a global one. */
  readonly given: Set<number>;
  readonly choose: <T>(possible: readonly T[]) => T;
}

/**
 * For each reachable node the first of the nodes that behave the same: the largest relation in which
 * related nodes look alike and each step of one is answered by a step of the other to a related node.
 */
export function representatives(source: Source, { asked, answers }: Answered) {
  const nodes = [...source.reachable].sort((a, b) => a - b);
  /** Answers that change what a node or an edge is, as against how nodes are grouped. */
  const answersAbout = (place: string): unknown[] =>
    asked
      .filter(({ kind }) => kind !== 'cyclic-stages' && kind !== 'ambiguous-start')
      .filter(({ at }) => at.some((each) => each === place || each.startsWith(`${place}/`)))
      .map(({ kind, id }) => [kind, answers[id]] as const)
      .filter(([, answer]) => answer?.choice !== 'caller' && answer?.choice !== 'best-effort');
  const look = (index: number): string => {
    const { id, name: _, ...rest } = nodeOf(source, index);
    if (index === source.start || rest.isGlobal) return `only ${id}`;
    const fields = Object.entries(rest).filter(([, value]) => value !== '');
    fields.sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify([fields, answersAbout(`/nodes/${index}`)]);
  };
  const label = ({ index, condition }: SourceEdge): string =>
    JSON.stringify([condition ?? null, answersAbout(`/edges/${index}`)]);
  const looks = new Map(nodes.map((node) => [node, look(node)]));
  const alike = (a: number, b: number) => a === b || looks.get(a) === looks.get(b);
  const related = new Map(
    nodes.map((a) => [a, new Set(nodes.filter((other) => alike(a, other)))] as const),
  );
  const from = (node: number) => source.edges.filter((edge) => edge.from === node);
  const follows = (a: number, b: number): boolean =>
    from(a).every((step) =>
      from(b).some((other) => label(step) === label(other) && related.get(step.to)?.has(other.to)),
    );
  for (let shrunk = true; shrunk; ) {
    shrunk = false;
    for (const [a, others] of related) {
      for (const b of others) {
        if (follows(a, b) && follows(b, a)) continue;
        others.delete(b);
        shrunk = true;
      }
    }
  }
  return new Map(nodes.map((b) => [b, nodes.find((a) => related.get(a)?.has(b)) ?? b]));
}

/** Phases 1 to 3: one stage for each component, or as an answer groups it; exits are in none. */
function components(phases: Phases): boolean {
  const { source, first, stages } = phases;
  const stand = (node: number): number => first.get(node) ?? node;
  const isStage = (node: number): boolean => !isExit(nodeOf(source, node));
  const edges = source.edges
    .filter(({ to }) => isStage(to))
    .map(({ from, to }) => ({ from: stand(from), to: stand(to) }));
  const nodes = [...new Set(first.values())].filter(isStage);
  const beyond = new Map(nodes.map((node) => [node, reach([node], edges)]));
  const placed = new Map<number, Stage>();
  for (const node of nodes) {
    if (placed.has(node)) continue;
    const component = nodes.filter(
      (other) => beyond.get(node)?.has(other) && beyond.get(other)?.has(node),
    );
    const made = stagesOf(phases, component);
    if (made === null) return false;
    for (const stage of made) {
      stages.add(stage);
      for (const member of stage.nodes) placed.set(member, stage);
    }
  }
  for (const { from, to } of edges) link(placed.get(from), placed.get(to));
  return true;
}

function stagesOf(phases: Phases, nodes: readonly number[]): Stage[] | null {
  const talking = nodes.filter((node) => isTalk(nodeOf(phases.source, node)));
  const answered = talking.length < 2 ? null : groupsByAnswer(phases, nodes);
  const stage = (held: readonly number[], groups: [number, number][] = [], waits = -1): Stage => ({
    nodes: new Set(held),
    next: new Set(),
    groups: new Map(groups),
    waits: waits < 0 ? null : waits,
  });
  if (answered === null) return [stage(nodes)];
  if (new Set(answered.flat()).size < answered.flat().length) return null;
  // Without a talk node a group is no assistant: its tools count as unnamed.
  const groups = answered.filter((group) => group.some((node) => talking.includes(node)));
  const named = groups.flat();
  const alone = talking.filter((node) => !named.includes(node)).map((node) => [node]);
  const tools = nodes.filter((node) => !named.includes(node) && !talking.includes(node));
  const component = nodes[0]!;
  return [
    ...[...groups, ...alone].map((group, number) => stage(group, [[component, number]])),
    ...tools.map((tool) => stage([tool], [], component)),
  ];
}

/** The groups that an answer keeps apart; null where the component stays together. */
function groupsByAnswer(phases: Phases, nodes: readonly number[]): number[][] | null {
  const { asked, answers } = phases.settlement;
  const stand = (node: number): number => phases.first.get(node) ?? node;
  const question = asked.find(
    ({ kind, at }) =>
      kind === 'cyclic-stages' && nodesAt(at).some((node) => nodes.includes(stand(node))),
  );
  const answer = question && answers[question.id];
  if (answer?.choice === 'keep-split') return [];
  if (answer?.choice !== 'group') return null;
  const position = (id: string): number =>
    stand(phases.source.workflow.nodes.findIndex((node) => node.id === id));
  return (answer.value as string[][]).map((ids) => [...new Set(ids.map(position))]);
}

function link(from: Stage | undefined, to: Stage | undefined): void {
  if (from && to && from !== to) from.next.add(to);
}

function previous({ stages }: Phases, stage: Stage): Stage[] {
  return [...stages].filter(({ next }) => next.has(stage));
}

function keptApart(a: Stage, b: Stage): boolean {
  return [...a.groups].some(([component, group]) => (b.groups.get(component) ?? group) !== group);
}

function holds({ source, given }: Phases, stage: Stage, what: 'talk' | 'start' | 'global') {
  const test = {
    talk: (node: number) => isTalk(nodeOf(source, node)),
    start: (node: number) => node === source.start,
    global: (node: number) => source.globals.includes(node) && !given.has(node),
  };
  return [...stage.nodes].some(test[what]);
}

/** Gives `stage` the nodes and the ways on of `other`. */
function absorb(stage: Stage, other: Stage): void {
  for (const node of other.nodes) stage.nodes.add(node);
  for (const after of other.next) link(stage, after);
}

function remove({ stages }: Phases, stage: Stage): void {
  stages.delete(stage);
  for (const { next } of stages) next.delete(stage);
}

/** Puts `second` into `first`; what led to one now leads to both. */
function join(phases: Phases, first: Stage, second: Stage): void {
  for (const before of previous(phases, second)) link(before, first);
  absorb(first, second);
  for (const [component, group] of second.groups) first.groups.set(component, group);
  first.waits = null;
  remove(phases, second);
}

/** Steps until none is possible; each step takes a stage away. */
function untilNone<T>({ choose }: Phases, possible: () => readonly T[], step: (one: T) => void) {
  for (let list = possible(); list.length > 0; list = possible()) step(choose(list));
}

/** Phases 4 and 6. */
function chains(phases: Phases): void {
  const follows = (u: Stage, v: Stage): boolean =>
    u.next.size === 1 &&
    previous(phases, v).length === 1 &&
    !holds(phases, v, 'start') &&
    !holds(phases, v, 'global') &&
    !keptApart(u, v) &&
    u.waits === null &&
    v.waits === null;
  const pairs = () =>
    [...phases.stages].flatMap((u) =>
      [...u.next].filter((v) => follows(u, v)).map((v) => [u, v] as const),
    );
  untilNone(phases, pairs, ([u, v]) => join(phases, u, v));
}

/** Phase 5: first tools on the way, then global tools, last a tool-only start. */
function toolOnlyStages(phases: Phases): void {
  const without = (...kinds: readonly ('talk' | 'start' | 'global')[]): Stage[] =>
    [...phases.stages].filter((stage) => !kinds.some((kind) => holds(phases, stage, kind)));
  const onTheWay = () => without('talk', 'start', 'global');
  untilNone(phases, onTheWay, (stage) => {
    for (const before of previous(phases, stage)) absorb(before, stage);
    remove(phases, stage);
  });
  const globalTools = () =>
    without('talk', 'start').filter((stage) => holds(phases, stage, 'global'));
  untilNone(phases, globalTools, (stage) => {
    for (const other of phases.stages) if (other !== stage) absorb(other, stage);
    remove(phases, stage);
    for (const node of stage.nodes) phases.given.add(node);
  });
  const [start] = without('talk').filter((stage) => holds(phases, stage, 'start'));
  const [only, ...others] = start?.next ?? [];
  if (start && only && others.length === 0 && !keptApart(only, start)) join(phases, only, start);
}

/** Boundary `tools`: lists of the stages that become one assistant. */
function joinByTools(phases: Phases, atoms: readonly Stage[]): Stage[][] {
  const place = new Map(atoms.map((atom, index) => [atom, index]));
  // Were an unnamed tool at the start no group, it would join whichever group came first.
  for (const { waits, groups } of atoms) if (waits !== null) groups.set(waits, -1);
  const inPlace = (at: number | undefined): Stage[] => atoms.filter((a) => place.get(a) === at);
  const home = (v: Stage): number | undefined => {
    const before = previous(phases, v);
    const homes = new Set(before.map((atom) => place.get(atom)));
    // What joined it before, and leads back through a given tool, does not keep it apart.
    homes.delete(place.get(v));
    const [only] = homes;
    if (homes.size !== 1) return undefined;
    if (holds(phases, v, 'start') || holds(phases, v, 'global')) return undefined;
    if (before.some((atom) => toolsDiffer(phases, v, atom))) return undefined;
    const apart = inPlace(only).some((a) => inPlace(place.get(v)).some((b) => keptApart(a, b)));
    return apart ? undefined : only;
  };
  const joinable = (): Stage[] => atoms.filter((atom) => home(atom) !== undefined);
  untilNone(phases, joinable, (v) => {
    const to = home(v);
    for (const atom of inPlace(place.get(v))) if (to !== undefined) place.set(atom, to);
  });
  return [...new Set(place.values())].map(inPlace);
}

/** Whether both have tools or transfers of their own, and not the same ones. */
function toolsDiffer({ source, first, given }: Phases, a: Stage, b: Stage): boolean {
  const stand = (node: number): number => first.get(node) ?? node;
  const [left, right] = [a, b].map(({ nodes }) => {
    const own = [...nodes].filter((node) => !given.has(node));
    const ways = source.edges.filter(({ from }) => own.includes(stand(from)));
    const transfers = ways.map(({ to }) => stand(to));
    return new Set([
      ...own.filter((node) => !isTalk(nodeOf(source, node))),
      ...transfers.filter((to) => nodeOf(source, to).type === 'transferCall'),
    ]);
  }) as [Set<number>, Set<number>];
  return left.size > 0 && right.size > 0 && [...left].sort().join() !== [...right].sort().join();
}

/** Every node that these stages stand for, and the exits that their nodes lead to. */
function ownedBy({ source, first }: Phases, stages: readonly Stage[]): Set<number> {
  const held = new Set(stages.flatMap(({ nodes }) => [...nodes]));
  const equals = (of: ReadonlySet<number | undefined>) =>
    [...first].flatMap(([node, representative]) => (of.has(representative) ? [node] : []));
  const owned = new Set(equals(held));
  const left = source.edges.filter(({ from }) => owned.has(from)).map(({ to }) => to);
  const exits = [...left, ...source.globals].filter((node) => isExit(nodeOf(source, node)));
  for (const node of equals(new Set(exits.map((exit) => first.get(exit))))) owned.add(node);
  return owned;
}
