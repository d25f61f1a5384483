/**
 * Reads of variables that nothing sets, and reads that may come too early.
 */

import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { edgesAt } from '../../graph/adjacency.js';
import { builtInVariables } from '../ir/built-ins.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Inquiry, UnreachedReads } from '../ir/inquiry.js';
import { withLazy } from '../ir/lazy.js';
import { once } from '../ir/once.js';
import type { Settled } from '../ir/options.js';
import type { Diagnostic, Question } from '../ir/result.js';
import type { Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Text } from '../ir/workflow.js';
import { findNearest } from '../names/nearest.js';
import { hasUnreached, isSet, type ReadReview } from './review-reads.js';
import { listAllTexts } from './texts.js';

/** Comparing every name with every other is only worth while for so many pairs. */
const maxComparisons = 1_000_000;
/** Listing the nodes that fit is only worth while in workflows of this size. */
const maxListed = 200;

export function askAboutVariables(
  graph: FlowGraph,
  flow: VariableFlow,
  reviews: readonly ReadReview[],
  options: Settled,
): Inquiry[] {
  const unset = reviews.filter(hasUnreached);
  if (unset.length === 0) return [];
  const isKnown = (it: Variable) => isSet(it) || it.offers.length > 0;
  const set = [...flow.variables.values()].filter(isKnown).map((variable) => variable.name);
  const known = new Set([...set, ...builtInVariables, ...options.dynamicVariables]);
  const sorted = [...known].sort();
  const isWorthComparing = known.size * unset.length <= maxComparisons;
  return unset.map((review) => {
    const { name } = review.variable;
    const findNear = once(() => (isWorthComparing ? findNearest(name, sorted) : null));
    return askAboutVariable(graph, review, { known, sorted, findNear }, options);
  });
}

/** Warnings that remain; variables that an open question is about are left to the question. */
export function warnAboutReads(
  graph: FlowGraph,
  reviews: readonly ReadReview[],
  open: readonly Question[],
): Diagnostic[] {
  if (reviews.length === 0) return [];
  const asked = new Set(open.map(({ id }) => id));
  return reviews.flatMap((review) => {
    if (!hasUnreached(review)) return [warnMaybeUnset(graph, review)];
    const { name } = review.variable;
    if (asked.has(`undefined-variable:${name}`)) return [];
    const [at = '', ...related] = listPlaces(graph, review.variable, review.unreached);
    return [diagnose('data/never-set', at, { variable: name }, { related })];
  });
}

function warnMaybeUnset(graph: FlowGraph, { variable, maybeUnset }: ReadReview): Diagnostic {
  const places = maybeUnset.map(({ node }) => graph.workflow.nodes[node]!.at);
  const [at = '', ...related] = [...new Set(places)];
  const walk = () => {
    const walks = maybeUnset.map(({ reach }) => reach.unsetWalk() ?? []);
    const shortest = walks.reduce((one, other) => (other.length < one.length ? other : one));
    return shortest.map((node) => graph.workflow.nodes[node]!.id);
  };
  const args = withLazy({ variable: variable.name }, { walk });
  return diagnose('data/maybe-unset', at, args, { related });
}

interface KnownNames {
  readonly known: ReadonlySet<string>;
  readonly sorted: readonly string[];
  /** The known name that was probably meant. */
  readonly findNear: () => string | null;
}

function askAboutVariable(
  graph: FlowGraph,
  { variable, unreached }: ReadReview,
  { known, sorted, findNear }: KnownNames,
  options: Settled,
): Inquiry {
  const { name } = variable;
  const { texts, conditions, globals, globalPrompt } = unreached;
  const everywhere = globalPrompt ? graph.order : [];
  const nodes = [...texts, ...conditions, ...globals, ...everywhere];
  const listCapturing = () =>
    listLeadingTo(graph, nodes).map((node) => graph.workflow.nodes[node]!.id);
  const question = ask('undefined-variable', name, {
    at: listPlaces(graph, variable, unreached),
    // Where an answer stands, nobody needs to know what was meant and what would fit.
    args: withLazy(
      { variable: name, nodes: idsOf(graph, [...texts, ...conditions, ...globals]) },
      { near: findNear },
    ),
    target: options.target,
    propose: () => {
      const near = findNear();
      return near === null ? {} : { proposal: 'rename', proposalValue: near };
    },
    allowed: withLazy(
      {},
      {
        rename: () => (sorted.length <= maxListed ? sorted.filter((it) => it !== name) : []),
        'captured-at': () => (graph.order.length <= maxListed ? listCapturing() : []),
      },
    ),
  });
  return {
    question,
    subject: { of: 'variable', name, unreached },
    allowed: new Map([['rename', known]]),
    objection: (choice, value) => {
      if (choice === 'rename' && value === name) return 'that is the name it has';
      if (choice !== 'captured-at' || listCapturing().includes(String(value))) return null;
      return `${JSON.stringify(value)} is no node that leads to a read of ${name}`;
    },
    assumed: { choice: 'caller' },
  };
}

/** Nodes that can capture, and from which one of the nodes can be reached, themselves included, in walk order. */
function listLeadingTo(graph: FlowGraph, nodes: readonly NodeIndex[]): NodeIndex[] {
  const { offsets, targets } = graph.predecessors;
  const found = new Set(nodes);
  const pending = [...nodes];
  let everywhere = false;
  for (let node = pending.pop(); node !== undefined && !everywhere; node = pending.pop()) {
    everywhere = graph.workflow.nodes[node]!.global !== null;
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      const before = targets[slot]! as NodeIndex;
      if (found.has(before)) continue;
      found.add(before);
      pending.push(before);
    }
  }
  return graph.order.filter(
    (node) => graph.workflow.nodes[node]!.role !== 'exit' && (everywhere || found.has(node)),
  );
}

/** The texts that read the variable where nothing reaches it, in walk order. */
function listPlaces(
  graph: FlowGraph,
  { name }: Variable,
  unreached: UnreachedReads,
): JsonPointer[] {
  const { nodes, edges } = graph.workflow;
  const reads = (text: Text | null) => text?.uses.some((use) => use.name === name) === true;
  const placesOf = (texts: readonly (Text | null)[]) => texts.filter(reads).map((it) => it!.at);
  const texts = [...unreached.texts].map((it) => [it, placesOf(listAllTexts(nodes[it]!))] as const);
  const conditions = [...unreached.conditions].map((it) => {
    const leaving = Array.from(edgesAt(graph.successors, it), (edge) => edges[edge]!.condition);
    return [it, placesOf(leaving)] as const;
  });
  const globals = [...unreached.globals].map(
    (it) => [it, placesOf([nodes[it]!.global?.condition ?? null])] as const,
  );
  const inWalkOrder = [...texts, ...conditions, ...globals];
  inWalkOrder.sort(([one], [other]) => graph.rank[one]! - graph.rank[other]!);
  const prompt = unreached.globalPrompt ? placesOf([graph.workflow.globalPrompt]) : [];
  return [...prompt, ...inWalkOrder.flatMap(([, places]) => places)];
}

function idsOf(graph: FlowGraph, nodes: readonly NodeIndex[]): string[] {
  return [...new Set(nodes)].map((node) => graph.workflow.nodes[node]!.id);
}
