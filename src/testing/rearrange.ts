/** The same workflow in another order. */
import { isObject } from '../text/json.js';
import type { JsonPointer } from '../text/pointer.js';
import { drawing } from './pick.js';
import { isExit, type SpecWorkflow, startCandidates } from './spec-workflow.js';

/** Shuffles keys, nodes and edges where their order has no meaning. */
export function rearrange(workflow: SpecWorkflow, numbers: readonly number[]): SpecWorkflow {
  return rearrangeAll(workflow, numbers).workflow;
}

/**
 * Like `rearrange`, with a map from places in the first workflow to places in the other. Global
 * nodes keep their order among themselves, and so do the possible starts and the edges out of one
 * node.
 */
export function rearrangeAll(workflow: SpecWorkflow, numbers: readonly number[]) {
  const candidates = startCandidates(workflow);
  const nodeOrders = workflow.nodes.map((node, index) => {
    if (node.isGlobal) return 'globals';
    // Without edges, the order of the list is the proposed order.
    if (workflow.edges.length === 0) return 'listed';
    const mayStart = candidates.length === 0 || candidates.includes(index);
    return !isExit(node) && mayStart ? 'starts' : `node ${index}`;
  });
  const edgeOrders = workflow.edges.map(({ from }) => `from ${from}`);
  const order = [shuffle(nodeOrders, numbers), shuffle(edgeOrders, numbers.slice(1))] as const;
  const nodes = order[0].map((index) => workflow.nodes[index]!);
  const edges = order[1].map((index) => workflow.edges[index]!);
  const place = (at: JsonPointer): JsonPointer =>
    at.replace(/(?<=^\/(nodes|edges)\/)\d+/, (position, list: string) =>
      String(order[list === 'nodes' ? 0 : 1].indexOf(Number(position))),
    );
  return { workflow: shuffleKeys({ ...workflow, nodes, edges }, numbers), place };
}

/**
 * The positions of a list in another order. Those with the same key keep theirs among themselves.
 * Without numbers the order is reversed.
 */
function shuffle(keys: readonly unknown[], numbers: readonly number[]): number[] {
  const rest = [...keys.keys()];
  const next = drawing(numbers);
  const shuffled = keys.map(() => rest.splice(rest.length - 1 - (next() % rest.length), 1)[0]!);
  const waiting = [...keys.entries()];
  return shuffled.map((index) => {
    const place = waiting.findIndex(([, key]) => key === keys[index]);
    return waiting.splice(place, 1)[0]![0];
  });
}

/** The same value with the keys of all its objects in another order. */
export function shuffleKeys<T>(value: T, numbers: readonly number[]): T {
  const shuffled = (_: string, each: unknown): unknown => {
    if (!isObject(each)) return each;
    const entries = Object.entries(each);
    return Object.fromEntries(shuffle(Object.keys(each), numbers).map((at) => entries[at]!));
  };
  return JSON.parse(JSON.stringify(value, shuffled));
}
