/**
 * FlowGraph → walks that together take every edge that a call can take, and enter every global node.
 *
 * Greedy: a walk goes to the nearest edge that is not covered yet; if there is none ahead, it enters a
 * global node that is not covered; then it goes to the nearest end, an exit or a node without edges. A
 * call without an end stops when nothing is left to cover. Few walks, not the fewest.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { WorkflowEdge } from '../compiler/ir/workflow.js';

export interface Step {
  readonly node: NodeIndex;
  /** Null where the call begins, and where it enters a global node. */
  readonly edge: WorkflowEdge | null;
}

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
  const edges = leaving.map((all) => all.map((edge): Step => ({ node: edge.to, edge })));
  const isExit = (node: NodeIndex) => workflow.nodes[node]!.role === 'exit';
  // A call enters a global node from any other.
  const entered = globals.filter((node) => order.some((it) => it !== node && !isExit(it)));
  const entering = entered.map((node): Step => ({ node, edge: null }));
  const left = new Set<Step>([...order.flatMap((node) => edges[node]!), ...entering]);
  const isLeft = (step: Step) => left.has(step);
  const isEnd = ({ node }: Step) => leaving[node]!.length === 0;
  let effort = 0;

  /** The shortest path from a node to a step that fits, by edges if possible; empty if none. */
  function pathTo(from: NodeIndex, fits: (step: Step) => boolean): Step[] {
    const byEdges = search(from, fits, []);
    return byEdges.length > 0 ? byEdges : search(from, fits, entering);
  }

  function search(from: NodeIndex, fits: (step: Step) => boolean, jumps: readonly Step[]): Step[] {
    const reached = new Map<NodeIndex, Path | null>([[from, null]]);
    for (const [node, before] of reached) {
      const others = jumps.filter((step) => step.node !== node);
      for (const step of isExit(node) ? [] : [...edges[node]!, ...others]) {
        effort += 1;
        if (effort > maxEffort) return [];
        if (fits(step)) return stepsOf({ step, before });
        if (!reached.has(step.node)) reached.set(step.node, { step, before });
      }
    }
    return [];
  }

  function stepsOf(path: Path): Step[] {
    const steps: Step[] = [];
    for (let at: Path | null = path; at !== null; at = at.before) steps.push(at.step);
    // A step that is kept costs more than one that is looked at.
    effort += 10 * steps.length;
    return steps.reverse();
  }

  const walks: Step[][] = [];
  while (left.size > 0 || walks.length === 0) {
    const walk: Step[] = [{ node: start, edge: null }];
    const go = (fits: (step: Step) => boolean) => {
      const path = pathTo(walk.at(-1)!.node, fits);
      walk.push(...path);
      for (const step of path) left.delete(step);
      return path.length > 0;
    };
    while (go(isLeft));
    if (!isEnd(walk.at(-1)!)) go(isEnd);
    if (effort > maxEffort) return null;
    walks.push(walk);
  }
  return walks;
}
