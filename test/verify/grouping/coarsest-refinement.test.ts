import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refineToStable } from '../../../src/verify/grouping/coarsest-refinement.js';
import { createPartition } from '../../../src/verify/grouping/refinable-partition.js';
import { runs, seed } from '../../seed.js';

type Arc = readonly [source: number, label: number, target: number];

/** The blocks that are left of those that elements with the same colour and labels form. */
function refined(colours: readonly number[], arcs: readonly Arc[]): number[] {
  const labelsOf = (element: number) =>
    [...new Set(arcs.flatMap(([source, label]) => (source === element ? [label] : [])))].sort();
  const keys = colours.map((colour, element) => `${colour} ${labelsOf(element)}`);
  const names = [...new Set(keys)];
  const blockOf = Int32Array.from(keys, (key) => names.indexOf(key));
  const partition = createPartition(names.length, blockOf);
  refineToStable(partition, {
    sources: arcs.map(([source]) => source),
    labels: arcs.map(([, label]) => label),
    targets: arcs.map(([, , target]) => target),
    labelCount: 3,
  });
  return [...blockOf];
}

/** By the definition: elements are told apart until none is by what it steps into. */
function defined(colours: readonly number[], arcs: readonly Arc[]): number[] {
  let classes = [...colours];
  for (;;) {
    const keys = classes.map((own, element) => {
      const steps = arcs.filter(([source]) => source === element);
      return `${own}: ${[...new Set(steps.map(([, l, t]) => `${l} ${classes[t]}`))].sort()}`;
    });
    const names = [...new Set(keys)];
    const next = keys.map((key) => names.indexOf(key));
    if (names.length === new Set(classes).size) return next;
    classes = next;
  }
}

const pairs = (classes: readonly number[]) =>
  classes.flatMap((own, one) => classes.map((other, at) => [one, at, own === other] as const));

describe('refineToStable', () => {
  it('finds the coarsest bisimulation', () => {
    const graphs = fc.integer({ min: 1, max: 8 }).chain((size) => {
      const element = fc.nat(size - 1);
      return fc.tuple(
        fc.array(fc.nat(1), { minLength: size, maxLength: size }),
        fc.array(fc.tuple(element, fc.nat(2), element), { maxLength: 14 }),
      );
    });
    const property = fc.property(graphs, ([colours, arcs]) => {
      expect(pairs(refined(colours, arcs))).toEqual(pairs(defined(colours, arcs)));
    });
    fc.assert(property, { seed, numRuns: runs(3000) });
  });

  it('leaves what steps alike together, however often it steps', () => {
    const arcs: Arc[] = [
      [0, 0, 2],
      [0, 0, 3],
      [1, 0, 3],
    ];
    expect(pairs(refined([0, 0, 1, 1], arcs))).toEqual(pairs([0, 0, 1, 1]));
  });

  it('looks through long chains', () => {
    const size = 20_000;
    const arcs = Array.from({ length: size - 1 }, (_, at): Arc => [at, 0, at + 1]);
    const blockOf = new Int32Array(size).map((_, at) => (at === size - 1 ? 1 : 0));
    const partition = createPartition(2, blockOf);
    refineToStable(partition, {
      sources: arcs.map(([source]) => source),
      labels: arcs.map(() => 0),
      targets: arcs.map(([, , target]) => target),
      labelCount: 1,
    });
    expect(new Set(blockOf).size).toBe(size);
  });
});

describe('createPartition', () => {
  it('splits each block into what is marked and what is not', () => {
    const partition = createPartition(3, Int32Array.of(0, 1, 0, 1, 2, 0));
    const splits: string[] = [];
    for (const element of [2, 1, 3, 2, 4]) partition.mark(element);
    partition.split((block, fresh) => splits.push(`${block} ${fresh}`));
    expect(splits).toEqual(['0 3']);
    expect([...partition.blockOf]).toEqual([0, 1, 3, 1, 2, 0]);
    const { elements, first, end } = partition;
    expect([...elements.subarray(first[3], end[3])]).toEqual([2]);
    expect([...elements.subarray(first[0], end[0])].sort()).toEqual([0, 5]);
    partition.split(() => splits.push('again'));
    expect(splits).toHaveLength(1);
  });
});
