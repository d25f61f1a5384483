/**
 * Steps between stages, each pair once and none of a stage to itself.
 *
 * A step leaves a stage's own vertices and the tools that it holds. What the tools lead to that
 * every stage holds, every stage leads to: those steps are not written down, but told by
 * `common`, so that many stages and many such tools cost no more than their sum.
 */
import type { Rows } from '../rows.js';
import type { Quotient } from './quotient.js';
import { areVertices, type Bundles, listOwn, type Stages } from './stages.js';

export interface Steps {
  /** Successors that are not common. */
  readonly rows: Rows;
  /** Stages that all other stages lead to. */
  readonly common: readonly number[];
  readonly isCommon: Uint8Array;
}

export function computeSteps({ successors }: Quotient, stages: Stages, bundles: Bundles): Steps {
  const { count, of, held } = stages;
  const isCommon = new Uint8Array(count);
  if (bundles.count === 0 && areVertices(stages))
    return { rows: successors, common: none, isCommon };
  const common = [...new Set(bundles.onwardOfGiven.map((vertex) => of[vertex]!))];
  for (const stage of common) isCommon[stage] = 1;
  const own = listOwn(stages);
  const offsets = new Int32Array(count + 1);
  const targets: number[] = [];
  const seenFrom = new Int32Array(count).fill(-1);
  const see = (from: number, to: number): void => {
    if (to === -1 || to === from || isCommon[to] === 1 || seenFrom[to] === from) return;
    seenFrom[to] = from;
    targets.push(to);
  };
  for (let stage = 0; stage < count; stage += 1) {
    for (let at = own.offsets[stage]!; at < own.offsets[stage + 1]!; at += 1) {
      const vertex = own.order[at]!;
      const end = successors.offsets[vertex + 1]!;
      for (let slot = successors.offsets[vertex]!; slot < end; slot += 1) {
        see(stage, of[successors.targets[slot]!]!);
      }
    }
    for (const bundle of held[stage]!) {
      for (const vertex of bundles.onward[bundle]!) see(stage, of[vertex]!);
    }
    offsets[stage + 1] = targets.length;
  }
  return { rows: { offsets, targets: new Int32Array(targets) }, common, isCommon };
}

const none: readonly number[] = [];

/** How many steps leave and enter each stage, and the sum of the stages at their other ends. */
export interface Degrees {
  readonly out: Int32Array;
  /** Where one step leaves, this is where it leads. */
  readonly outSum: number[];
  readonly in: Int32Array;
  readonly inSum: number[];
}

/** The sums can be too large for a row of integers, and a row of doubles is dear where it is short. */
export function countSteps({ rows, common, isCommon }: Steps): Degrees {
  const count = isCommon.length;
  const degrees: Degrees = {
    out: new Int32Array(count).fill(common.length),
    outSum: new Array<number>(count).fill(sum(common)),
    in: new Int32Array(count),
    inSum: new Array<number>(count).fill(0),
  };
  for (const stage of common) {
    degrees.out[stage]! -= 1;
    degrees.outSum[stage]! -= stage;
    degrees.in[stage] = count - 1;
    degrees.inSum[stage] = (count * (count - 1)) / 2 - stage;
  }
  for (let from = 0; from < count; from += 1) {
    for (let slot = rows.offsets[from]!; slot < rows.offsets[from + 1]!; slot += 1) {
      const to = rows.targets[slot]!;
      degrees.out[from]! += 1;
      degrees.outSum[from]! += to;
      degrees.in[to]! += 1;
      degrees.inSum[to]! += from;
    }
  }
  return degrees;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** So many steps are looked at one by one. */
const few = 8;

/** Tells whether one stage leads to another; a long row is put into a set when it is first asked for. */
export function createLeadsTo({ rows, isCommon }: Steps): (from: number, to: number) => boolean {
  const { offsets, targets } = rows;
  let sets: Map<number, ReadonlySet<number>> | null = null;
  return (from, to) => {
    if (isCommon[to] === 1) return from !== to;
    const [start, end] = [offsets[from]!, offsets[from + 1]!];
    if (end - start <= few) {
      for (let slot = start; slot < end; slot += 1) if (targets[slot] === to) return true;
      return false;
    }
    sets ??= new Map();
    const row = sets.get(from) ?? new Set(targets.subarray(start, end));
    sets.set(from, row);
    return row.has(to);
  };
}
