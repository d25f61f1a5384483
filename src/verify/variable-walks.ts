/** What walks do to one variable: where it is live, and how far a capture reaches. */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Owners } from './owners.js';
import type { SourceGraph } from './source-graph.js';
import type { VariableSites } from './variable-sites.js';

/**
 * The nodes on entry to which the variable is live: some walk from there reads it before it is set
 * again. Every node but an exit can step to every global node.
 */
export function listLive(graph: SourceGraph, sites: VariableSites): ReadonlySet<NodeIndex> {
  const live = new Set<NodeIndex>(sites.entryReads);
  let isLiveOnEveryLeaving = false;
  for (const node of sites.exitReads) leave(node);
  if (sites.readByGlobals) leaveAll();
  // A set is visited in the order of its insertions, those made on the way included.
  for (const node of live) {
    if (graph.nodeAt(node).global !== null && !sites.givenTo.has(node)) leaveAll();
    for (const edge of graph.entering(node)) leave(edge.from);
  }
  return live;

  function leave(node: NodeIndex): void {
    if (!sites.captures.has(node) && !sites.responses.has(node)) live.add(node);
  }
  function leaveAll(): void {
    if (isLiveOnEveryLeaving) return;
    isLiveOnEveryLeaving = true;
    for (const node of graph.reachable) if (graph.nodeAt(node).role !== 'exit') leave(node);
  }
}

/**
 * The nodes of the assistant on whose leaving the capture at `from` can be the latest word on the
 * variable: a walk from there comes to them without leaving the assistant and without passing
 * another capture or response. None where the node's own tool has the later word.
 */
export function listReached(
  graph: SourceGraph,
  owners: Owners,
  member: number,
  sites: VariableSites,
  from: NodeIndex,
): ReadonlySet<NodeIndex> {
  const reached = new Set<NodeIndex>();
  if (sites.responses.has(from)) return reached;
  reached.add(from);
  for (const { index } of graph.globals) if (!sites.givenTo.has(index)) enter(index);
  for (const node of reached) for (const edge of graph.leaving(node)) enter(edge.to);
  return reached;

  function enter(node: NodeIndex): void {
    if (graph.nodeAt(node).role === 'exit' || !owners.of(node).has(member)) return;
    if (!sites.captures.has(node) && !sites.responses.has(node)) reached.add(node);
  }
}
