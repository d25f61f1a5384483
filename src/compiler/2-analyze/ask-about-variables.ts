/**
 * Reads of variables that nothing sets, and reads that may come too early.
 */

import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { edgesAt } from '../graph/adjacency.js';
import { withItem } from '../graph/lists.js';
import { builtInVariables } from '../ir/built-ins.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Inquiry, UnreachedReads } from '../ir/inquiry.js';
import { withLazy } from '../ir/lazy.js';
import type { Settled } from '../ir/options.js';
import type { Diagnostic, Question } from '../ir/result.js';
import type { Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Text } from '../ir/workflow.js';
import { findNearest } from '../names/nearest.js';
import { isEnteredUnset } from './liveness.js';
import { createReadTracer, type ReadReach } from './reaching.js';
import { listAllTexts } from './texts.js';

/** A variable with the reads of it that deserve a word. */
export interface ReadReview {
  readonly variable: Variable;
  readonly unreached: UnreachedReads;
  /** Reads that a walk can come to before the variable is set. */
  readonly maybeUnset: readonly UnsetRead[];
}

interface UnsetRead {
  readonly node: NodeIndex;
  readonly reach: ReadReach;
}

/** Looks at all reads; `supplied` are the variables that are there from the start. */
export function reviewReads(
  graph: FlowGraph,
  flow: VariableFlow,
  supplied: ReadonlySet<string>,
): ReadReview[] {
  const reviews: ReadReview[] = [];
  const trace = createReadTracer(graph);
  for (const variable of flow.variables.values()) {
    // What a tool may set at any time is nobody's to ask about.
    if (variable.offers.length > 0 || supplied.has(variable.name)) continue;
    if (!isSet(variable) && builtInVariables.has(variable.name)) continue;
    const review = reviewVariable(graph, variable, trace);
    if (review !== null) reviews.push(review);
  }
  return reviews;
}

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

/** What there is to say about the reads of a variable; null where they are all in order. */
function reviewVariable(
  graph: FlowGraph,
  variable: Variable,
  trace: ReturnType<typeof createReadTracer>,
): ReadReview | null {
  const isCapturing = createIsCapturing(variable);
  let maybeUnset: readonly UnsetRead[] = nothing;
  const canBeSet =
    isSet(variable) || graph.globals.some((node) => !isEnteredUnset(graph, node, variable));
  const isUnreached = (node: NodeIndex, at: 'entry' | 'exit'): boolean => {
    // What a node captures itself, its texts may name: "ask for {{name}}".
    if (isCapturing(node)) return false;
    // Where nothing sets it at all there is nothing to search for.
    if (!canBeSet) return true;
    const reach = trace(variable, { node, at });
    if (reach.reached && reach.unset) maybeUnset = withItem(maybeUnset, { node, reach });
    return !reach.reached;
  };
  let texts: readonly NodeIndex[] = nothing;
  for (const node of variable.reads) if (isUnreached(node, 'entry')) texts = withItem(texts, node);
  for (const node of variable.aliasReads) {
    if (isUnreached(node, 'exit')) texts = withItem(texts, node);
  }
  let conditions: readonly NodeIndex[] = nothing;
  for (const node of variable.conditionReads) {
    if (isUnreached(node, 'exit')) conditions = withItem(conditions, node);
  }
  // What is read everywhere is only asked about when nothing sets it anywhere.
  const globals = isSet(variable) ? [] : variable.globalReads;
  const globalPrompt = variable.readEverywhere && !isSet(variable);
  const unreached = texts.length + conditions.length + globals.length;
  if (unreached + maybeUnset.length === 0 && !globalPrompt) return null;
  return {
    variable,
    unreached: {
      texts: new Set(texts),
      conditions: new Set(conditions),
      globals: new Set(globals),
      globalPrompt,
    },
    maybeUnset,
  };
}

const nothing: readonly never[] = [];

function createIsCapturing({ captures }: Variable): (node: NodeIndex) => boolean {
  // Most variables are captured once, which needs no index.
  if (captures.length < 2) return (node) => captures[0]?.node === node;
  const capturing = new Set(captures.map((site) => site.node));
  return (node) => capturing.has(node);
}

function once<T extends string | null>(find: () => T): () => T {
  let found: T | undefined;
  return () => {
    if (found === undefined) found = find();
    return found;
  };
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

function hasUnreached({ unreached }: ReadReview): boolean {
  const { texts, conditions, globals, globalPrompt } = unreached;
  return globalPrompt || texts.size + conditions.size + globals.size > 0;
}

function isSet(variable: Variable): boolean {
  return variable.captures.length + variable.responses.length > 0;
}
