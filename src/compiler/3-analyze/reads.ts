/**
 * Reads that no definition reaches, and reads that a call can reach before any definition.
 *
 * In: the flow graph and its variables. Out: the variables with such reads. Example: in start →
 * (ask, skip) → bye, where ask captures what bye reads, the walk start → skip → bye comes too early.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { type Bits, bit, has, propagate } from '../../graph/flows.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Diagnostic, Question } from '../ir/result.js';
import { listUnreached } from '../ir/texts.js';
import {
  builtInVariables,
  hasUnreached,
  isSet,
  type ReadReview,
  type Variables,
} from '../ir/variables.js';
import { withGlobals } from './flow-graph.js';
import { collectByNode, listVariables } from './variables.js';

/** The graph with its variables, and the reads that need a question or a warning. */
export function analyzeReads<Graph extends FlowGraph>(graph: Graph, supplied: ReadonlySet<string>) {
  const variables = listVariables(graph);
  return { graph, variables, supplied, reviews: reviewReads(graph, variables, supplied) };
}

/**
 * The variables whose reads need attention: a question for reads that no definition reaches, a
 * warning for reads that a walk can reach before the variable is set. `supplied` are the variables
 * that are set from the start.
 */
function reviewReads(
  graph: FlowGraph,
  variables: Variables,
  supplied: ReadonlySet<string>,
): ReadReview[] {
  const { arcs, entryOf } = withGlobals(graph);
  const sets = collectByNode(arcs.length, variables.values(), ({ captures, responses, given }) => [
    ...captures.map(({ node }) => node),
    ...[...responses, ...given.map(entryOf)],
  ]);
  const none = arcs.map(() => 0n);
  const setBefore = propagate(arcs, none, (node, before) => before | sets[node]!);
  const arrivals = traceUnset(graph, bit(variables.size) - 1n, sets, entryOf);
  return [...variables.values()].flatMap((variable) => {
    // A tool may set it at any time, so nothing can be said about its reads.
    if (variable.offers.length > 0 || supplied.has(variable.name)) return [];
    const isSetSomewhere = isSet(variable);
    if (!isSetSomewhere && builtInVariables.has(variable.name)) return [];
    const capturing = new Set(variable.captures.map(({ node }) => node));
    const responding = new Set(variable.responses);
    const onLeaving = (nodes: readonly NodeIndex[]) => nodes.filter((it) => !responding.has(it));
    // A node's texts may name what the node itself captures: "ask for {{name}}".
    const isOpen = (node: NodeIndex) => !capturing.has(node);
    const texts = [...variable.reads, ...onLeaving(variable.aliasReads)].filter(isOpen);
    const conditions = onLeaving(variable.conditionReads).filter(isOpen);
    const isUnreached = (node: NodeIndex) => !has(setBefore[node]!, variable.number);
    const walks = [...texts, ...conditions].flatMap((node) =>
      isUnreached(node) ? [] : (findArrival(arrivals, node, bit(variable.number)) ?? []),
    );
    const [shortest] = walks.toSorted((one, other) => one.steps - other.steps);
    const review: ReadReview = {
      variable,
      unreached: {
        texts: new Set(texts.filter(isUnreached)),
        conditions: new Set(conditions.filter(isUnreached)),
        // A read at a global node is only in question if nothing sets the variable anywhere.
        globals: new Set(isSetSomewhere ? [] : variable.globalReads),
        globalPrompt: variable.readEverywhere && !isSetSomewhere,
      },
      maybeUnset: walks.map(({ to }) => to),
      unsetWalk: shortest === undefined ? [] : walkAlong(arrivals, shortest, bit(variable.number)),
    };
    return hasUnreached(review) || walks.length > 0 ? [review] : [];
  });
}

/** Warnings that remain; variables of an open question are left to the question. */
export function warnAboutReads(
  graph: FlowGraph,
  reviews: readonly ReadReview[],
  open: readonly Question[],
): Diagnostic[] {
  const asked = new Set(open.map(({ id }) => id));
  return reviews.flatMap((review) => {
    const { variable, unreached, maybeUnset, unsetWalk } = review;
    const { name } = variable;
    if (hasUnreached(review)) {
      if (asked.has(`undefined-variable:${name}`)) return [];
      const [at = '', ...related] = listUnreached(graph, name, unreached).map((text) => text.at);
      return [diagnose('data/never-set', at, { variable: name }, { related })];
    }
    const [at = '', ...related] = new Set(maybeUnset.map((node) => graph.workflow.nodes[node]!.at));
    const walk = unsetWalk.map((node) => graph.workflow.nodes[node]!.id);
    return [diagnose('data/maybe-unset', at, { variable: name, walk }, { related })];
  });
}

/** The variables that arrive at a node unset, by the node before it, after so many steps. */
interface Arrival {
  readonly to: NodeIndex;
  readonly from: NodeIndex | null;
  readonly steps: number;
  readonly unset: Bits;
}

/**
 * For each node how variables first arrive there unset; each variable once, by a shortest walk.
 * Global nodes are entered from the start, where all that is ever unset is unset.
 */
function traceUnset(
  { start, globals, successors }: FlowGraph,
  all: Bits,
  sets: readonly Bits[],
  entryOf: (global: NodeIndex) => number,
): Arrival[][] {
  const arrivals: Arrival[][] = successors.map(() => []);
  const unset = successors.map(() => 0n);
  const first: Arrival = { to: start, from: null, steps: 0, unset: all };
  unset[start] = all;
  arrivals[start]!.push(first);
  let latest = new Map([[start, all]]);
  for (let steps = 1; latest.size > 0; steps += 1) {
    const next = new Map<NodeIndex, Bits>();
    for (const [from, arrived] of latest) {
      const left = arrived & ~sets[from]!;
      const visit = (to: NodeIndex, given: Bits) => {
        const fresh = left & ~given & ~unset[to]!;
        if (fresh === 0n) return;
        unset[to]! |= fresh;
        arrivals[to]!.push({ to, from, steps, unset: fresh });
        next.set(to, (next.get(to) ?? 0n) | fresh);
      };
      for (const to of successors[from]!) visit(to, 0n);
      for (const to of from === start ? globals : []) visit(to, sets[entryOf(to)]!);
    }
    latest = next;
  }
  return arrivals;
}

function findArrival(arrivals: readonly (readonly Arrival[])[], node: NodeIndex, variable: Bits) {
  return arrivals[node]!.find(({ unset }) => (unset & variable) !== 0n);
}

/** The walk that ends with an arrival. */
function walkAlong(
  arrivals: readonly (readonly Arrival[])[],
  last: Arrival,
  variable: Bits,
): readonly NodeIndex[] {
  const walk = [last.to];
  for (let { from } = last; from !== null; from = findArrival(arrivals, from, variable)!.from) {
    walk.push(from);
  }
  return walk.reverse();
}
