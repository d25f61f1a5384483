/** The same workflow, written down in another order. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isExit, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { startCandidates } from '../simulator/workflow.js';
import { wheel } from './pick.js';

/** A workflow in another order, and where the things of the first one stand in it. */
export interface Rearranged {
  readonly workflow: SpecWorkflow;
  readonly place: (at: JsonPointer) => JsonPointer;
}

/** Shuffles keys, nodes and edges, as far as their order means nothing. */
export function rearrange(workflow: SpecWorkflow, numbers: readonly number[]): SpecWorkflow {
  return rearrangeAll(workflow, numbers).workflow;
}

/**
 * As `rearrange`, with the places. Global nodes keep their order among themselves, and so do the
 * nodes that may be the start, and the edges out of one node.
 */
export function rearrangeAll(workflow: SpecWorkflow, numbers: readonly number[]): Rearranged {
  const candidates = startCandidates(workflow);
  const nodeOrders = workflow.nodes.map((node, index) => {
    if (node.isGlobal) return 'globals';
    const mayStart = candidates.length === 0 || candidates.includes(index);
    return !isExit(node) && mayStart ? 'starts' : `node ${index}`;
  });
  const edgeOrders = workflow.edges.map(({ from }) => `from ${from}`);
  const order = {
    nodes: shuffle(nodeOrders, numbers),
    edges: shuffle(edgeOrders, numbers.slice(1)),
  };
  const nodes = order.nodes.map((index) => workflow.nodes[index]!);
  const edges = order.edges.map((index) => workflow.edges[index]!);
  const place = (at: JsonPointer): JsonPointer =>
    at.replace(/^\/(nodes|edges)\/(\d+)/, (_, list: 'nodes' | 'edges', position: string) => {
      return `/${list}/${order[list].indexOf(Number(position))}`;
    });
  return { workflow: shuffleKeys({ ...workflow, nodes, edges }, numbers), place };
}

/**
 * The positions of a list in another order. Those with the same key keep theirs, as they take the
 * places that fall to them. Without numbers the order is turned round.
 */
function shuffle(keys: readonly unknown[], numbers: readonly number[]): number[] {
  const rest = [...keys.keys()];
  const shuffled = keys.map((_, turn) => {
    const number = numbers.length > 0 ? wheel(numbers, turn) : 0;
    return rest.splice(rest.length - 1 - (number % rest.length), 1)[0]!;
  });
  const waiting = [...keys.entries()];
  return shuffled.map((index) => {
    const next = waiting.findIndex(([, key]) => key === keys[index]);
    return waiting.splice(next, 1)[0]![0];
  });
}

/** The same value with the keys of all its objects in another order. */
export function shuffleKeys<T>(value: T, numbers: readonly number[]): T {
  const within = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(within);
    if (typeof each !== 'object' || each === null) return each;
    const keys = Object.keys(each);
    const entries = shuffle(keys, numbers).map((at) => Object.entries(each)[at]!);
    return Object.fromEntries(entries.map(([key, part]) => [key, within(part)]));
  };
  return within(value) as T;
}
