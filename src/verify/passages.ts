/**
 * The ways of the source, and the destinations that those out of an assistant have become.
 *
 * The passages of one node to one member share a destination, and so do all global ones; what the
 * platform judges stays apart from what the model judges.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import { type Condition, conditionKey, type WorkflowEdge } from '../compiler/ir/workflow.js';
import { append } from '../graph/lists.js';
import type { Owners, Passage, SourceGraph } from './expected.js';
import type { Destination, Squad } from './squad.js';

/** One way on from a node. */
export interface SourceWay {
  readonly edge: WorkflowEdge;
  readonly to: NodeIndex;
  readonly condition: Condition | null;
  /** Whether it has no condition and another way out of the same node has one. */
  readonly otherwise: boolean;
  readonly isExit: boolean;
}

/** The ways on from a node in source order; edges to equal nodes under one condition are one. */
export function listWays(
  graph: SourceGraph,
  standsFor: Owners['standsFor'],
  node: NodeIndex,
): readonly SourceWay[] {
  const keyOf = ({ to, condition }: WorkflowEdge) => `${standsFor(to)} ${conditionKey(condition)}`;
  const distinct = new Map<string, WorkflowEdge>();
  for (const edge of graph.leaving(node)) {
    if (!distinct.has(keyOf(edge))) distinct.set(keyOf(edge), edge);
  }
  const edges = [...distinct.values()];
  const isForked = edges.some(({ condition }) => condition !== null);
  return edges.map((edge) => {
    const { condition, to } = edge;
    const isExit = graph.nodeAt(to).role === 'exit';
    return { edge, to, condition, otherwise: condition === null && isForked, isExit };
  });
}

/** Passages that share a destination. */
export interface Crossway {
  readonly member: number;
  readonly target: number;
  readonly isGuarded: boolean;
  readonly passages: readonly Passage[];
  /** What the description says, each part once. */
  readonly parts: readonly string[];
  /** What it has become: null where there is no such destination. */
  matched: { readonly destination: Destination; readonly fit: Fit } | null;
}

/** How well a destination fits: as it is to be, else described otherwise, else leading elsewhere. */
export type Fit = 'exact' | 'described-otherwise' | 'leads-elsewhere';

/** Passages to a node that no single assistant owns are in none; they fail as handoffs. */
export function groupPassages(
  passages: readonly Passage[],
  standsFor: Owners['standsFor'],
  sayWhen: (passage: Passage) => string,
): Crossway[] {
  const groups = new Map<string, Passage[]>();
  for (const passage of passages) {
    const { member, from, target, condition } = passage;
    if (target === null) continue;
    const left = from === null ? '' : standsFor(from);
    const key = `${member} ${left} ${target} ${isGuarded(condition)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [passage]);
    else group.push(passage);
  }
  return [...groups.values()].map((together) => {
    const { member, target, condition } = together[0]!;
    const parts = [...new Set(together.map(sayWhen))];
    const ends = { member, target: target!, isGuarded: isGuarded(condition) };
    return { ...ends, passages: together, parts, matched: null };
  });
}

function isGuarded(condition: Condition | null): boolean {
  return condition?.routing === 'guard';
}

/**
 * Finds the destination of each crossway: by where it leads and what it says; among several that say
 * the same, by what it carries. One that reads otherwise or leads elsewhere is only taken where it
 * is nobody's. Out: by destination, the passages that it stands for.
 */
export function matchDestinations(
  { members, destinations }: Squad,
  crossways: readonly Crossway[],
  carries: (destination: Destination, crossway: Crossway) => boolean,
): ReadonlyMap<Destination, readonly Passage[]> {
  const standing = new Map<Destination, Passage[]>();
  const byEnds = new Map<string, Destination[]>();
  const byWords = new Map<string, Destination[]>();
  for (const destination of destinations) {
    const { member, leadsTo, description, tool } = destination;
    const ends = `${member} ${leadsTo} ${Object.hasOwn(tool?.value ?? {}, 'rejectionPlan')}`;
    append(byEnds, ends, destination);
    append(byWords, `${ends} ${inOrder(description.split(joint))}`, destination);
  }
  const endsOf = ({ member, target, isGuarded: guarded }: Crossway) =>
    `${member} ${target} ${guarded}`;
  const isFree = (it: Destination) => !standing.has(it);
  const settle = (fit: Fit, find: (crossway: Crossway) => Destination | undefined): void => {
    for (const crossway of crossways) {
      if (crossway.matched !== null) continue;
      const destination = find(crossway);
      if (destination === undefined) continue;
      standing.set(destination, [...(standing.get(destination) ?? []), ...crossway.passages]);
      crossway.matched = { destination, fit };
    }
  };
  settle('exact', (it) => {
    const words = inOrder(it.parts.flatMap((part) => part.split(joint)));
    const alike = byWords.get(`${endsOf(it)} ${words}`) ?? [];
    const free = alike.filter(isFree);
    return free.find((each) => free.length < 2 || carries(each, it)) ?? free[0];
  });
  const between = (it: Crossway) => byEnds.get(endsOf(it)) ?? [];
  settle('exact', (it) => {
    if (members[it.member]!.ours) return undefined;
    return between(it).find((each) => holds(each, it));
  });
  settle('described-otherwise', (it) => between(it).find(isFree));
  settle('leads-elsewhere', (it) =>
    members[it.member]!.destinations.find((each) => isFree(each) && holds(each, it)),
  );
  return standing;
}

const joint = '; or ';

/** Alternatives may stand in any order. */
function inOrder(alternatives: readonly string[]): string {
  return alternatives.toSorted().join(joint);
}

/** Whether the description holds the conditions, whatever else it says. */
function holds({ description }: Destination, { passages }: Crossway): boolean {
  return passages.every(({ condition }) =>
    condition === null ? description.trim() !== '' : description.includes(condition.value),
  );
}

/** Where a passage stands in the source. */
export function placeOf(graph: SourceGraph, { edge, to }: Passage): JsonPointer {
  return edge?.at ?? graph.nodeAt(to).at;
}
