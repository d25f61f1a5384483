/**
 * Vertices in a line with what flows into each, as bit vectors are propagated over them.
 *
 * Any line gives right answers; the fewer arcs lead back in it, and the less far, the sooner.
 */
import { type Rows, reverseRows } from '../rows.js';

export interface Flow {
  readonly size: number;
  readonly into: Rows;
  /** The same arcs from their other ends; without arcs where none leads back. */
  readonly outOf: Rows;
  /** Stretches of the line that arcs lead back in, none in another: first and last in turns. */
  readonly loops: readonly number[];
}

export function makeFlow(into: Rows): Flow {
  const size = into.offsets.length - 1;
  const loops = findLoops(into);
  const outOf = loops.length === 0 ? noArcs(size) : reverseRows(into);
  return { size, into, outOf, loops };
}

function noArcs(size: number): Rows {
  return { offsets: new Int32Array(size + 1), targets: new Int32Array(0) };
}

/** An arc back from q to p makes one stretch of all from p to q; stretches that overlap are one. */
function findLoops({ offsets, targets }: Rows): number[] {
  const loops: number[] = [];
  let first = 0;
  let last = -1;
  for (let vertex = 0; vertex + 1 < offsets.length; vertex += 1) {
    if (vertex > last && last >= 0) {
      loops.push(first, last);
      last = -1;
    }
    let furthest = vertex;
    for (let slot = offsets[vertex]!; slot < offsets[vertex + 1]!; slot += 1) {
      furthest = Math.max(furthest, targets[slot]!);
    }
    if (furthest === vertex) continue;
    if (last < 0) first = vertex;
    last = Math.max(last, furthest);
  }
  if (last >= 0) loops.push(first, last);
  return loops;
}

/** The place in `loops` of the first stretch that ends at the vertex or after it. */
export function firstLoopFrom({ loops }: Flow, vertex: number): number {
  let low = 0;
  let high = loops.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (loops[middle * 2 + 1]! < vertex) low = middle + 1;
    else high = middle;
  }
  return low * 2;
}

/** Part of the line, by its first and last vertex. */
export interface Stretch {
  readonly first: number;
  readonly last: number;
}

/** The loop that the vertex is in, or the vertex alone. */
export function loopAt(flow: Flow, vertex: number): Stretch {
  if (flow.loops.length === 0) return { first: vertex, last: vertex };
  const at = firstLoopFrom(flow, vertex);
  const [first = vertex, last = vertex] = flow.loops.slice(at, at + 2);
  return first <= vertex ? { first, last } : { first: vertex, last: vertex };
}
