/** Random small graphs, and reachability as plainly as can be. */
import fc from 'fast-check';

export interface SmallGraph {
  readonly count: number;
  readonly arcs: readonly (readonly [number, number])[];
}

/** Up to nine nodes; self-loops, parallel arcs and unreachable parts included. */
export const smallGraph: fc.Arbitrary<SmallGraph> = fc.integer({ min: 1, max: 9 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    arcs: fc.array(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), { maxLength: 18 }),
  }),
);

/** Nodes that `from` leads to, itself included, when `without` may not be entered. */
export function naiveReach({ arcs }: SmallGraph, from: number, without = -1): Set<number> {
  const found = new Set(from === without ? [] : [from]);
  for (let grown = true; grown; ) {
    grown = false;
    for (const [source, target] of arcs) {
      if (!found.has(source) || found.has(target) || target === without) continue;
      found.add(target);
      grown = true;
    }
  }
  return found;
}
