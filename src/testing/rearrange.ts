/** The same workflow, written down in another order. */

import { startCandidates } from './source.js';
import { isExit, type SpecWorkflow, wheel } from './spec-workflow.js';

/** Shuffles keys, nodes and edges, as far as their order means nothing. */
export function rearrange(workflow: SpecWorkflow, numbers: readonly number[]): SpecWorkflow {
  const candidates = startCandidates(workflow);
  const mayStart = (index: number): boolean =>
    candidates.length === 0 || candidates.includes(index);
  const nodes = workflow.nodes.map((node, index) => {
    if (node.isGlobal) return { item: node, order: 'globals' };
    return { item: node, order: !isExit(node) && mayStart(index) ? 'starts' : null };
  });
  const edges = workflow.edges.map((edge) => ({ item: edge, order: edge.from }));
  const moved = {
    ...workflow,
    nodes: shuffle(nodes, numbers),
    edges: shuffle(edges, numbers.slice(1)),
  };
  return turnKeys(moved) as SpecWorkflow;
}

/** Shuffles a list; items of one order keep theirs, as they take the places that fall to them. */
function shuffle<T>(
  list: readonly { readonly item: T; readonly order: string | null }[],
  numbers: readonly number[],
): T[] {
  const rest = [...list];
  const shuffled = list.map((_, turn) => {
    const number = numbers.length > 0 ? wheel(numbers, turn) : 0;
    // Without numbers the list is reversed.
    const at = rest.length - 1 - (number % rest.length);
    return rest.splice(at, 1)[0] ?? list[0];
  });
  const waiting = new Map<string, T[]>();
  for (const { item, order } of list) {
    if (order !== null) waiting.set(order, [...(waiting.get(order) ?? []), item]);
  }
  return shuffled.flatMap((each) => {
    if (each === undefined) return [];
    const next = each.order === null ? each.item : waiting.get(each.order)?.shift();
    return next === undefined ? [] : [next];
  });
}

function turnKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnKeys);
  if (typeof value !== 'object' || value === null) return value;
  const turned = Object.entries(value).reverse();
  return Object.fromEntries(turned.map(([key, each]) => [key, turnKeys(each)]));
}
