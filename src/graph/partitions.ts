/** Groups of nodes: connected by union, by cycles, or equal in behaviour. */
import { groupBy } from './lists.js';
import { type Adjacency, positionsOf, reverse } from './walks.js';

/** Disjoint sets of the numbers 0 … size - 1; `find` gives the smallest member of a set. */
export function createDisjointSets(size: number) {
  const parent = Array.from({ length: size }, (_, member) => member);
  const find = (member: number): number => {
    let at = member;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const union = (one: number, other: number): void => {
    const [a, b] = [find(one), find(other)];
    parent[Math.max(a, b)] = Math.min(a, b);
  };
  return { find, union };
}

/**
 * Strongly connected components (Tarjan): for each node the position of its component, and each
 * component's nodes in ascending order. Components are in topological order: an arc between two of
 * them leads from the earlier to the later. In `order`, which lists the nodes, arcs lead back only
 * inside components, and there seldom.
 */
export function computeComponents(successors: Adjacency) {
  const index = successors.map(() => -1);
  const low = successors.map(() => 0);
  const cursor = successors.map(() => 0);
  /** Components in order of completion, which is reverse topological. */
  const completed = successors.map(() => -1);
  const path: number[] = [];
  const open: number[] = [];
  const left: number[] = [];
  let visited = 0;
  let count = 0;

  for (const root of successors.keys()) {
    if (index[root] === -1) enter(root);
    while (path.length > 0) {
      const node = path.at(-1)!;
      const target = successors[node]![cursor[node]!];
      cursor[node]! += 1;
      if (target === undefined) leave(node);
      else if (index[target] === -1) enter(target);
      else if (completed[target] === -1) low[node] = Math.min(low[node]!, index[target]!);
    }
  }
  const of = completed.map((at) => count - 1 - at);
  return { of, members: positionsOf(count, of), order: left.reverse() };

  function enter(node: number): void {
    index[node] = low[node] = visited;
    visited += 1;
    path.push(node);
    open.push(node);
  }

  function leave(node: number): void {
    path.pop();
    left.push(node);
    const parent = path.at(-1);
    if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
    if (low[node] !== index[node]) return;
    let member: number;
    do {
      member = open.pop()!;
      completed[member] = count;
    } while (member !== node);
    count += 1;
  }
}

/** For each node its arcs, each with a label. */
export type LabelledArcs = readonly (readonly { readonly label: string; readonly to: number }[])[];

/**
 * Returns the class of each node in the coarsest partition in which nodes of one class have the
 * same label, and arcs with the same labels into the same classes.
 *
 * Only nodes with a successor whose class changed are examined again. When a class splits, the
 * largest part keeps its number, so a node changes class at most log n times.
 */
export function refine(labels: readonly string[], arcs: LabelledArcs): number[] {
  const predecessors = reverse(arcs.map((leaving) => leaving.map(({ to }) => to)));
  const classes = [...groupBy(labels.keys(), (node) => labels[node]!).values()].map((members) => {
    // All members that need not be examined again have the same continuation.
    return { members: new Set(members), continuation: '' };
  });
  const classOf = labels.map(() => 0);
  for (const [number, { members }] of classes.entries()) {
    for (const node of members) classOf[node] = number;
  }
  let doubtful: Iterable<number> = labels.keys();
  for (let moved: number[] | null = null; moved === null || moved.length > 0; ) {
    moved = [];
    for (const [number, nodes] of groupBy(doubtful, (node) => classOf[node]!)) {
      if (classes[number]!.members.size > 1) split(number, nodes, moved);
    }
    doubtful = new Set(moved.flatMap((node) => predecessors[node]!));
  }
  return classOf;

  function split(number: number, nodes: readonly number[], moved: number[]): void {
    const { members, continuation } = classes[number]!;
    const parts = groupBy(nodes, continuationOf);
    const settled = members.size - nodes.length;
    if (settled > 0 && !parts.has(continuation)) parts.set(continuation, []);
    const sizeOf = ([continued, part]: readonly [string, readonly number[]]) =>
      part.length + (continued === continuation ? settled : 0);
    const [largest, ...others] = [...parts].sort((one, other) => sizeOf(other) - sizeOf(one));
    classes[number]!.continuation = largest![0];
    for (const [continued, part] of others) {
      // Settled members are listed only if they are not the largest part.
      if (settled > 0 && continued === continuation) {
        const inDoubt = new Set(nodes);
        for (const node of members) if (!inDoubt.has(node)) part.push(node);
      }
      const fresh = classes.push({ members: new Set(part), continuation: continued }) - 1;
      for (const node of part) {
        members.delete(node);
        classOf[node] = fresh;
        moved.push(node);
      }
    }
  }

  function continuationOf(node: number): string {
    const steps = arcs[node]!.map(({ label, to }) => JSON.stringify([classOf[to], label]));
    return [...new Set(steps)].sort().join('\n');
  }
}
