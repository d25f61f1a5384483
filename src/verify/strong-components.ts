/**
 * Strongly connected components (Kosaraju), with arrays for the recursion.
 *
 * In: rows of successors. Out: for each vertex the number of its component. Components are numbered
 * in topological order: an arc between two of them goes from the lower number to the higher one.
 *
 * Most workflows have no cycle. Then every predecessor of a vertex is left after it, so that the
 * second search would find each vertex alone, in the order of its roots.
 */
import { type Rows, reverseRows, tabulate } from './rows.js';

export function numberComponents(successors: Rows): Int32Array {
  const count = successors.offsets.length - 1;
  const { order: finished, isCyclic } = finishingOrder(successors);
  const component = new Int32Array(count);
  if (!isCyclic) {
    for (let at = 0; at < count; at += 1) component[finished[at]!] = count - 1 - at;
    return component;
  }
  const predecessors = reverseRows(successors);
  component.fill(-1);
  const pending = new Int32Array(count);
  let found = 0;
  for (let at = count - 1; at >= 0; at -= 1) {
    const root = finished[at]!;
    if (component[root] !== -1) continue;
    let size = 0;
    component[root] = found;
    pending[size++] = root;
    while (size > 0) {
      const vertex = pending[--size]!;
      const end = predecessors.offsets[vertex + 1]!;
      for (let slot = predecessors.offsets[vertex]!; slot < end; slot += 1) {
        const before = predecessors.targets[slot]!;
        if (component[before] !== -1) continue;
        component[before] = found;
        pending[size++] = before;
      }
    }
    found += 1;
  }
  return component;
}

/** As `numberComponents`, but numbered by vertex where the vertices are in topological order. */
export function tellComponents(successors: Rows): Int32Array {
  return leadsForwards(successors)
    ? tabulate(successors.offsets.length - 1, (vertex) => vertex)
    : numberComponents(successors);
}

/** Whether every arc goes from a lower number to a higher one. */
function leadsForwards({ offsets, targets }: Rows): boolean {
  for (let vertex = 0; vertex + 1 < offsets.length; vertex += 1) {
    const end = offsets[vertex + 1]!;
    for (let slot = offsets[vertex]!; slot < end; slot += 1) {
      if (targets[slot]! <= vertex) return false;
    }
  }
  return true;
}

/** Vertices in the order in which a depth-first search leaves them, and whether it met a cycle. */
function finishingOrder({ offsets, targets }: Rows): {
  readonly order: Int32Array;
  readonly isCyclic: boolean;
} {
  const count = offsets.length - 1;
  const state = new Uint8Array(count);
  const cursor = offsets.slice(0, count);
  const trail = new Int32Array(count);
  const order = new Int32Array(count);
  let finished = 0;
  let isCyclic = false;
  for (let root = 0; root < count; root += 1) {
    if (state[root] !== unseen) continue;
    state[root] = onTrail;
    trail[0] = root;
    for (let depth = 0; depth >= 0; ) {
      const vertex = trail[depth]!;
      if (cursor[vertex] === offsets[vertex + 1]) {
        order[finished++] = vertex;
        state[vertex] = left;
        depth -= 1;
        continue;
      }
      const next = targets[cursor[vertex]!++]!;
      if (state[next] === onTrail) isCyclic = true;
      if (state[next] !== unseen) continue;
      state[next] = onTrail;
      trail[++depth] = next;
    }
  }
  return { order, isCyclic };
}

const unseen = 0;
const onTrail = 1;
const left = 2;
