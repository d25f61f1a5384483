import { tabulate } from '../rows.js';

/** Disjoint sets of 0 … count - 1, by union by size and path halving. */
export interface DisjointSets {
  readonly find: (element: number) => number;
  /** Makes one set of two, and tells what stands for it. */
  readonly unite: (one: number, other: number) => number;
}

export function createDisjointSets(count: number): DisjointSets {
  const parent = tabulate(count, (element) => element);
  const size = new Int32Array(count).fill(1);

  function find(element: number): number {
    let at = element;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  }

  function unite(one: number, other: number): number {
    const [a, b] = [find(one), find(other)];
    if (a === b) return a;
    const [large, small] = size[a]! < size[b]! ? [b, a] : [a, b];
    parent[small] = large;
    size[large]! += size[small]!;
    return large;
  }

  return { find, unite };
}
