/**
 * The fewest walks through a graph without cycles that take every required arc.
 *
 * In: arcs from nodes of a higher number to nodes of a lower one (as strongly connected components
 * are numbered), which of them are required, where a walk may end. Out: how many walks take each
 * arc, how many end where, and a proof.
 *
 * Walks are a flow: what comes into a node leaves it or ends there, and a required arc carries at
 * least one. So the fewest walks are the smallest flow with lower bounds. It begins as a flow that
 * takes every required arc, by the shortest ways in and out; then whatever a flow from the ends back
 * to the source can take away is taken away. What that flow cannot pass is a cut, all of whose arcs
 * lead one way and carry no more than they must: each walk crosses it once, by a required arc, so
 * these are as many as the walks and no walk takes two of them. That they are is the proof that fewer walks cannot do.
 *
 * Invariant: every node can be reached from the source, and from every node an end.
 */

import { assertInvariant } from '../compiler/ir/compiler-bug.js';
import { positionsOf } from '../graph/walks.js';
import { pushMaximumFlow } from './maximum-flow.js';

export interface Descent {
  readonly nodeCount: number;
  readonly source: number;
  readonly tails: Int32Array;
  readonly heads: Int32Array;
  readonly required: Uint8Array;
  readonly mayEnd: Uint8Array;
}

export interface SmallestFlow {
  readonly walks: number;
  /** Walks per arc. */
  readonly arcs: Float64Array;
  /** Walks that end at each node. */
  readonly ends: Float64Array;
  /** As many required arcs as there are walks, no two on one walk; none where one walk is enough. */
  readonly apart: readonly number[];
}

export function computeSmallestFlow(descent: Descent): SmallestFlow {
  const flow = takeEveryArc(descent);
  if (outOf(descent, flow) === 1) return { walks: 1, ...flow, apart: [] };
  const behindCut = takeAway(descent, flow);
  const walks = outOf(descent, flow);
  const crossing = [...descent.tails.keys()].filter(
    (arc) => behindCut[descent.tails[arc]!] === 0 && behindCut[descent.heads[arc]!] === 1,
  );
  const apart = crossing.filter((arc) => descent.required[arc] === 1);
  assertInvariant(
    walks === apart.length,
    () => `${walks} walks are as few as ${apart.length} edges that no two share`,
  );
  return { walks, ...flow, apart: walks === 1 ? [] : apart };
}

interface Flow {
  readonly arcs: Float64Array;
  readonly ends: Float64Array;
}

/** A flow that takes each required arc, not yet the smallest. */
function takeEveryArc({ nodeCount, source, tails, heads, required, mayEnd }: Descent): Flow {
  const leaving = positionsOf(nodeCount, tails);
  const entering = positionsOf(nodeCount, heads);
  const wayIn = nearestArcs([source], (node) => leaving[node]!, heads, nodeCount);
  const ending = [...mayEnd.keys()].filter((node) => mayEnd[node] === 1);
  const wayOut = nearestArcs(ending, (node) => entering[node]!, tails, nodeCount);

  const arcs = Float64Array.from(required);
  const ends = new Float64Array(nodeCount);
  const excessAt = (node: number) => sum(entering[node]!, arcs) - sum(leaving[node]!, arcs);
  // Against the arcs: what leaves a node and did not come is fetched from before.
  for (let node = 0; node < nodeCount; node += 1) {
    const lack = -excessAt(node);
    if (lack > 0 && node !== source) arcs[wayIn[node]!]! += lack;
  }
  // Along the arcs: what came and does not leave ends, or is sent on to where it may.
  for (let node = nodeCount - 1; node >= 0; node -= 1) {
    const excess = node === source ? 0 : excessAt(node);
    if (excess > 0 && mayEnd[node] === 1) ends[node] = excess;
    else if (excess > 0) arcs[wayOut[node]!]! += excess;
  }
  if (sum(leaving[source]!, arcs) === 0) sendOne(source);
  return { arcs, ends };

  /** Nothing is required: one walk all the same. */
  function sendOne(from: number): void {
    let node = from;
    for (; mayEnd[node] === 0; node = heads[wayOut[node]!]!) arcs[wayOut[node]!]! += 1;
    ends[node]! += 1;
  }
}

/** For each node the arc by which a breadth-first search from the roots came to it. */
function nearestArcs(
  roots: readonly number[],
  arcsAt: (node: number) => readonly number[],
  farEnd: Int32Array,
  nodeCount: number,
): Int32Array {
  const found = new Int32Array(nodeCount).fill(-1);
  const seen = new Uint8Array(nodeCount);
  const queue = [...roots];
  for (const root of roots) seen[root] = 1;
  for (const node of queue) {
    for (const arc of arcsAt(node)) {
      const next = farEnd[arc]!;
      if (seen[next] === 1) continue;
      seen[next] = 1;
      found[next] = arc;
      queue.push(next);
    }
  }
  return found;
}

/** Makes the flow as small as it can be; gives the nodes behind the cut that stopped it. */
function takeAway({ nodeCount, source, tails, heads, required, mayEnd }: Descent, flow: Flow) {
  const end = nodeCount;
  const ending = [...mayEnd.keys()].filter((node) => mayEnd[node] === 1);
  const count = tails.length + ending.length;
  const from = new Int32Array(2 * count);
  const to = new Int32Array(2 * count);
  const capacities = new Float64Array(2 * count).fill(Infinity);
  const join = (arc: number, tail: number, head: number, spare: number) => {
    from[2 * arc] = to[2 * arc + 1] = tail;
    to[2 * arc] = from[2 * arc + 1] = head;
    capacities[2 * arc + 1] = spare;
  };
  for (let arc = 0; arc < tails.length; arc += 1) {
    join(arc, tails[arc]!, heads[arc]!, flow.arcs[arc]! - required[arc]!);
  }
  for (const [at, node] of ending.entries()) join(tails.length + at, node, end, flow.ends[node]!);
  const residual = { nodeCount: nodeCount + 1, tails: from, heads: to, capacities };
  const behindCut = pushMaximumFlow(residual, end, source);
  for (let arc = 0; arc < tails.length; arc += 1) {
    flow.arcs[arc] = required[arc]! + capacities[2 * arc + 1]!;
  }
  for (const [at, node] of ending.entries())
    flow.ends[node] = capacities[2 * (tails.length + at) + 1]!;
  return behindCut;
}

function outOf({ source, tails }: Descent, { arcs, ends }: Flow): number {
  return (
    ends[source]! + arcs.reduce((all, walks, arc) => all + (tails[arc] === source ? walks : 0), 0)
  );
}

function sum(numbers: readonly number[], values: Float64Array): number {
  let all = 0;
  for (const number of numbers) all += values[number]!;
  return all;
}
