/**
 * Looks at all reads of all variables.
 *
 * In: the flow graph, and what its variables do. Out: the variables about whose reads there is
 * something to say: a human is asked, or warned (ask-about-variables.ts).
 */
import { withItem } from '../../graph/lists.js';
import { builtInVariables } from '../ir/built-ins.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { UnreachedReads } from '../ir/inquiry.js';
import type { Variable, VariableFlow } from '../ir/variable-flow.js';
import { isEnteredUnset } from './liveness.js';
import { createReadTracer, type ReadReach } from './reaching.js';

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

/** What there is to say about the reads of a variable; null where they are all in order. */
function reviewVariable(graph: FlowGraph, variable: Variable, trace: Trace): ReadReview | null {
  const { reads, aliasReads, conditionReads, globalReads, readEverywhere } = variable;
  const isSomewhereSet = isSet(variable);
  const canBeSet =
    isSomewhereSet || graph.globals.some((node) => !isEnteredUnset(graph, node, variable));
  const sight: Sight = {
    variable,
    trace: canBeSet ? trace : null,
    capturing: indexCapturing(variable),
    maybeUnset: nothing,
  };
  const texts = withUnreached(sight, aliasReads, 'exit', withUnreached(sight, reads, 'entry'));
  const conditions = withUnreached(sight, conditionReads, 'exit');
  // What is read everywhere is only asked about when nothing sets it anywhere.
  const globals = isSomewhereSet ? nothing : globalReads;
  const globalPrompt = readEverywhere && !isSomewhereSet;
  const { maybeUnset } = sight;
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

type Trace = ReturnType<typeof createReadTracer>;

/** One variable, while its reads are looked at. */
interface Sight {
  readonly variable: Variable;
  /** Null where nothing sets it at all: there is nothing to search for. */
  readonly trace: Trace | null;
  readonly capturing: ReadonlySet<NodeIndex> | null;
  maybeUnset: readonly UnsetRead[];
}

const nothing: readonly never[] = [];

/** Adds those of the nodes where no definition reaches the read, and notes where none may have. */
function withUnreached(
  sight: Sight,
  nodes: readonly NodeIndex[],
  at: 'entry' | 'exit',
  others: readonly NodeIndex[] = nothing,
): readonly NodeIndex[] {
  let unreached = others;
  for (let each = 0; each < nodes.length; each += 1) {
    const node = nodes[each]!;
    // What a node captures itself, its texts may name: "ask for {{name}}".
    if (isCapturing(sight, node)) continue;
    const reach = sight.trace?.(sight.variable, { node, at });
    if (reach?.reached !== true) unreached = withItem(unreached, node);
    else if (reach.unset) sight.maybeUnset = withItem(sight.maybeUnset, { node, reach });
  }
  return unreached;
}

/** Most variables are captured once, which needs no index. */
function indexCapturing({ captures }: Variable): ReadonlySet<NodeIndex> | null {
  return captures.length < 2 ? null : new Set(captures.map((site) => site.node));
}

function isCapturing({ variable, capturing }: Sight, node: NodeIndex): boolean {
  return capturing === null ? variable.captures[0]?.node === node : capturing.has(node);
}

/** Whether no definition reaches some of the reads: then a human is asked. */
export function hasUnreached({ unreached }: ReadReview): boolean {
  const { texts, conditions, globals, globalPrompt } = unreached;
  return globalPrompt || texts.size + conditions.size + globals.size > 0;
}

/** Whether anything in the workflow sets the variable, wherever that is. */
export function isSet(variable: Variable): boolean {
  return variable.captures.length + variable.responses.length > 0;
}
