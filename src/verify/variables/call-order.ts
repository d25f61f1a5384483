/**
 * The nodes that a call can reach, in a line: topological order of the strongly connected
 * components, reverse postorder within each. Steps to global nodes are no arcs here.
 *
 * Invariants: an edge between two components leads forwards; the nodes of a component stand
 * together; components are numbered in the order of the line.
 */
import { type Rows, reverseRows, sortByKey, tabulate } from '../rows.js';
import type { SourceGraph } from '../source-graph.js';
import { numberComponents } from '../strong-components.js';

export interface CallOrder {
  /** The nodes, by position. */
  readonly nodes: Int32Array;
  /** The position of each node of the workflow; -1 where no call comes. */
  readonly positions: Int32Array;
  /** Whether no edge leads back, so that every node is a component of its own. */
  readonly isStraight: boolean;
  /** The component of each position. */
  readonly components: Int32Array;
  /** Positions that edges lead to, and come from, by position. */
  readonly after: Rows;
  readonly before: Rows;
}

export function orderCalls(graph: SourceGraph): CallOrder {
  const reversed = finishingOrder(graph).reverse();
  const positions = placesOf(reversed, graph);
  const isStraight = graph.edges.every(({ from, to }) => positions[from]! < positions[to]!);
  if (isStraight) return new Line(graph, reversed, positions, null);
  const component = numberComponents(graph.successors);
  const { length: count } = reversed;
  const { order } = sortByKey(
    component.length,
    tabulate(count, (at) => component[reversed[at]!]!),
  );
  const nodes = tabulate(count, (at) => reversed[order[at]!]!);
  return new Line(graph, nodes, placesOf(nodes, graph), component);
}

/** Most questions are about positions alone, so the rest is made when it is asked for. */
class Line implements CallOrder {
  readonly isStraight: boolean;
  private numbers: Int32Array | null = null;
  private forth: Rows | null = null;
  private back: Rows | null = null;

  /** `component` is that of each node of the workflow; null where the line is straight. */
  constructor(
    private readonly graph: SourceGraph,
    readonly nodes: Int32Array,
    readonly positions: Int32Array,
    private readonly component: Int32Array | null,
  ) {
    this.isStraight = component === null;
  }

  get components(): Int32Array {
    const { nodes, component } = this;
    this.numbers ??= tabulate(nodes.length, (at) =>
      component === null ? at : component[nodes[at]!]!,
    );
    return this.numbers;
  }

  get after(): Rows {
    this.forth ??= alongLine(this, this.graph.successors);
    return this.forth;
  }

  get before(): Rows {
    this.back ??= reverseRows(this.after);
    return this.back;
  }
}

/** The edges between positions. */
function alongLine(
  { nodes, positions }: Pick<CallOrder, 'nodes' | 'positions'>,
  successors: Rows,
): Rows {
  const offsets = new Int32Array(nodes.length + 1);
  for (let at = 0; at < nodes.length; at += 1) {
    const node = nodes[at]!;
    offsets[at + 1] = offsets[at]! + successors.offsets[node + 1]! - successors.offsets[node]!;
  }
  const targets = new Int32Array(offsets[nodes.length]!);
  for (let at = 0; at < nodes.length; at += 1) {
    const shift = successors.offsets[nodes[at]!]! - offsets[at]!;
    for (let slot = offsets[at]!; slot < offsets[at + 1]!; slot += 1) {
      targets[slot] = positions[successors.targets[slot + shift]!]!;
    }
  }
  return { offsets, targets };
}

/** By node of the workflow, where it stands in the line; -1 where nowhere. */
function placesOf(nodes: Int32Array, { workflow }: SourceGraph): Int32Array {
  const positions = new Int32Array(workflow.nodes.length).fill(-1);
  for (let at = 0; at < nodes.length; at += 1) positions[nodes[at]!] = at;
  return positions;
}

/** Nodes in the order in which a depth-first search from one root after the other leaves them. */
function finishingOrder({ successors, globals, start, order }: SourceGraph): Int32Array {
  const { offsets, targets } = successors;
  const seen = new Uint8Array(offsets.length - 1);
  const next = offsets.slice();
  const finished = new Int32Array(order.length);
  const trail = new Int32Array(order.length);
  let count = 0;
  // What only the start leads to is left last, so that it stands first.
  for (const root of [...globals.map(({ index }) => index), start]) {
    if (seen[root] === 1) continue;
    seen[root] = 1;
    trail[0] = root;
    for (let depth = 0; depth >= 0; ) {
      const node = trail[depth]!;
      if (next[node] === offsets[node + 1]) {
        finished[count++] = node;
        depth -= 1;
        continue;
      }
      const target = targets[next[node]!++]!;
      if (seen[target] === 1) continue;
      seen[target] = 1;
      trail[++depth] = target;
    }
  }
  return finished;
}

/** Whether a walk from a global node comes to the node, by node. */
export function markAfterGlobals({ successors, globals }: SourceGraph): Uint8Array {
  const { offsets, targets } = successors;
  const marked = new Uint8Array(offsets.length - 1);
  const pending: number[] = globals.map(({ index }) => index);
  for (const node of pending) marked[node] = 1;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      const target = targets[slot]!;
      if (marked[target] === 1) continue;
      marked[target] = 1;
      pending.push(target);
    }
  }
  return marked;
}
