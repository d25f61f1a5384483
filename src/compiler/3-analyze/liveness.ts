/**
 * Where a variable is live: some walk from there reads it before it is set again.
 *
 * In: the flow graph. Out: an answer for the variables and nodes that somebody asks about, by a
 * flood backwards from the reads, which ends at definitions, and at nodes that stand before all that
 * is asked for in a topological order. Every node that a call can go on from can step to every
 * global node: what is live on entry to one of these is live on leaving all the others.
 */
import { computeComponents } from '../../graph/partitions.js';
import { flood } from '../../graph/walks.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { VariableFlow } from '../ir/variables.js';
import { definingNodes, traceCalls, traceReads } from './reaching.js';

export function createLiveness(graph: FlowGraph): VariableFlow['liveAt'] {
  const { of } = computeComponents(graph.successors);
  const fromGlobals = traceCalls(graph, []);
  return (variable, nodes) => {
    const asked = [...nodes];
    const defining = definingNodes(variable);
    const onLeaving = variable.conditionReads.filter((node) => !defining.has(node));
    const reads = [...variable.reads, ...onLeaving];
    const earliest = asked.reduce((least, node) => Math.min(least, of[node]!), of.length);
    const isBetween = (node: NodeIndex) => !defining.has(node) && of[node]! >= earliest;
    const live = flood(reads, (node) => graph.predecessors[node]!.filter(isBetween));
    const { unset } = traceReads(fromGlobals, variable, reads);
    const everywhere = variable.globalReads.length > 0 || reads.some((node) => unset.has(node));
    const isLive = (node: NodeIndex) => {
      if (live.has(node)) return true;
      if (graph.workflow.nodes[node]!.role === 'exit') return false;
      return variable.readEverywhere || (everywhere && !defining.has(node));
    };
    return new Set(asked.filter(isLive));
  };
}
