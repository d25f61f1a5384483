/** The same workflow, written down in another order. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isExit, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { startCandidates } from '../simulator/workflow.js';
import { nth, wheel } from './pick.js';

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
    return !isExit(node) && mayStart ? 'starts' : null;
  });
  const edgeOrders = workflow.edges.map(({ from }) => `from ${from}`);
  const order = {
    nodes: shuffle(nodeOrders, numbers),
    edges: shuffle(edgeOrders, numbers.slice(1)),
  };
  const moved = {
    ...workflow,
    nodes: order.nodes.map((index) => nth(workflow.nodes, index)),
    edges: order.edges.map((index) => nth(workflow.edges, index)),
  };
  const place = (at: JsonPointer): JsonPointer =>
    at.replace(/^\/(nodes|edges)\/(\d+)/, (_, list: 'nodes' | 'edges', position: string) => {
      return `/${list}/${order[list].indexOf(Number(position))}`;
    });
  return { workflow: shuffleKeys(moved, numbers), place };
}

/**
 * The positions of a list in another order; items of one order keep theirs, as they take the places
 * that fall to them.
 */
function shuffle(orders: readonly (string | null)[], numbers: readonly number[]): number[] {
  const waiting = new Map<string, number[]>();
  for (const [index, order] of orders.entries()) {
    if (order !== null) waiting.set(order, [...(waiting.get(order) ?? []), index]);
  }
  return shufflePositions(orders.length, numbers).map(
    (index) => waiting.get(orders[index] ?? '')?.shift() ?? index,
  );
}

/** Without numbers the positions are reversed. */
function shufflePositions(count: number, numbers: readonly number[]): number[] {
  const rest = Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: count }, (_, turn) => {
    const number = numbers.length > 0 ? wheel(numbers, turn) : 0;
    return nth(rest.splice(rest.length - 1 - (number % rest.length), 1), 0);
  });
}

/** The same value with the keys of all its objects in another order. */
export function shuffleKeys<T>(value: T, numbers: readonly number[]): T {
  const within = (each: unknown): unknown => {
    if (Array.isArray(each)) return each.map(within);
    if (typeof each !== 'object' || each === null) return each;
    const entries = Object.entries(each);
    const turned = shufflePositions(entries.length, numbers).map((index) => nth(entries, index));
    return Object.fromEntries(turned.map(([key, part]) => [key, within(part)]));
  };
  return within(value) as T;
}
