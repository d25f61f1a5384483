/**
 * Where variables are live: some walk from there reads them before they are set again.
 *
 * Liveness is a fact that flows against the edges: it begins where the variable is read and ends
 * where it is set. A read on entry comes before what the node sets, one on leaving after it. Every
 * node but an exit can step to every global node, so what is live on entry to one of those is live
 * wherever a call can go on, but for the nodes that set it.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { type Rows, tabulate } from '../rows.js';
import type { SourceGraph } from '../source-graph.js';
import { type CallOrder, markAfterGlobals } from './call-order.js';
import { type Flow, loopAt, makeFlow } from './flow.js';
import { testOf } from './lists.js';
import { type Fact, propagate } from './propagation.js';
import { listSetting, type Variable } from './sites.js';

/** The line of the nodes from its end, with the edges the other way round. */
export interface BackwardFlow {
  readonly flow: () => Flow;
  /** The place of a node in it. */
  readonly placeOf: (node: NodeIndex) => number;
  /** The last place that walks from the node may come to, as far as the line tells. */
  readonly reachOf: (node: NodeIndex) => number;
}

export function turnRound(order: CallOrder): BackwardFlow {
  const { positions, nodes, isStraight } = order;
  const last = nodes.length - 1;
  const placeOf = (node: NodeIndex) => last - positions[node]!;
  // Most variables are settled without it.
  let made: Flow | null = null;
  const flow = () => {
    made ??= makeFlow(mirror(order.after));
    return made;
  };
  return {
    flow,
    placeOf,
    reachOf: (node) => (isStraight ? placeOf(node) : loopAt(flow(), placeOf(node)).last),
  };
}

function mirror({ offsets, targets }: Rows): Rows {
  const [size, count] = [offsets.length - 1, targets.length];
  return {
    offsets: tabulate(size + 1, (at) => count - offsets[size - at]!),
    targets: tabulate(count, (at) => size - 1 - targets[count - 1 - at]!),
  };
}

/** Liveness of a variable as a fact that is asked for up to a place of the backward flow. */
export function livenessOf(variable: Variable, { placeOf }: BackwardFlow, last: number): Fact {
  const setting = listSetting(variable);
  const sets = testOf(setting);
  const onLeaving = variable.exitReads.filter((node) => !sets(node));
  return {
    begins: [...variable.entryReads, ...onLeaving].map(placeOf),
    ends: setting.map(placeOf),
    last,
  };
}

/** The variables among these that are live on entry to a global node that leaves them as they are. */
export function findLiveThroughGlobals(
  graph: SourceGraph,
  backward: BackwardFlow,
  variables: readonly Variable[],
): ReadonlySet<Variable> {
  const live = new Set<Variable>();
  if (graph.globals.length === 0) return live;
  const afterGlobals = markAfterGlobals(graph);
  const isAfter = (node: NodeIndex) => afterGlobals[node] === 1;
  const places = graph.globals.map(({ index }) => backward.placeOf(index));
  const last = places.reduce((one, other) => Math.max(one, other));
  const asked: (Fact & { readonly variable: Variable })[] = [];
  for (const variable of variables) {
    if (isReadOnTheWay(graph, variable)) live.add(variable);
    else if (variable.entryReads.some(isAfter) || variable.exitReads.some(isAfter)) {
      asked.push({ ...livenessOf(variable, backward, last), variable });
    }
  }
  if (asked.length === 0) return live;
  propagate(backward.flow(), asked, ({ facts, holds }) => {
    const anywhere = places.reduce((word, place) => word | holds[place]!, 0);
    facts.forEach(({ variable }, bit) => {
      const { givenTo } = variable;
      const given = new Set(givenTo.map(backward.placeOf));
      const isLive = (place: number) => !given.has(place) && (holds[place]! & (1 << bit)) !== 0;
      const found = givenTo.length === 0 ? (anywhere & (1 << bit)) !== 0 : places.some(isLive);
      if (found) live.add(variable);
    });
  });
  return live;
}

/** Whether a step to some global node reads the variable, by its condition or on entry. */
function isReadOnTheWay(graph: SourceGraph, variable: Variable): boolean {
  const { entryReads, globalReads, inGlobalPrompt, givenTo } = variable;
  if (globalReads.length > 0) return true;
  const isOpen = (node: NodeIndex) => graph.nodeAt(node).global !== null && !givenTo.includes(node);
  return entryReads.some(isOpen) || (inGlobalPrompt && graph.globals.length > givenTo.length);
}
