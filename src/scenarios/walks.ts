/**
 * FlowGraph → walks that together take every edge that a call can take, and enter every global node.
 *
 * Greedy: a walk goes to the nearest edge that is not covered yet; if there is none ahead, it enters a
 * global node that is not covered; then it goes to the nearest end, an exit or a node without edges. A
 * call without an end stops when nothing is left to cover. Few walks, not the fewest.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { EdgeIndex, NodeIndex } from '../compiler/ir/ids.js';

/** How a walk comes to a node: the call begins, by an edge, or by the condition of the global node. */
export type Arrival =
  | { readonly kind: 'start' }
  | { readonly kind: 'edge'; readonly edge: EdgeIndex }
  | { readonly kind: 'global' };

export interface Step {
  readonly node: NodeIndex;
  readonly arrival: Arrival;
}

/** With more steps looked at than this, the walks are too long for anybody to read. */
const maxEffort = 20_000_000;

/** The walks, each from the start; null if they are too long. */
export function planWalks(graph: FlowGraph): (readonly Step[])[] | null {
  const { start, leaving, globals, workflow } = graph;
  const edges = leaving.map((all) =>
    all.map(({ to, index }): Step => ({ node: to, arrival: { kind: 'edge', edge: index } })),
  );
  const entering = globals.map((node): Step => ({ node, arrival: { kind: 'global' } }));
  const edgesFrom = (node: NodeIndex): readonly Step[] => edges[node]!;
  const allFrom = (node: NodeIndex): readonly Step[] =>
    workflow.nodes[node]!.role === 'exit' ? [] : [...edges[node]!, ...entering];
  const left = new Set([...graph.order.flatMap(edgesFrom), ...allFrom(start)].map(keyOf));
  const isUncovered = (step: Step) => left.has(keyOf(step));
  const isEnd = ({ node }: Step) => leaving[node]!.length === 0;
  let effort = 0;

  /** The shortest path from the node to a step that fits, by edges if possible. */
  function pathTo(from: NodeIndex, fits: (step: Step) => boolean): Step[] {
    return searchBy(edgesFrom, from, fits) ?? searchBy(allFrom, from, fits) ?? [];
  }

  function searchBy(
    stepsFrom: (node: NodeIndex) => readonly Step[],
    from: NodeIndex,
    fits: (step: Step) => boolean,
  ): Step[] | null {
    const cameBy = new Map<NodeIndex, { step: Step; before: NodeIndex } | null>([[from, null]]);
    for (const node of cameBy.keys()) {
      for (const step of stepsFrom(node)) {
        effort += 1;
        if (effort > maxEffort) return null;
        if (fits(step)) {
          const path = [step];
          for (let at = cameBy.get(node)!; at !== null; at = cameBy.get(at.before)!) {
            path.push(at.step);
          }
          // A step that is kept costs more than one that is looked at.
          effort += 10 * path.length;
          return path.reverse();
        }
        if (!cameBy.has(step.node)) cameBy.set(step.node, { step, before: node });
      }
    }
    return null;
  }

  const walks: Step[][] = [];
  while (left.size > 0 || walks.length === 0) {
    const walk: Step[] = [{ node: start, arrival: { kind: 'start' } }];
    const here = () => walk.at(-1)!.node;
    for (let path = pathTo(here(), isUncovered); path.length > 0; ) {
      walk.push(...path);
      for (const step of path) left.delete(keyOf(step));
      path = pathTo(here(), isUncovered);
    }
    if (!isEnd(walk.at(-1)!)) walk.push(...pathTo(here(), isEnd));
    if (effort > maxEffort) return null;
    walks.push(walk);
  }
  return walks;
}

function keyOf({ node, arrival }: Step): string {
  return arrival.kind === 'edge' ? `edge ${arrival.edge}` : `node ${node}`;
}
