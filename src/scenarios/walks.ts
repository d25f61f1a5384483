/**
 * FlowGraph → walks that together take everything a call can take: every edge, and for each global
 * node one step into it. So every node and every exit is come to as well.
 *
 * Greedy: a walk goes to the nearest edge that none has taken yet, as long as there is one ahead; then
 * it enters a global node that none has entered; then it goes to the nearest end, an exit or a node
 * without an edge. A call that can come to no end stops where it has nothing left to take. Few walks,
 * not the fewest.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { EdgeIndex, NodeIndex } from '../compiler/ir/ids.js';

/** How a walk comes to a node: the call begins, an edge, or the condition of the global node. */
export type Arrival =
  | { readonly kind: 'start' }
  | { readonly kind: 'edge'; readonly edge: EdgeIndex }
  | { readonly kind: 'global' };

export interface Step {
  readonly node: NodeIndex;
  readonly arrival: Arrival;
}

/** An edge, or the step into a global node. */
export type Crossing = Exclude<Arrival, { kind: 'start' }> & { readonly to: NodeIndex };

/** Steps that are looked at before the walks count as too long for anybody to read. */
const maxEffort = 20_000_000;
/** What a step that is taken costs beside one that is only looked at: it is kept. */
const keeping = 10;

/** The walks, each from the start; null where they are too long to be kept. */
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
  const isFresh = (step: Step) => left.has(keyOf(step));
  const isEnd = ({ node }: Step) => leaving[node]!.length === 0;
  let effort = 0;

  /** The shortest way from the node to a step that fits; null where there is none. */
  function wayTo(
    from: NodeIndex,
    stepsFrom: (node: NodeIndex) => readonly Step[],
    fits: (it: Step) => boolean,
  ) {
    const cameBy = new Map<NodeIndex, { step: Step; before: NodeIndex } | null>([[from, null]]);
    for (const node of cameBy.keys()) {
      for (const step of stepsFrom(node)) {
        effort += 1;
        if (effort > maxEffort) return null;
        const isNew = !cameBy.has(step.node);
        if (!fits(step)) {
          if (isNew) cameBy.set(step.node, { step, before: node });
          continue;
        }
        const way = [step];
        for (let at = cameBy.get(node)!; at !== null; at = cameBy.get(at.before)!)
          way.push(at.step);
        return way.reverse();
      }
    }
    return null;
  }

  const walks: Step[][] = [];
  while (left.size > 0 || walks.length === 0) {
    const walk: Step[] = [{ node: start, arrival: { kind: 'start' } }];
    const here = () => walk.at(-1)!.node;
    for (;;) {
      const way = wayTo(here(), edgesFrom, isFresh) ?? wayTo(here(), allFrom, isFresh);
      if (way === null) break;
      walk.push(...way);
      for (const step of way) left.delete(keyOf(step));
    }
    if (!isEnd(walk.at(-1)!)) {
      walk.push(...(wayTo(here(), edgesFrom, isEnd) ?? wayTo(here(), allFrom, isEnd) ?? []));
    }
    effort += keeping * walk.length;
    if (effort > maxEffort) return null;
    walks.push(walk);
  }
  return walks;
}

function keyOf({ node, arrival }: Step): string {
  return arrival.kind === 'edge' ? `edge ${arrival.edge}` : `node ${node}`;
}
