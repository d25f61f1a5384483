/** Disjoint sets of the numbers 0 … size - 1 (union by the smaller root, path halving). */
export interface DisjointSets {
  /** The smallest member of the set. */
  readonly find: (member: number) => number;
  readonly union: (one: number, other: number) => void;
}

export function createDisjointSets(size: number): DisjointSets {
  const parent = new Int32Array(size);
  for (let member = 0; member < size; member += 1) parent[member] = member;
  const find = (member: number): number => {
    let at = member;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  };
  const union = (one: number, other: number): void => {
    const a = find(one);
    const b = find(other);
    if (a < b) parent[b] = a;
    else parent[a] = b;
  };
  return { find, union };
}
