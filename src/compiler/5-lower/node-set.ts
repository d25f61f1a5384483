/** The nodes of an assistant, to be looked up. */
import type { NodeIndex } from '../ir/ids.js';

/** A `ReadonlySet` as far as it is needed, and the list that it was made of. */
export interface NodeSet extends Pick<ReadonlySet<NodeIndex>, 'has' | 'size'> {
  readonly nodes: readonly NodeIndex[];
}

/** So many nodes are compared one by one faster than they are hashed. */
export const few = 8;

/** Looks up by comparing where the nodes are few, by hashing where they are many. */
export function createNodeSet(nodes: readonly NodeIndex[]): NodeSet {
  return nodes.length <= few ? new FewNodes(nodes) : new ManyNodes(nodes);
}

class FewNodes implements NodeSet {
  constructor(readonly nodes: readonly NodeIndex[]) {}

  get size(): number {
    return this.nodes.length;
  }

  has(node: NodeIndex): boolean {
    return this.nodes.includes(node);
  }
}

class ManyNodes implements NodeSet {
  private readonly found: ReadonlySet<NodeIndex>;

  constructor(readonly nodes: readonly NodeIndex[]) {
    this.found = new Set(nodes);
  }

  get size(): number {
    return this.found.size;
  }

  has(node: NodeIndex): boolean {
    return this.found.has(node);
  }
}
