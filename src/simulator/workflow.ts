/**
 * The workflow as spec/3 writes it, with the optional fields that the generators use, and how a call
 * walks through it, and what it sets and reads there (DESIGN 2 and 4): its graph (`readSource`), the
 * steps that a call can take, and for each node the variables that it reads and sets. Everything here
 * is the definition written down, and slow.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { flood } from '../graph/walks.js';

export interface SpecWorkflow {
  name?: string;
  globalPrompt?: string;
  nodes: SpecNode[];
  edges: SpecEdge[];
  [unknownField: string]: unknown;
}

/** The types of nodes of spec/3, section "Workflow (input)". */
export type SpecNodeType =
  | 'conversation'
  | 'gather'
  | 'apiRequest'
  | 'transferCall'
  | 'endCall'
  | 'hangup';

/** A node; which fields count depends on its type. */
export interface SpecNode {
  id: string;
  type: SpecNodeType;
  name?: string;
  firstMessage?: string;
  systemPrompt?: string;
  extractVariables?: SpecCapture[];
  isGlobal?: boolean;
  condition?: string;
  destination?: string;
  transferPlan?: { message: string };
  url?: string;
  method?: string;
  headers?: Record<string, unknown>;
  body?: unknown;
  timeoutSeconds?: number;
  responseVariables?: SpecResponse[];
  [unknownField: string]: unknown;
}

/** A variable that a node finds out from the caller. */
export interface SpecCapture {
  name: string;
  type: 'string' | 'number' | 'boolean';
  description: string;
  enum?: string[];
}

/** A variable that is taken out of the response to a request. */
export interface SpecResponse {
  name: string;
  type: 'string';
  description: string;
  path: string;
}

/** An edge; without a condition it is taken when the node's work is done. */
export interface SpecEdge {
  from: string;
  to: string;
  condition?: string;
  [unknownField: string]: unknown;
}

type Typed = { readonly type: SpecNodeType };

/** Whether the node ends the call. */
export const isExit = ({ type }: Typed) => /^(?:transferCall|endCall|hangup)$/.test(type);

/** Whether the node talks with the caller; a node that neither talks nor ends the call is a tool. */
export const isTalk = ({ type }: Typed) => /^(?:conversation|gather)$/.test(type);

/** What a condition says; a blank one says nothing. */
export const saidCondition = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text;

/** An edge that a call can take, by positions in the workflow. */
export interface SourceEdge {
  readonly index: number;
  readonly from: number;
  readonly to: number;
  readonly condition: string | undefined;
}

export interface Source {
  readonly workflow: SpecWorkflow;
  readonly start: number;
  readonly globals: readonly number[];
  readonly reachable: ReadonlySet<number>;
  /** Edges of the reachable part; none leaves an exit, none repeats an earlier one. */
  readonly edges: readonly SourceEdge[];
  readonly provided: Provided;
}

/** One step of a call: along an edge, or into a global node. */
export interface Step {
  readonly to: number;
  readonly edge?: SourceEdge;
}

/** What tools provide because an answer says so; entries are `/nodes/2 name`. */
export interface Provided {
  /** A tool sets the variable at the end of the node's work. */
  readonly atNode: ReadonlySet<string>;
  /** A tool sets the variable when this global node is entered. */
  readonly onEntry: ReadonlySet<string>;
  /** Places of the conditions that a tool's value decides: they read nothing. */
  readonly decided: ReadonlySet<JsonPointer>;
}

/** Nodes that are neither global nor exits and that no edge of another such node leads to. */
export function startCandidates({ nodes, edges }: SpecWorkflow): number[] {
  const exits = new Set(nodes.filter(isExit).map(({ id }) => id));
  const ways = edges.filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set([...exits, ...ways.map(({ to }) => to)]);
  return nodes.flatMap(({ id, isGlobal }, index) => (isGlobal || entered.has(id) ? [] : [index]));
}

/** The workflow as a graph; the start is the only candidate, or the node with this id. */
export function readSource(
  workflow: SpecWorkflow,
  startId?: unknown,
  provided: Provided = { atNode: new Set(), onEntry: new Set(), decided: new Set() },
): Source {
  const { nodes } = workflow;
  const starts = startCandidates(workflow);
  const start = starts.length === 1 ? starts[0]! : nodes.findIndex(({ id }) => id === startId);
  if (start < 0) throw new Error(`${starts.length} nodes can be the start and none was chosen`);
  const globals = nodes.flatMap((node, index) => (node.isGlobal ? [index] : []));
  const position = new Map(nodes.map(({ id }, index) => [id, index]));
  const seen = new Map<string, SourceEdge>();
  for (const [index, edge] of workflow.edges.entries()) {
    const [from, to] = [position.get(edge.from)!, position.get(edge.to)!];
    const condition = saidCondition(edge.condition);
    const key = JSON.stringify([from, to, condition ?? null]);
    if (!isExit(nodes[from]!) && !seen.has(key)) seen.set(key, { index, from, to, condition });
  }
  const reachable = reach([start, ...globals], [...seen.values()]);
  const edges = [...seen.values()].filter(({ from }) => reachable.has(from));
  return { workflow, start, globals, reachable, edges, provided };
}

/** Everything that edges lead to from these nodes, they themselves included. */
export function reach(
  from: readonly number[],
  edges: readonly { readonly from: number; readonly to: number }[],
): Set<number> {
  return flood(from, (node) => edges.filter((edge) => edge.from === node).map(({ to }) => to));
}

export function nodeOf({ workflow }: Source, index: number): SpecNode {
  return workflow.nodes[index]!;
}

/** The names of all variables that something in the workflow sets. */
export function definedVariables({ workflow, provided }: Source): string[] {
  const own = workflow.nodes.flatMap(({ extractVariables = [], responseVariables = [] }) =>
    [...extractVariables, ...responseVariables].map(({ name }) => name),
  );
  const given = [...provided.atNode, ...provided.onEntry].map((each) => each.split(' ')[1]!);
  return [...new Set([...own, ...given])].sort();
}

/**
 * What a node does with a variable, in this order: its texts read it, it captures it, a response sets
 * it, and the conditions of its edges read it.
 */
export function usesAt(source: Source, index: number, variable: string) {
  const { workflow, provided } = source;
  const node = nodeOf(source, index);
  const { extractVariables = [], responseVariables = [] } = node;
  const texts = [
    ...[workflow.globalPrompt, node.firstMessage, node.systemPrompt, node.transferPlan?.message],
    ...[node.destination, node.url, JSON.stringify([node.headers, node.body])],
    ...extractVariables.map(({ description }) => description),
  ];
  const reads = (text = ''): boolean => readsOf(text).has(variable);
  const isIt = ({ name }: { readonly name: string }): boolean => name === variable;
  return {
    onEntry: texts.some(reads),
    captures: extractVariables.some(isIt),
    responds: responseVariables.some(isIt) || provided.atNode.has(`/nodes/${index} ${variable}`),
    onLeaving: stepsFrom(source, index).some(({ to, edge }) => {
      const at = edge === undefined ? `/nodes/${to}` : `/edges/${edge.index}`;
      const { condition } = edge ?? nodeOf(source, to);
      return reads(condition) && !provided.decided.has(`${at}/condition`);
    }),
  };
}

/**
 * The variables that a text reads: names in `{{ name }}`, and before `==` in an expression, which is
 * all that the generators write. Tags of Liquid and arguments of filters are not looked at.
 */
export function readsOf(text: string): Set<string> {
  const found = text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)|^\s*([A-Za-z_]\w*) == /g);
  return new Set([...found].map(([, read, compared]) => read ?? compared ?? ''));
}

/** The steps that can be taken at a node: its edges in order, then every global node. */
export function stepsFrom(source: Source, node: number): Step[] {
  if (isExit(nodeOf(source, node))) return [];
  return [
    ...source.edges.filter(({ from }) => from === node).map((edge) => ({ to: edge.to, edge })),
    ...source.globals.map((to) => ({ to })),
  ];
}
