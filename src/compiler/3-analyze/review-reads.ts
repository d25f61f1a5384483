/**
 * Looks at all reads of all variables.
 *
 * In: the flow graph, and what its variables do. Out: the variables about whose reads there is
 * something to say: a human is asked about reads that no definition reaches, and warned of those
 * that a walk can come to before the variable is set. Example: in start → (ask, skip) → bye, where
 * ask captures what bye reads, the walk start → skip → bye.
 */

import type { FlowGraph } from '../ir/flow-graph.js';
import {
  builtInVariables,
  hasUnreached,
  isSet,
  type ReadReview,
  type Variable,
  type VariableFlow,
} from '../ir/variables.js';
import {
  type Calls,
  findShortestWalks,
  findUnsetWalk,
  type ShortestWalks,
  traceCalls,
  traceReads,
} from './reaching.js';

/** Looks at all reads; `supplied` are the variables that are there from the start. */
export function reviewReads(
  graph: FlowGraph,
  flow: VariableFlow,
  supplied: ReadonlySet<string>,
): ReadReview[] {
  const calls = traceCalls(graph, [graph.start]);
  const shortest = findShortestWalks(graph);
  return [...flow.variables.values()].flatMap((variable) => {
    // What a tool may set at any time is nobody's to ask about.
    if (variable.offers.length > 0 || supplied.has(variable.name)) return [];
    if (!isSet(variable) && builtInVariables.has(variable.name)) return [];
    const review = reviewVariable(calls, shortest, variable);
    return hasUnreached(review) || review.maybeUnset.length > 0 ? [review] : [];
  });
}

function reviewVariable(calls: Calls, shortest: ShortestWalks, variable: Variable): ReadReview {
  const { captures, responses, readEverywhere, globalReads } = variable;
  const capturing = new Set(captures.map(({ node }) => node));
  const responding = new Set(responses);
  const reads = [
    ...variable.reads.map((node) => ({ node, by: 'text', leaving: false })),
    ...variable.aliasReads.map((node) => ({ node, by: 'text', leaving: true })),
    ...variable.conditionReads.map((node) => ({ node, by: 'condition', leaving: true })),
    // What a node captures itself, its texts may name: "ask for {{name}}".
  ].filter(({ node }) => !capturing.has(node));
  const reach = traceReads(
    calls,
    variable,
    reads.map(({ node }) => node),
  );
  const found = reads.map(({ node, by, leaving }) => {
    const isSetHere = leaving && responding.has(node);
    const isReached = isSetHere || reach.set.has(node);
    return { node, by, isReached, isUnset: !isSetHere && reach.unset.has(node) };
  });
  const unreachedBy = (kind: string) => {
    const unreached = found.filter(({ by, isReached }) => by === kind && !isReached);
    return new Set(unreached.map(({ node }) => node));
  };
  const maybeUnset = found.filter(({ isReached, isUnset }) => isReached && isUnset);
  const nodes = maybeUnset.map(({ node }) => node);
  return {
    variable,
    unreached: {
      texts: unreachedBy('text'),
      conditions: unreachedBy('condition'),
      // What is read everywhere is only asked about when nothing sets it anywhere.
      globals: new Set(isSet(variable) ? [] : globalReads),
      globalPrompt: readEverywhere && !isSet(variable),
    },
    maybeUnset: nodes,
    unsetWalk: nodes.length === 0 ? [] : findUnsetWalk(calls, shortest, variable, nodes),
  };
}
