/**
 * FlowGraph → walks that together take every edge that a call can take, and enter every global node.
 *
 * Greedy: a walk goes to the nearest edge that is not covered yet; if there is none ahead, it enters a
 * global node that is not covered; then it goes to the nearest end, an exit or a node without edges. A
 * call without an end stops when nothing is left to cover. Few walks, not the fewest.
 */
import type { Step } from '../call/machine.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';

/** How a node was reached, back to where the search began. */
interface Path {
  readonly step: Step;
  readonly before: Path | null;
}

/** With more steps looked at than this, the walks are too long for anybody to read. */
const maxEffort = 20_000_000;

/** The walks, each from the start; null if they are too long. */
export function planWalks(graph: FlowGraph): (readonly Step[])[] | null {
  const { start, leaving, globals, order, workflow } = graph;
  const edges = leaving.map((all) => all.map((edge): Step => ({ to: edge.to, edge })));
  const isExit = (node: number) => workflow.nodes[node]!.role === 'exit';
  // A call enters a global node from any other.
  const entered = globals.filter((to) => order.some((it) => it !== to && !isExit(it)));
  const entering = entered.map((to): Step => ({ to }));
  const left = new Set<Step>([...order.flatMap((node) => edges[node]!), ...entering]);
  let effort = 0;

  /** The shortest path from a node to a step that fits; empty if there is none. */
  function search(from: number, fits: (step: Step) => boolean, jumps: readonly Step[]): Step[] {
    const reached = new Map<number, Path | null>([[from, null]]);
    for (const [node, before] of reached) {
      const others = jumps.filter((step) => step.to !== node);
      for (const step of isExit(node) ? [] : [...edges[node]!, ...others]) {
        effort += 1;
        if (effort > maxEffort) return [];
        if (!fits(step)) {
          if (!reached.has(step.to)) reached.set(step.to, { step, before });
          continue;
        }
        const steps = [step];
        for (let at = before; at !== null; at = at.before) steps.push(at.step);
        // A step that is kept costs more than one that is looked at.
        effort += 10 * steps.length;
        return steps.reverse();
      }
    }
    return [];
  }

  const walks: Step[][] = [];
  while (left.size > 0 || walks.length === 0) {
    const walk: Step[] = [{ to: start }];
    const go = (fits: (step: Step) => boolean) => {
      const from = walk.at(-1)!.to;
      const byEdges = search(from, fits, []);
      const path = byEdges.length > 0 ? byEdges : search(from, fits, entering);
      walk.push(...path);
      for (const step of path) left.delete(step);
      return path.length > 0;
    };
    while (go((step) => left.has(step)));
    if (leaving[walk.at(-1)!.to]!.length > 0) go(({ to }) => leaving[to]!.length === 0);
    if (effort > maxEffort) return null;
    walks.push(walk);
  }
  return walks;
}
