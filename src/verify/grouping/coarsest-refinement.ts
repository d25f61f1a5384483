/**
 * The coarsest refinement of a partition in which the elements of a block step into the same blocks
 * under the same labels (Paige and Tarjan, with labels): the coarsest bisimulation.
 *
 * Beside the partition there is a coarser one, whose blocks are runs of its blocks. Invariant:
 * every block is stable with respect to every coarse block. While a coarse block has several
 * blocks, the smaller of its outer two is taken out as a coarse block of its own, and the elements
 * that step into it are told from the others, and those that step into it alone from those that
 * also step into the rest. An element is in the block that is taken out at most log n times, so the
 * whole costs O(m log n).
 *
 * In: the partition, in which the elements of a block have the same labels on their arcs. It is
 * refined in place.
 */
import { sortByKey } from '../rows.js';
import type { RefinablePartition } from './refinable-partition.js';

/** Arcs with labels 0 … `labelCount` - 1, side by side. */
export interface LabelledArcs {
  readonly sources: readonly number[];
  readonly targets: readonly number[];
  readonly labels: readonly number[];
  readonly labelCount: number;
}

export function refineToStable(partition: RefinablePartition, arcs: LabelledArcs): void {
  const coarse = createCoarse(partition);
  const count = countArcs(arcs);
  const splitByLabel = createSplitting(partition, arcs, count, coarse.onSplit);
  const entering = sortByKey(partition.blockOf.length, arcs.targets);
  const buckets = createBuckets(arcs);
  for (let block = coarse.takeOut(); block !== null; block = coarse.takeOut()) {
    // Splitting moves elements, so the arcs are listed before.
    for (let at = partition.first[block]!; at < partition.end[block]!; at += 1) {
      const element = partition.elements[at]!;
      const end = entering.offsets[element + 1]!;
      for (let slot = entering.offsets[element]!; slot < end; slot += 1) {
        buckets.add(entering.order[slot]!);
      }
    }
    buckets.empty(splitByLabel);
  }
}

/** The coarser partition: runs of elements. */
function createCoarse({ first, end, blockOf, elements }: RefinablePartition) {
  const runStart = [0];
  const runEnd = [elements.length];
  const runOf: number[] = first.map(() => 0);
  const pending = [0];
  const isPending = [true];

  /** The smaller of the outer blocks of a run that has several; null when none has. */
  function takeOut(): number | null {
    for (let run = pending.at(-1); run !== undefined; run = pending.at(-1)) {
      const [start, stop] = [runStart[run]!, runEnd[run]!];
      const left = start < stop ? blockOf[elements[start]!]! : -1;
      if (left === -1 || end[left] === stop) {
        pending.pop();
        isPending[run] = false;
        continue;
      }
      const right = blockOf[elements[stop - 1]!]!;
      const isLeft = end[left]! - first[left]! <= end[right]! - first[right]!;
      const block = isLeft ? left : right;
      if (isLeft) runStart[run] = end[left]!;
      else runEnd[run] = first[right]!;
      runOf[block] = runStart.push(first[block]!) - 1;
      runEnd.push(end[block]!);
      isPending.push(false);
      return block;
    }
    return null;
  }

  function onSplit(block: number, fresh: number): void {
    const run = runOf[block]!;
    runOf[fresh] = run;
    if (isPending[run]) return;
    isPending[run] = true;
    pending.push(run);
  }

  return { takeOut, onSplit };
}

/** How many arcs of a label an element has into a coarse block; each arc knows its count. */
interface Counts {
  readonly of: Int32Array;
  readonly values: number[];
}

function countArcs({ sources, labels, labelCount }: LabelledArcs): Counts {
  const numbers = new Map<number, number>();
  const values: number[] = [];
  const of = Int32Array.from(sources, (source, arc) => {
    const key = source * labelCount + labels[arc]!;
    let number = numbers.get(key);
    if (number === undefined) {
      number = values.push(0) - 1;
      numbers.set(key, number);
    }
    values[number]! += 1;
    return number;
  });
  return { of, values };
}

/** Splits by the arcs of one label into the block that was taken out. */
function createSplitting(
  { mark, split }: RefinablePartition,
  { sources }: LabelledArcs,
  { of, values }: Counts,
  onSplit: (block: number, fresh: number) => void,
): (arcs: readonly number[]) => void {
  return (arcs) => {
    const moved = new Map<number, number>();
    const rests: (readonly [source: number, rest: number])[] = [];
    for (const arc of arcs) {
      const rest = of[arc]!;
      let own = moved.get(rest);
      if (own === undefined) {
        own = values.push(0) - 1;
        moved.set(rest, own);
        rests.push([sources[arc]!, rest]);
      }
      values[rest]! -= 1;
      values[own]! += 1;
      of[arc] = own;
    }
    for (const [source] of rests) mark(source);
    split(onSplit);
    for (const [source, rest] of rests) if (values[rest] === 0) mark(source);
    split(onSplit);
  };
}

/** Puts arcs together by label. */
function createBuckets({ labels }: LabelledArcs) {
  const buckets = new Map<number, number[]>();
  return {
    add(arc: number): void {
      const bucket = buckets.get(labels[arc]!);
      if (bucket === undefined) buckets.set(labels[arc]!, [arc]);
      else bucket.push(arc);
    },
    empty(take: (arcs: readonly number[]) => void): void {
      for (const bucket of buckets.values()) take(bucket);
      buckets.clear();
    },
  };
}
