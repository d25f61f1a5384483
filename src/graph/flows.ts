/**
 * Sets that flow along the arcs of a graph, and change at its nodes.
 *
 * A set of numbers is a bigint in which the number's bit is set: 5n is { 0, 2 }. So a set that
 * contains most of another, as those of neighbours do, costs little to compute.
 */
import { computeComponents } from './partitions.js';
import type { Adjacency } from './walks.js';

export type Bits = bigint;

export const bit = (number: number): Bits => 1n << BigInt(number);

export function has(set: Bits, number: number): boolean {
  return (set & bit(number)) !== 0n;
}

/** In ascending order. */
export function membersOf(set: Bits): number[] {
  const digits = set.toString(2);
  return Array.from(digits.matchAll(/1/g), ({ index }) => digits.length - 1 - index).reverse();
}

/**
 * For each node the union of what arrives there on any walk. `entering` is what arrives from
 * outside, and `pass` returns what leaves a node; of more it must not return less. If more enters
 * later, only the nodes where it does need be `changed`.
 */
export function propagate(
  arcs: Adjacency,
  entering: readonly Bits[],
  pass: (node: number, before: Bits) => Bits,
  changed: Iterable<number> = computeComponents(arcs).order,
): Bits[] {
  const before = [...entering];
  const pending = new Set(changed);
  for (const node of pending) {
    // A node that comes again is visited again, after all others.
    pending.delete(node);
    const after = pass(node, before[node]!);
    for (const to of arcs[node]!) {
      const all = before[to]! | after;
      if (all === before[to]) continue;
      before[to] = all;
      pending.add(to);
    }
  }
  return before;
}

/**
 * The graph with steps from every node, except those that are closed, to each of the targets but
 * itself. Each target has an entry, numbered from `arcs.length` in their order, through which these
 * steps lead. The arcs stay few: a step runs along all targets, or from a target along those after
 * it and those before it.
 */
export function withJumps(
  arcs: Adjacency,
  targets: readonly number[],
  isClosed: (node: number) => boolean = () => false,
): Adjacency {
  const [first, many] = [arcs.length, targets.length];
  const entries = targets.map((_, at) => first + at);
  const alongFrom = (base: number) => (entry: number, at: number) =>
    at + 1 < many ? [entry, base + at + 1] : [entry];
  const [forth, back] = [first + many, first + 2 * many];
  const position = new Map(targets.map((target, at) => [target, at]));
  const jumpsFrom = (node: number): number[] => {
    const at = position.get(node);
    if (many === 0 || isClosed(node)) return [];
    if (at === undefined) return [forth];
    return [...(at + 1 < many ? [forth + at + 1] : []), ...(at > 0 ? [back + many - at] : [])];
  };
  return [
    ...arcs.map((next, node) => [...next, ...jumpsFrom(node)]),
    ...targets.map((target) => [target]),
    ...entries.map(alongFrom(forth)),
    ...entries.toReversed().map(alongFrom(back)),
  ];
}
