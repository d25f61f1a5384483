/**
 * What the nodes are called: exports key them by name, the API and older documents by id. Edges may
 * use either, so an end is looked up among the ids first.
 */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child } from '../../ir/ids.js';
import { findNearest } from '../../names/nearest.js';
import { readString, requireString } from '../fields.js';
import { isReservedKey } from '../json-plain.js';
import { type Reading, take } from './reading.js';

export interface NodeId {
  readonly id: string;
  /** Its name, where it has one beside the id. */
  readonly name: string | null;
}

/** Null where the node has neither; that is told. */
export function takeNodeId(node: Reading): NodeId | null {
  const hasId = take(node, 'id') !== null;
  const name = take(node, 'name') === null ? null : readString(node, 'name');
  const id = hasId || name === null ? requireString(node, hasId ? 'id' : 'name', 'a node') : name;
  if (id === null) return null;
  if (!isReservedKey(id)) return { id, name: hasId ? name : null };
  const at = child(node.at, hasId ? 'id' : 'name');
  node.faults.push(diagnose('shape/reserved-name', at, { name: id }));
  return null;
}

/** Which node an end of an edge is. */
export type FindNode = (end: string) => number | undefined;

/** Ids count before names, and the first node of a name before the others. */
export function createFindNode(ids: readonly (NodeId | null)[]): FindNode {
  const byId = new Map<string, number>();
  const byName = new Map<string, number>();
  ids.forEach((it, index) => {
    if (it === null) return;
    if (!byId.has(it.id)) byId.set(it.id, index);
    if (it.name !== null && !byName.has(it.name)) byName.set(it.name, index);
  });
  return (end) => byId.get(end) ?? byName.get(end);
}

/** Names what an end leads to nowhere, and what may have been meant. */
export function reportMissing(
  edge: Reading,
  field: string,
  id: string,
  ids: readonly (NodeId | null)[],
): void {
  const known = ids.flatMap((it) => (it === null ? [] : [it.id, ...(it.name ?? [])]));
  const end = field === 'from' || field === 'source' ? 'from' : 'to';
  const args = { id, end, near: findNearest(id, known) } as const;
  edge.faults.push(diagnose('flow/missing-node', child(edge.at, field), args));
}
