/**
 * FlowGraph → Variables: definitions and uses of every variable.
 *
 * In: the flow graph. Out: for each variable the nodes that capture, set and read it, in walk
 * order. Example: `Ask for {{name}}.` at a node that captures `phone` is a read of `name` and a
 * capture of `phone`. Guarantee: linear in the workflow.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { type Bits, bit } from '../../graph/flows.js';
import { append } from '../../graph/lists.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import { builtInVariables, type Variable, type Variables } from '../ir/variables.js';
import type { Condition, Text, WorkflowNode } from '../ir/workflow.js';

/** A variable while its sites are collected. */
type Sites = {
  -readonly [K in keyof Variable]: Variable[K] extends readonly (infer It)[] ? It[] : Variable[K];
};
type NodeList = Exclude<keyof Sites, 'name' | 'number' | 'captures' | 'readEverywhere'>;

/** The verifier uses this list as well. */
export function listVariables(
  graph: Pick<FlowGraph, 'workflow' | 'order' | 'leaving' | 'globals'>,
): Variables {
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
    add(
      'reads',
      index,
      texts.flatMap(({ value }) => namesIn(value)),
    );
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
export function setByTools({ request, tools, calls, role }: WorkflowNode) {
  const called = tools.flatMap(({ variables }) => variables);
  const responses = [
    ...(request?.responses ?? []).map(({ name }) => name),
    ...(role === 'act' ? called : []),
    ...calls.flatMap(({ variables }) => variables),
  ];
  return { offers: role === 'act' ? [] : called, responses };
}

/** The variables that a tool sets before the global node is entered. */
export function givenBy({ global }: WorkflowNode): readonly string[] {
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

function isRead({ reads, aliasReads, conditionReads, globalReads, readEverywhere }: Variable) {
  return readEverywhere || [reads, aliasReads, conditionReads, globalReads].flat().length > 0;
}

/** Warnings about names and paths of variables. */
export function warnAboutVariables({ workflow, order }: FlowGraph, variables: Variables) {
  const texts = [
    ...order.flatMap((index) => textsOf(workflow.nodes[index]!).map(({ value }) => value)),
    ...workflow.edges.flatMap(({ condition }) => condition ?? []),
  ];
  /** The places of texts by the variables that they read a part of (`a.b`). */
  const partReads = new Map<string, JsonPointer[]>();
  for (const { uses, at } of texts) {
    const names = uses.flatMap(({ name, nested }) => (nested ? name : []));
    for (const name of new Set(names)) append(partReads, name, at);
  }
  return [...variables.values()].flatMap((variable): Diagnostic[] => {
    const { name, captures, responses, offers } = variable;
    const [first] = captures;
    if (first === undefined) return [];
    const { at, type } = first.capture;
    const args = { variable: name };
    const types = captures.map(({ capture }) => capture.type);
    // A tool's response can be an object whatever else sets the variable.
    const mayHaveParts =
      types.includes('array') || types.includes('object') || responses.length + offers.length > 0;
    const places = mayHaveParts ? [] : (partReads.get(name) ?? []);
    return [
      ...(builtInVariables.has(name) ? [diagnose('data/shadows-builtin', at, args)] : []),
      ...(isRead(variable) ? [] : [diagnose('data/unused-capture', at, args)]),
      ...places.map((place) => diagnose('data/path-into-scalar', place, { ...args, type })),
    ];
  });
}
