/**
 * Reads that no definition reaches, and reads that a call can reach before any definition.
 *
 * In: the flow graph and its variables. Out: the variables with such reads. Example: in start →
 * (ask, skip) → bye, where ask captures what bye reads, the walk start → skip → bye comes too early.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { bit, has, propagate } from '../../graph/flows.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Diagnostic, Question } from '../ir/result.js';
import { listUnreached } from '../ir/texts.js';
import {
  builtInVariables,
  hasUnreached,
  isSet,
  type ReadReview,
  type Variable,
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
  const unsetAtStart = none.with(graph.start, bit(variables.size) - 1n);
  const unsetBefore = propagate(arcs, unsetAtStart, (node, before) => before & ~sets[node]!);
  return [...variables.values()].flatMap((variable) => {
    const { name, number } = variable;
    // A tool may set it at any time, so nothing can be said about its reads.
    if (variable.offers.length > 0 || supplied.has(name)) return [];
    const isSetSomewhere = isSet(variable);
    if (!isSetSomewhere && builtInVariables.has(name)) return [];
    const capturing = new Set(variable.captures.map(({ node }) => node));
    // A node's texts may name what the node itself captures: "ask for {{name}}".
    const isOpen = (node: NodeIndex) => !capturing.has(node);
    const isOpenOnLeaving = (node: NodeIndex) => !has(sets[node]!, number);
    const onLeaving = variable.aliasReads.filter(isOpenOnLeaving);
    const texts = [...variable.reads.filter(isOpen), ...onLeaving];
    const conditions = variable.conditionReads.filter(isOpenOnLeaving);
    const isUnreached = (node: NodeIndex) => !has(setBefore[node]!, number);
    const maybeUnset = [...texts, ...conditions].filter(
      (node) => !isUnreached(node) && has(unsetBefore[node]!, number),
    );
    const review: ReadReview = {
      variable,
      unreached: {
        texts: new Set(texts.filter(isUnreached)),
        conditions: new Set(conditions.filter(isUnreached)),
        // A read at a global node is only in question if nothing sets the variable anywhere.
        globals: new Set(isSetSomewhere ? [] : variable.globalReads),
        globalPrompt: variable.readEverywhere && !isSetSomewhere,
      },
      maybeUnset,
      unsetWalk: maybeUnset.length === 0 ? [] : walkUnset(graph, variable, maybeUnset),
    };
    return hasUnreached(review) || maybeUnset.length > 0 ? [review] : [];
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

/**
 * A shortest walk to one of these nodes, to which the variable can be unset; global nodes are
 * entered from the start, where all that is ever unset is unset.
 */
function walkUnset(
  { start, globals, successors }: FlowGraph,
  { captures, responses, given }: Variable,
  nodes: readonly NodeIndex[],
): NodeIndex[] {
  const setting = new Set([...captures.map(({ node }) => node), ...responses]);
  const before = new Map<NodeIndex, NodeIndex | null>([[start, null]]);
  for (const [node] of before) {
    const entered = node === start ? globals.filter((it) => !given.includes(it)) : [];
    for (const next of setting.has(node) ? [] : [...successors[node]!, ...entered]) {
      if (!before.has(next)) before.set(next, node);
    }
  }
  const walks = nodes.map((last) => {
    const walk: NodeIndex[] = [];
    for (let at: NodeIndex | null = last; at !== null; at = before.get(at)!) walk.push(at);
    return walk.reverse();
  });
  return walks.toSorted((one, other) => one.length - other.length)[0]!;
}
