/** Stages as sets with links to each other, and the few things that can be done to them. */
import { type Answered, nodeOf, type Source } from './source.js';
import { isExit, isTalk } from './spec-workflow.js';

export interface Stage {
  readonly nodes: Set<number>;
  readonly next: Set<Stage>;
  /** Groups of split components that it holds, as component and group. */
  readonly groups: Map<number, number>;
  /** The split component of a tool that no group names: it joins nothing before phase 5. */
  waits: number | null;
}

export interface Phases {
  readonly source: Source;
  readonly answered: Answered;
  readonly representatives: ReadonlyMap<number, number>;
  readonly stages: Set<Stage>;
  /** Global tools that every stage has been given: they make no stage a global one. */
  readonly given: Set<number>;
  readonly choose: <T>(possible: readonly T[]) => T;
}

export function newStage(
  nodes: readonly number[],
  groups: readonly (readonly [number, number])[] = [],
  waits: number | null = null,
): Stage {
  return { nodes: new Set(nodes), next: new Set(), groups: new Map(groups), waits };
}

export function link(from: Stage | undefined, to: Stage | undefined): void {
  if (from && to && from !== to) from.next.add(to);
}

export function previous({ stages }: Phases, stage: Stage): Stage[] {
  return [...stages].filter(({ next }) => next.has(stage));
}

export function holds(
  { source, given }: Phases,
  stage: Stage,
  what: 'talk' | 'start' | 'global',
): boolean {
  return [...stage.nodes].some((node) => {
    if (what === 'start') return node === source.start;
    return what === 'talk'
      ? isTalk(nodeOf(source, node))
      : source.globals.includes(node) && !given.has(node);
  });
}

export function keptApart(a: Stage, b: Stage): boolean {
  return [...a.groups].some(([component, group]) => (b.groups.get(component) ?? group) !== group);
}

/** Puts `second` into `first`; what led to one now leads to both. */
export function join(phases: Phases, first: Stage, second: Stage): void {
  for (const before of previous(phases, second)) link(before, first);
  absorb(first, second);
  for (const [component, group] of second.groups) first.groups.set(component, group);
  first.waits = null;
  remove(phases, second);
}

/** Gives `stage` the nodes and the ways on of `other`. */
export function absorb(stage: Stage, other: Stage): void {
  for (const node of other.nodes) stage.nodes.add(node);
  for (const after of other.next) link(stage, after);
}

export function remove({ stages }: Phases, stage: Stage): void {
  stages.delete(stage);
  for (const { next } of stages) next.delete(stage);
}

/** Every node that these stages stand for, and the exits that their nodes lead to. */
export function ownedBy(
  { source, representatives }: Phases,
  stages: readonly Stage[],
): Set<number> {
  const held = new Set(stages.flatMap(({ nodes }) => [...nodes]));
  const owned = new Set(
    [...representatives].flatMap(([node, first]) => (held.has(first) ? [node] : [])),
  );
  const left = [...source.edges.filter(({ from }) => owned.has(from)).map(({ to }) => to)];
  const exits = new Set(
    [...left, ...source.globals].filter((node) => isExit(nodeOf(source, node))),
  );
  const stand = new Set([...exits].map((exit) => representatives.get(exit)));
  for (const [node, first] of representatives) if (stand.has(first)) owned.add(node);
  return owned;
}
