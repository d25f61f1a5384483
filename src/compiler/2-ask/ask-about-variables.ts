/**
 * Reads of variables that nothing sets, and reads that may come too early.
 *
 * In: the flow graph, its variables, and the reviews of reads. Out: an inquiry for each
 * variable with a read that no definition reaches; afterwards warnings for the rest.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { ask, mostListed } from '../../diagnostics/questions.js';
import { flood } from '../../graph/walks.js';
import { type JsonPointer, pointer } from '../../text/pointer.js';
import { textsWithin } from '../1-read/template.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Inquiry, UnreachedReads } from '../ir/inquiry.js';
import { findNearest } from '../ir/names.js';
import type { Settled } from '../ir/options.js';
import type { Diagnostic, Question } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import {
  builtInVariables,
  hasUnreached,
  isSet,
  type ReadReview,
  type Variables,
} from '../ir/variables.js';
import type { Text, WorkflowNode } from '../ir/workflow.js';

/** Above this number of pairs, names are not compared with each other. */
const mostCompared = 1_000_000;

export function askAboutVariables(
  graph: FlowGraph,
  variables: Variables,
  reviews: readonly ReadReview[],
  { dynamicVariables }: Settled,
): Inquiry[] {
  const unset = reviews.filter(hasUnreached);
  if (unset.length === 0) return [];
  const all = [...variables.values()];
  const set = all.filter((it) => isSet(it) || it.offers.length > 0).map(({ name }) => name);
  const known = new Set([...set, ...builtInVariables, ...dynamicVariables]);
  const sorted = [...known].sort();
  const listPlaces = createListPlaces(graph);
  const isComparable = known.size * unset.length <= mostCompared;
  return unset.map(({ variable: { name }, unreached }) => {
    const near = isComparable ? findNearest(name, sorted) : null;
    const { texts, conditions, globals } = unreached;
    const readers = [...new Set([...texts, ...conditions, ...globals])];
    const leading = () => listLeadingTo(graph, unreached.globalPrompt ? graph.order : readers);
    return ask('undefined-variable', name, {
      at: listPlaces(name, unreached),
      args: { variable: name, nodes: readers.map((it) => graph.workflow.nodes[it]!), near },
      subject: { of: 'variable', name, unreached },
      proposal: near === null ? null : { choice: 'rename', value: near },
      allowed: {
        rename: sorted.length <= mostListed ? sorted.filter((it) => it !== name) : sorted,
        ...(graph.order.length <= mostListed && { 'captured-at': leading() }),
      },
      objection: (choice, value) => {
        if (choice === 'rename' && value === name) return 'that is its present name';
        if (choice !== 'captured-at' || leading().includes(String(value))) return null;
        return `${JSON.stringify(value)} is not a node that leads to a read of ${name}`;
      },
      assumed: { choice: 'caller' },
    });
  });
}

/** Warnings that remain; variables of an open question are left to the question. */
export function warnAboutReads(
  graph: FlowGraph,
  reviews: readonly ReadReview[],
  open: readonly Question[],
): Diagnostic[] {
  const asked = new Set(open.map(({ id }) => id));
  const listPlaces = createListPlaces(graph);
  return reviews.flatMap((review) => {
    const { variable, unreached, maybeUnset, unsetWalk } = review;
    const { name } = variable;
    if (hasUnreached(review)) {
      if (asked.has(`undefined-variable:${name}`)) return [];
      const [at = '', ...related] = listPlaces(name, unreached);
      return [diagnose('data/never-set', at, { variable: name }, { related })];
    }
    const [at = '', ...related] = new Set(maybeUnset.map((node) => graph.workflow.nodes[node]!.at));
    const walk = unsetWalk.map((node) => graph.workflow.nodes[node]!.id);
    return [diagnose('data/maybe-unset', at, { variable: name, walk }, { related })];
  });
}

/**
 * Warns about names in options that nothing reads. A saved assistant or tool may read variables
 * that squadc cannot see.
 */
export function warnAboutUnread(
  { workflow, order, leaving }: FlowGraph,
  { criticalVariables, dynamicVariables, memberOverrides }: Settled,
): Diagnostic[] {
  const nodes = order.map((index) => workflow.nodes[index]!);
  const isKept = (node: WorkflowNode) =>
    node.assistant?.savedAs != null || node.tools.some(({ value }) => value === null);
  if (criticalVariables.size + dynamicVariables.size === 0 || nodes.some(isKept)) return [];
  const own = nodes.flatMap(({ assistant }) => assistant?.settings ?? []);
  const passed = [
    ...[workflow, ...nodes].flatMap((it) => Object.values(it.settings)),
    ...[...workflow.shared, ...own].map(({ value }) => value),
  ].map(({ value }) => value);
  const conditions = order.flatMap((node) => leaving[node]!.map(({ condition }) => condition));
  const texts = [
    ...[workflow.globalPrompt, ...conditions, ...nodes.map(({ global }) => global?.condition)],
    ...nodes.flatMap((node) => textsOf(node).map(({ value }) => value)),
    ...textsWithin([memberOverrides, ...passed], '', []),
  ];
  const read = new Set(texts.flatMap((text) => (text?.uses ?? []).map(({ name }) => name)));
  return Object.entries({ criticalVariables, dynamicVariables }).flatMap(([option, listed]) =>
    [...listed].flatMap((variable) => {
      if (read.has(variable)) return [];
      const args = { option, variable, near: findNearest(variable, read) };
      return [diagnose('api/unread-variable', pointer(option), args, { in: 'options' })];
    }),
  );
}

/** Nodes that can capture and lead to one of the nodes, including those, in walk order. */
function listLeadingTo(graph: FlowGraph, nodes: readonly NodeIndex[]): string[] {
  const { workflow, predecessors, order } = graph;
  const found = flood(nodes, (node) => predecessors[node]!);
  const fromAnywhere = [...found].some((node) => workflow.nodes[node]!.global !== null);
  const leading = order.filter((node) => fromAnywhere || found.has(node));
  const all = leading.map((node) => workflow.nodes[node]!);
  return all.filter(({ role }) => role !== 'exit').map(({ id }) => id);
}

/** Lists the texts that read a variable where no definition reaches it, in walk order. */
function createListPlaces({ workflow, rank, leaving }: FlowGraph) {
  const { nodes, globalPrompt } = workflow;
  const namesIn = new Map<Text, ReadonlySet<string>>();
  const reads = (text: Text, name: string): boolean => {
    const names = namesIn.get(text) ?? new Set(text.uses.map((use) => use.name));
    namesIn.set(text, names);
    return names.has(name);
  };
  return (name: string, unreached: UnreachedReads): JsonPointer[] => {
    const { texts, conditions, globals } = unreached;
    const textsAt = (node: NodeIndex) => [
      ...(texts.has(node) ? textsOf(nodes[node]!).map(({ value }) => value) : []),
      ...(conditions.has(node) ? leaving[node]!.map(({ condition }) => condition) : []),
      ...(globals.has(node) ? [nodes[node]!.global!.condition] : []),
    ];
    const readers = [...new Set([...texts, ...conditions, ...globals])];
    readers.sort((one, other) => rank[one]! - rank[other]!);
    const all = [unreached.globalPrompt ? globalPrompt : null, ...readers.flatMap(textsAt)];
    return all.flatMap((text) => (text !== null && reads(text, name) ? [text.at] : []));
  };
}
