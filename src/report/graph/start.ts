/**
 * Where a call begins, for a picture: the node that is marked, else the one that an answer names,
 * else the only one without a way in.
 *
 * Unlike the compiler it may not know: then no node is drawn as the start.
 */
import type { GraphNode, Json } from '../../index.js';
import { valueAt } from './value-at.js';

type Node = Pick<GraphNode, 'role' | 'isGlobal' | 'at'> & { readonly id: string };

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The place of the start. */
export function startOf(
  workflow: Json,
  nodes: readonly Node[],
  edges: readonly Edge[],
  answered: string | null,
): string | null {
  const marked = nodes.find(({ at }) => valueAt(workflow, `${at}/isStart`) === true);
  const named = nodes.find(({ id }) => id === answered);
  return (marked ?? named ?? onlyRoot(nodes, edges))?.at ?? null;
}

function onlyRoot(nodes: readonly Node[], edges: readonly Edge[]): Node | null {
  const exits = new Set(nodes.filter(({ role }) => role === 'exit').map(({ at }) => at));
  const counted = edges.filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set(counted.map(({ to }) => to));
  const roots = nodes.filter(
    ({ at, role, isGlobal }) => role !== 'exit' && !isGlobal && !entered.has(at),
  );
  return roots.length === 1 ? roots[0]! : null;
}
