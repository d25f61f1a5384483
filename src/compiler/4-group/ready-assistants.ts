/**
 * Nodes that are assistants already: each stays a member of its own.
 *
 * In: the graph that is grouped. Out: splits that hold for every later phase. One keeps every such
 * node apart from all others that talk; tools may join it as they join any stage. A saved one has
 * a prompt that nobody can write to, so the other split keeps it apart from tools as well: a tool
 * before it belongs to whoever leads to it, and one behind it to the branch that it opens.
 */
import { Kind } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Split, StageGraph } from './stages.js';

export function isReady(within: StageGraph, node: NodeIndex): boolean {
  return (within.graph.kinds[node]! & Kind.assistant) !== 0;
}

/** None where no node is an assistant already. */
export function splitsOfReady(within: StageGraph): Split[] {
  const { nodes } = within.graph.workflow;
  const ready = within.nodes.filter((node) => isReady(within, node));
  if (ready.length === 0) return [];
  const saved = ready.filter((node) => nodes[node]!.assistant!.savedAs !== null);
  const talk = within.nodes.filter((node) => nodes[node]!.role === 'talk');
  return [setApart(talk, ready), ...(saved.length === 0 ? [] : [setApart(within.nodes, saved)])];
}

/** A label for each of the few, and one for all the others. */
function setApart(all: readonly NodeIndex[], few: readonly NodeIndex[]): Split {
  const others = all.map((node) => [node, 'others'] as const);
  return new Map([...others, ...few.map((node) => [node, `assistant ${node}`] as const)]);
}
