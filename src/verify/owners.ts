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

export function readOwners(visits: readonly Visit[], representative: Int32Array): Owners {
  const owners: (Set<number> | undefined)[] = [];
  for (const { node, member } of visits) {
    owners[node] ??= new Set();
    owners[node].add(member);
  }
  const of = (node: NodeIndex) => owners[representative[node]!] ?? nobody;
  return {
    of,
    soleOwner: (node) => {
      const [only, ...others] = of(node);
      return only === undefined || others.length > 0 ? null : only;
    },
    standsFor: (node) => representative[node]! as NodeIndex,
  };
}
