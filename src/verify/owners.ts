/** Which assistants own which nodes: those in which a walk through source and squad has met them. */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Visit } from './walks/visit.js';

export interface Owners {
  /** Positions of the members that own the node. */
  readonly of: (node: NodeIndex) => ReadonlySet<number>;
  /** The only member that owns the node; null where there is none or several. */
  readonly soleOwner: (node: NodeIndex) => number | null;
  /** The equal node that stands for this one; itself where it has none. */
  readonly standsFor: (node: NodeIndex) => NodeIndex;
}

const nobody: ReadonlySet<number> = new Set();

/** In the place of the only owner, where there is none, and where there are several. */
const none = -1;
const many = -2;

export function readOwners(visits: readonly Visit[], representative: Int32Array): Owners {
  const sole = new Int32Array(representative.length).fill(none);
  const several = new Map<number, Set<number>>();
  for (const { node, member } of visits) {
    const known = sole[node]!;
    if (known === none) sole[node] = member;
    else if (known === many) several.get(node)!.add(member);
    else if (known !== member) {
      sole[node] = many;
      several.set(node, new Set([known, member]));
    }
  }
  // Most nodes have one owner; those with the same one share the set.
  const alone: (ReadonlySet<number> | undefined)[] = [];
  return {
    of: (node) => {
      const standing = representative[node]!;
      const only = sole[standing]!;
      if (only === none) return nobody;
      if (only === many) return several.get(standing)!;
      alone[only] ??= new Set([only]);
      return alone[only];
    },
    soleOwner: (node) => {
      const only = sole[representative[node]!]!;
      return only < 0 ? null : only;
    },
    standsFor: (node) => representative[node]! as NodeIndex,
  };
}
