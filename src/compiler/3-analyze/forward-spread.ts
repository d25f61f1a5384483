/**
 * Where a variable can be set and where it can be unset, for all nodes at once.
 *
 * Searches forward from the definitions and from where a call begins. One pass over the graph: too
 * much for a single read, and less than a search for each where there are many.
 */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Variable } from '../ir/variable-flow.js';
import { isEnteredUnset } from './liveness.js';

/** For each node, 1 where it can be come to with the variable set, or without. */
export interface Spread {
  readonly set: Uint8Array;
  readonly unset: Uint8Array;
}

export function spreadForward(
  graph: FlowGraph,
  variable: Variable,
  defining: ReadonlySet<NodeIndex>,
): Spread {
  const { globals, start, successors } = graph;
  const { offsets, targets } = successors;
  const isOpen = (node: NodeIndex) => isEnteredUnset(graph, node, variable);
  const isSetSomewhere = defining.size > 0 || !globals.every(isOpen);
  const unsetAt = defining.has(start) ? [start] : [start, ...globals.filter(isOpen)];
  const setAt = isSetSomewhere ? [...globals] : [];
  for (const node of defining) {
    const end = offsets[node + 1]!;
    for (let slot = offsets[node]!; slot < end; slot += 1) setAt.push(targets[slot]! as NodeIndex);
  }
  return { set: spread(setAt), unset: spread(unsetAt) };

  /** Marks what can be come to from these on walks that no definition ends. */
  function spread(from: readonly NodeIndex[]): Uint8Array {
    const marked = new Uint8Array(offsets.length - 1);
    const pending: NodeIndex[] = [];
    const mark = (node: NodeIndex): void => {
      if (marked[node] === 1) return;
      marked[node] = 1;
      if (!defining.has(node)) pending.push(node);
    };
    from.forEach(mark);
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      const end = offsets[node + 1]!;
      for (let slot = offsets[node]!; slot < end; slot += 1) mark(targets[slot]! as NodeIndex);
    }
    return marked;
  }
}
