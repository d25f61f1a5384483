/**
 * How nodes are grouped into assistants, written down phase by phase as the definition states it.
 *
 * Stages are sets with links to each other, and inside a phase the next step is any step that may
 * be taken: a list of random numbers says which. The result must not depend on the numbers, and the
 * compiler's must be the same. Nothing here is fast, and nothing is shared with the compiler.
 */
import { components } from './naive-components.js';
import { naiveRepresentatives } from './naive-equality.js';
import {
  absorb,
  holds,
  join,
  keptApart,
  ownedBy,
  type Phases,
  previous,
  remove,
  type Stage,
} from './naive-stages.js';
import { type Answered, nodeOf, readSource, type Source } from './source.js';
import { isTalk, type SpecWorkflow, wheel } from './spec-workflow.js';

/** The nodes of each assistant, exits included. */
type Grouping = ReadonlySet<number>[];

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
  {
    settlement = { asked: [], answers: {} },
    boundary = 'branch',
    numbers = [],
  }: GroupingOptions = {},
): string[][] | null {
  const source = readSource(workflow, settlement);
  const found = naivePartition(source, settlement, boundary, numbers);
  return (
    found?.map((group) =>
      workflow.nodes.flatMap(({ id }, index) => (group.has(index) ? [id] : [])),
    ) ?? null
  );
}

/** The grouping of these phases; null where an answer puts equal nodes into different groups. */
export function naivePartition(
  source: Source,
  answered: Answered,
  boundary: 'branch' | 'tools',
  numbers: readonly number[],
): Grouping | null {
  let drawn = 0;
  const choose = <T>(possible: readonly T[]): T => {
    drawn += 1;
    return wheel(possible, numbers.length > 0 ? wheel(numbers, drawn) : 0);
  };
  const representatives = naiveRepresentatives(source, answered);
  const phases = {
    source,
    answered,
    representatives,
    stages: new Set<Stage>(),
    given: new Set<number>(),
    choose,
  };
  if (!components(phases)) return null;
  chains(phases);
  toolOnlyStages(phases);
  globalTools(phases);
  toolOnlyStart(phases);
  chains(phases);
  const atoms = [...phases.stages];
  const assistants =
    boundary === 'tools' ? joinByTools(phases, atoms) : atoms.map((each) => [each]);
  return assistants.map((stages) => ownedBy(phases, stages));
}

/** Steps until none is possible; each step takes a stage away. */
function untilNone<T>({ choose }: Phases, possible: () => readonly T[], step: (one: T) => void) {
  for (let list = possible(); list.length > 0; list = possible()) step(choose(list));
}

function chains(phases: Phases): void {
  const follows = (u: Stage, v: Stage): boolean =>
    u.next.size === 1 &&
    u.next.has(v) &&
    previous(phases, v).length === 1 &&
    !holds(phases, v, 'start') &&
    !holds(phases, v, 'global') &&
    !keptApart(u, v) &&
    u.waits === null &&
    v.waits === null;
  const pairs = (): (readonly [Stage, Stage])[] =>
    [...phases.stages].flatMap((u) =>
      [...u.next].filter((v) => follows(u, v)).map((v) => [u, v] as const),
    );
  untilNone(phases, pairs, ([u, v]) => join(phases, u, v));
}

function toolOnlyStages(phases: Phases): void {
  const idle = (): Stage[] =>
    [...phases.stages].filter(
      (stage) => !(['talk', 'start', 'global'] as const).some((what) => holds(phases, stage, what)),
    );
  untilNone(phases, idle, (stage) => {
    for (const before of previous(phases, stage)) absorb(before, stage);
    remove(phases, stage);
  });
}

function globalTools(phases: Phases): void {
  const tools = (): Stage[] =>
    [...phases.stages].filter(
      (stage) =>
        holds(phases, stage, 'global') &&
        !holds(phases, stage, 'talk') &&
        !holds(phases, stage, 'start'),
    );
  untilNone(phases, tools, (stage) => {
    for (const other of phases.stages) if (other !== stage) absorb(other, stage);
    remove(phases, stage);
    for (const node of stage.nodes) phases.given.add(node);
  });
}

function toolOnlyStart(phases: Phases): void {
  const start = [...phases.stages].find((stage) => holds(phases, stage, 'start'));
  if (start === undefined || holds(phases, start, 'talk') || start.next.size !== 1) return;
  for (const only of [...start.next]) if (!keptApart(only, start)) join(phases, only, start);
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

function toolsDiffer(phases: Phases, a: Stage, b: Stage): boolean {
  const [left, right] = [toolsOf(phases, a), toolsOf(phases, b)];
  return left.size > 0 && right.size > 0 && [...left].sort().join() !== [...right].sort().join();
}

/** Its own tools and transfers; those that every stage was given make no difference. */
function toolsOf({ source, representatives, given }: Phases, stage: Stage): Set<number> {
  const stand = (node: number): number => representatives.get(node) ?? node;
  const own = [...stage.nodes].filter((node) => !given.has(node));
  const ways = source.edges.filter(({ from }) => own.includes(stand(from)));
  return new Set([
    ...own.filter((node) => !isTalk(nodeOf(source, node))),
    ...ways.map(({ to }) => stand(to)).filter((to) => nodeOf(source, to).type === 'transferCall'),
  ]);
}
