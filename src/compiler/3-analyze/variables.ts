/**
 * FlowGraph → Variables: definitions and uses of every variable, and the reads that need attention.
 *
 * In: the flow graph. Out: for each variable the nodes that capture, set and read it, in walk
 * order; and the variables with reads that no definition reaches, or that a call can reach before
 * any. Example: `Ask for {{name}}.` at a node that captures `phone` is a read of `name` and a capture
 * of `phone`. In start → (ask, skip) → bye, where ask captures what bye reads, the walk start → skip
 * → bye comes too early.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { type Bits, bit, has, propagate } from '../../graph/flows.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Diagnostic, Question } from '../ir/result.js';
import { listUnreached, textsOf } from '../ir/texts.js';
import {
  builtInVariables,
  hasUnreached,
  isSet,
  type ReadReview,
  type Variable,
  type Variables,
} from '../ir/variables.js';
import type { Condition, Text, Use, WorkflowNode } from '../ir/workflow.js';
import { withGlobals } from './flow-graph.js';

/** A variable while its sites are collected. */
type Sites = {
  -readonly [K in keyof Variable]: Variable[K] extends readonly (infer It)[] ? It[] : Variable[K];
};
type NodeList = Exclude<keyof Sites, 'name' | 'number' | 'captures' | 'readEverywhere'>;

function listVariables(graph: FlowGraph): Variables {
  const { nodes, globalPrompt } = graph.workflow;
  const variables = new Map<string, Sites>();
  const sitesOf = (name: string): Sites => {
    const known = variables.get(name);
    if (known !== undefined) return known;
    const sites: Sites = {
      ...{ name, number: variables.size, captures: [], responses: [], offers: [], given: [] },
      ...{ reads: [], aliasReads: [], conditionReads: [], globalReads: [], readEverywhere: false },
    };
    variables.set(name, sites);
    return sites;
  };
  /** Nodes are visited one after the other, so a repetition is always the last. */
  const add = (list: NodeList, node: NodeIndex, names: readonly string[]): void => {
    for (const name of names) {
      const sites = sitesOf(name)[list];
      if (sites.at(-1) !== node) sites.push(node);
    }
  };
  for (const index of graph.order) {
    const node = nodes[index]!;
    const texts = textsOf(node).filter(({ moment }) => moment !== 'handoff');
    const shown = texts.flatMap(({ value }) => namesIn(value));
    add('reads', index, shown);
    for (const capture of node.captures) {
      sitesOf(capture.name).captures.push({ node: index, capture });
    }
    for (const { alias } of node.captures) if (alias) add('aliasReads', index, namesIn(alias));
    add('reads', index, listSelfDerived(node));
    const { offers, responses } = setByTools(node);
    add('offers', index, offers);
    add('responses', index, responses);
    for (const edge of graph.leaving[index]!) add('conditionReads', index, readBy(edge.condition));
    add('globalReads', index, readBy(node.global?.condition ?? null));
  }
  for (const name of globalPrompt === null ? [] : namesIn(globalPrompt)) {
    sitesOf(name).readEverywhere = true;
  }
  for (const index of graph.globals) add('given', index, givenBy(nodes[index]!));
  return variables;
}

/** The variables that tools of a node may set, and those that they set. */
function setByTools({ request, tools, calls, role }: WorkflowNode) {
  const called = tools.flatMap(({ variables }) => variables);
  const responses = [
    ...(request?.responses ?? []).map(({ name }) => name),
    ...(role === 'act' ? called : []),
    ...calls.flatMap(({ variables }) => variables),
  ];
  return { offers: role === 'act' ? [] : called, responses };
}

/** The variables that a tool sets before the global node is entered. */
function givenBy({ global }: WorkflowNode): readonly string[] {
  return global?.condition?.call?.variables ?? [];
}

/** For each node the variables that name it. */
export function collectByNode(
  count: number,
  variables: Iterable<Variable>,
  nodesOf: (variable: Variable) => Iterable<number>,
): Bits[] {
  const sets = Array.from({ length: count }, () => 0n);
  for (const variable of variables) {
    for (const node of nodesOf(variable)) sets[node]! |= bit(variable.number);
  }
  return sets;
}

function namesIn({ uses }: Text): readonly string[] {
  return uses.map(({ name }) => name);
}

/** A condition whose values come from a tool does not read the call's variables. */
function readBy(condition: Condition | null): readonly string[] {
  return condition === null || condition.routing === 'tool' ? [] : namesIn(condition);
}

/** Variables that an alias redefines from their own earlier value, which must exist on entry. */
function listSelfDerived({ captures }: WorkflowNode): readonly string[] {
  const found = new Set(captures.flatMap((it) => (it.alias === undefined ? it.name : [])));
  return captures.flatMap(({ name, alias }) =>
    alias?.uses.some((use) => use.name === name) && !found.has(name) ? name : [],
  );
}

/** Where a request has its fixed values. */
const sent = /\/(?:body|parameters)\/(?:[^/]+|.*\/(?:value|const))$/;

/** Warnings about names and paths of variables. */
export function warnAboutVariables({ workflow, order }: FlowGraph, variables: Variables) {
  const texts = [
    ...order.flatMap((index) => textsOf(workflow.nodes[index]!).map(({ value }) => value)),
    ...workflow.edges.flatMap(({ condition }) => condition ?? []),
  ];
  const values = texts.filter(({ at }) => sent.test(at));
  const reading = texts.filter(({ uses }) => uses.some(({ nested }) => nested));
  return [...variables.values()].flatMap((variable): Diagnostic[] => {
    const { name, captures, responses, offers, reads, aliasReads } = variable;
    const readers = [reads, aliasReads, variable.conditionReads, variable.globalReads].flat();
    const isRead = variable.readEverywhere || readers.length > 0;
    const [first] = captures;
    if (first === undefined) return [];
    const { at, type } = first.capture;
    const args = { variable: name };
    const types = captures.map(({ capture }) => capture.type);
    // A tool's response can be an object whatever else sets the variable.
    const mayHaveParts =
      types.includes('array') || types.includes('object') || responses.length + offers.length > 0;
    // `a.b` reads a part of `a`.
    const isPart = (use: Use) => use.nested && use.name === name;
    const partial = mayHaveParts ? [] : reading.filter(({ uses }) => uses.some(isPart));
    const words = values.filter(({ value }) => value.trim() === name);
    return [
      ...words.map((text) => diagnose('data/value-names-variable', text.at, args)),
      ...(builtInVariables.has(name) ? [diagnose('data/shadows-builtin', at, args)] : []),
      ...(isRead ? [] : [diagnose('data/unused-capture', at, args)]),
      ...partial.map((text) => diagnose('data/path-into-scalar', text.at, { ...args, type })),
    ];
  });
}

/**
 * The graph with its variables, and those whose reads need attention: a question for reads that no
 * definition reaches, a warning for reads that a walk can reach before the variable is set.
 * `supplied` are the variables that are set from the start.
 */
export function analyzeReads<Graph extends FlowGraph>(graph: Graph, supplied: ReadonlySet<string>) {
  const variables = listVariables(graph);
  const { arcs, entryOf } = withGlobals(graph);
  const sets = collectByNode(arcs.length, variables.values(), ({ captures, responses, given }) => [
    ...captures.map(({ node }) => node),
    ...[...responses, ...given.map(entryOf)],
  ]);
  const none = arcs.map(() => 0n);
  const setBefore = propagate(arcs, none, (node, before) => before | sets[node]!);
  const unsetAtStart = none.with(graph.start, bit(variables.size) - 1n);
  const unsetBefore = propagate(arcs, unsetAtStart, (node, before) => before & ~sets[node]!);
  const reviews = [...variables.values()].flatMap((variable) => {
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
    const reached = [...texts, ...conditions].filter((node) => !isUnreached(node));
    const maybeUnset = reached.filter((node) => has(unsetBefore[node]!, number));
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
  return { graph, variables, supplied, reviews };
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
