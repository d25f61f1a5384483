/** The search backwards from a read of a variable, which definitions stop. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';

/** A read of a variable on entry to a node, by its texts, or on leaving it, by a condition. */
export interface Read {
  readonly node: NodeIndex;
  readonly at: 'entry' | 'exit';
}

export interface BackwardVisitor {
  /** A node that does not define the variable; true ends the search. */
  readonly visit: (node: NodeIndex, walk: () => readonly NodeIndex[]) => boolean;
  /** A definition that leads to what was visited; true ends the search. */
  readonly meet: () => boolean;
  /** Nodes that are of no use; they are passed over. */
  readonly isUseless?: ((node: NodeIndex) => boolean) | null;
}

/**
 * Visits, nearest first, the nodes from which the read can be reached without a definition, and
 * gives how many there were.
 */
export type BackwardSearch = (
  defining: ReadonlySet<NodeIndex>,
  read: Read,
  visitor: BackwardVisitor,
) => number;

const unvisited = -2;
const isRead = -1;

/** One search after the other takes place in the same memory, and costs what it visits. */
export function createBackwardSearch({ predecessors }: FlowGraph): BackwardSearch {
  const { offsets, targets } = predecessors;
  const next = new Int32Array(offsets.length - 1).fill(unvisited);
  return (defining, read, { visit, meet, isUseless = null }) => {
    const queue: NodeIndex[] = [read.node];
    next[read.node] = isRead;
    search();
    for (const node of queue) next[node] = unvisited;
    return queue.length;

    function search(): void {
      for (let head = 0; head < queue.length; head += 1) {
        const node = queue[head]!;
        if (visit(node, () => walkFrom(node, next))) return;
        const end = offsets[node + 1]!;
        for (let slot = offsets[node]!; slot < end; slot += 1) {
          const before = targets[slot]! as NodeIndex;
          if (defining.has(before)) {
            if (meet()) return;
          } else if (next[before] === unvisited && isUseless?.(before) !== true) {
            next[before] = node;
            queue.push(before);
          }
        }
      }
    }
  };
}

function walkFrom(node: NodeIndex, next: Int32Array): NodeIndex[] {
  const walk: NodeIndex[] = [];
  for (let at: number = node; at !== isRead; at = next[at]!) walk.push(at as NodeIndex);
  return walk;
}
