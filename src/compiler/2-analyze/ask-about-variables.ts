/**
 * Reads of variables that nothing sets, and reads that may come too early (DESIGN section 4).
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { ask } from '../../diagnostics/questions.js';
import { builtInVariables } from '../ir/built-ins.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Inquiry, UnreachedReads } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import type { Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Text } from '../ir/workflow.js';
import { findNearest } from '../names/nearest.js';
import { traceRead } from './reaching.js';
import { listTexts } from './variables.js';

/** A variable with the reads of it that deserve a word. */
export interface ReadReview {
  readonly variable: Variable;
  readonly unreached: UnreachedReads;
  /** Reads that a walk can come to before the variable is set: its shortest walk, per read. */
  readonly unsetWalks: readonly (readonly NodeIndex[])[];
}

/** Looks at all reads; `supplied` are the variables that are there from the start. */
export function reviewReads(
  graph: FlowGraph,
  flow: VariableFlow,
  supplied: ReadonlySet<string>,
): ReadReview[] {
  const reviews: ReadReview[] = [];
  for (const variable of flow.variables.values()) {
    if (supplied.has(variable.name)) continue;
    if (builtInVariables.has(variable.name) && !isSet(variable)) continue;
    const review = reviewVariable(graph, variable);
    if (hasUnreached(review) || review.unsetWalks.length > 0) reviews.push(review);
  }
  return reviews;
}

export function askAboutVariables(
  graph: FlowGraph,
  flow: VariableFlow,
  reviews: readonly ReadReview[],
  options: Settled,
): Inquiry[] {
  const known = new Set([
    ...[...flow.variables.values()].filter(isSet).map((variable) => variable.name),
    ...builtInVariables,
    ...options.dynamicVariables,
  ]);
  return reviews
    .filter(hasUnreached)
    .map((review) => askAboutVariable(graph, review, known, options));
}

/** Warnings that remain when the questions are answered; `asked` are the ids of questions. */
export function warnAboutReads(
  graph: FlowGraph,
  reviews: readonly ReadReview[],
  asked: ReadonlySet<string>,
): Diagnostic[] {
  return reviews.flatMap((review) => {
    const { name } = review.variable;
    if (hasUnreached(review)) {
      const [at = '', ...related] = listPlaces(graph, review);
      return asked.has(`undefined-variable:${name}`) ? [diagnose('data/never-set', at, { variable: name }, { related })] : [];
    }
    return [warnMaybeUnset(graph, review)];
  });
}

function warnMaybeUnset(graph: FlowGraph, { variable, unsetWalks }: ReadReview): Diagnostic {
  const shortest = unsetWalks.reduce((one, other) => (other.length < one.length ? other : one));
  const places = unsetWalks.map((walk) => graph.workflow.nodes[walk[walk.length - 1]!]!.at);
  const [at = '', ...related] = [...new Set(places)];
  const args = {
    variable: variable.name,
    get walk() {
      return shortest.map((node) => graph.workflow.nodes[node]!.id);
    },
  };
  return diagnose('data/maybe-unset', at, args, { related });
}

function reviewVariable(graph: FlowGraph, variable: Variable): ReadReview {
  const capturing = new Set(variable.captures.map((site) => site.node));
  const texts = new Set<NodeIndex>();
  const conditions = new Set<NodeIndex>();
  const unsetWalks: (readonly NodeIndex[])[] = [];
  const look = (node: NodeIndex, at: 'entry' | 'exit', unreached: Set<NodeIndex>): void => {
    // What a node captures itself, its texts may name: "ask for {{name}}".
    if (capturing.has(node)) return;
    const { reached, unsetWalk } = traceRead(graph, variable, { node, at });
    if (!reached) unreached.add(node);
    else if (unsetWalk !== null) unsetWalks.push(unsetWalk);
  };
  for (const node of variable.reads) look(node, 'entry', texts);
  for (const node of variable.conditionReads) look(node, 'exit', conditions);
  const globals = new Set(isSet(variable) ? [] : variable.globalReads);
  return { variable, unreached: { texts, conditions, globals }, unsetWalks };
}

function askAboutVariable(
  graph: FlowGraph,
  { variable, unreached }: ReadReview,
  known: ReadonlySet<string>,
  options: Settled,
): Inquiry {
  const { name } = variable;
  const near = findNearest(name, known);
  const others = [...known].filter((it) => it !== name).sort();
  const places = listPlaces(graph, { variable, unreached, unsetWalks: [] });
  const nodes = [...unreached.texts, ...unreached.conditions, ...unreached.globals];
  const capturing = listLeadingTo(graph, nodes).map((node) => graph.workflow.nodes[node]!.id);
  const allowed = { rename: others, 'captured-at': capturing };
  const question = ask('undefined-variable', name, {
    at: places,
    args: { variable: name, nodes: idsOf(graph, nodes), near },
    target: options.target,
    ...(near === null ? {} : { proposal: 'rename', proposalValue: near }),
    allowed,
  });
  return {
    question,
    subject: { of: 'variable', name, unreached },
    allowed: new Map(Object.entries(allowed).map(([key, values]) => [key, new Set(values)])),
    assumed: { choice: 'caller' },
  };
}

/** Talk nodes from which one of the nodes can be reached, themselves included, in walk order. */
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
    (node) =>
      graph.workflow.nodes[node]!.role === 'talk' && (everywhere || found.has(node)),
  );
}

/** The texts that read the variable where nothing reaches it, in walk order. */
function listPlaces(graph: FlowGraph, { variable, unreached }: ReadReview): JsonPointer[] {
  const reads = (text: Text | null) => text?.uses.some((use) => use.name === variable.name) === true;
  const places = graph.order.flatMap((index) => {
    const node = graph.workflow.nodes[index]!;
    const texts = unreached.texts.has(index) ? listTexts(node).filter(reads) : [];
    const { offsets, edges } = graph.successors;
    const slots = unreached.conditions.has(index)
      ? edges.subarray(offsets[index]!, offsets[index + 1]!)
      : [];
    const conditions = Array.from(slots, (edge) => graph.workflow.edges[edge]!.condition);
    const global = unreached.globals.has(index) ? [node.global?.condition ?? null] : [];
    return [...texts, ...conditions.filter(reads), ...global.filter(reads)];
  });
  return places.map((text) => text!.at);
}

function idsOf(graph: FlowGraph, nodes: readonly NodeIndex[]): string[] {
  return [...new Set(nodes)].map((node) => graph.workflow.nodes[node]!.id);
}

function hasUnreached({ unreached }: ReadReview): boolean {
  return unreached.texts.size + unreached.conditions.size + unreached.globals.size > 0;
}

function isSet(variable: Variable): boolean {
  return variable.captures.length + variable.responses.length > 0;
}
