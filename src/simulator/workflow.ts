/**
 * How a call walks through a workflow, and what it sets and reads there (DESIGN 2 and 4).
 *
 * In: a workflow of the specification's shape. Out: its graph (`readSource`), the steps that a call
 * can take, and for each node the variables that it reads and sets. Everything here is the definition
 * written down, and slow.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isExit, type SpecNode, type SpecWorkflow, saidCondition } from './spec-workflow.js';

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
  const entered = new Set(ways.map(({ to }) => to));
  return nodes.flatMap((node, index) =>
    node.isGlobal || isExit(node) || entered.has(node.id) ? [] : [index],
  );
}

/** The workflow as a graph; the start is the only candidate, or the node with this id. */
export function readSource(
  workflow: SpecWorkflow,
  startId?: unknown,
  provided: Provided = { atNode: new Set(), onEntry: new Set(), decided: new Set() },
): Source {
  const { nodes } = workflow;
  const candidates = startCandidates(workflow);
  const start =
    candidates.length === 1 ? candidates[0]! : nodes.findIndex(({ id }) => id === startId);
  if (start < 0) throw new Error(`${candidates.length} nodes can be the start and none was chosen`);
  const globals = nodes.flatMap((node, index) => (node.isGlobal ? [index] : []));
  const edges = edgesThatCount(workflow);
  const reachable = reach([start, ...globals], edges);
  const taken = edges.filter(({ from }) => reachable.has(from));
  return { workflow, start, globals, reachable, edges: taken, provided };
}

function edgesThatCount({ nodes, edges }: SpecWorkflow): SourceEdge[] {
  const position = new Map(nodes.map(({ id }, index) => [id, index]));
  const seen = new Set<string>();
  return edges.flatMap((edge, index) => {
    const [from, to] = [position.get(edge.from)!, position.get(edge.to)!];
    const condition = saidCondition(edge.condition);
    const key = JSON.stringify([from, to, condition ?? null]);
    if (isExit(nodes[from]!) || seen.has(key)) return [];
    seen.add(key);
    return [{ index, from, to, condition }];
  });
}

/** Everything that edges lead to from these nodes, they themselves included. */
export function reach(
  from: readonly number[],
  edges: readonly { readonly from: number; readonly to: number }[],
): Set<number> {
  const found = new Set(from);
  for (const node of found) {
    for (const edge of edges) if (edge.from === node) found.add(edge.to);
  }
  return found;
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

/** Whether a tool sets the variable when the global node is entered. */
export function isGivenOnEntry({ provided }: Source, global: number, variable: string): boolean {
  return provided.onEntry.has(`/nodes/${global} ${variable}`);
}

/**
 * What a node does with a variable, in this order: its texts read it, it captures it, a response sets
 * it, and the conditions of its edges read it.
 */
export function usesAt(source: Source, index: number, variable: string) {
  const { workflow, provided } = source;
  const node = nodeOf(source, index);
  const { firstMessage, systemPrompt, transferPlan, destination, url, headers, body } = node;
  const { extractVariables = [], responseVariables = [] } = node;
  const texts = [
    ...[workflow.globalPrompt, firstMessage, systemPrompt, transferPlan?.message],
    ...[destination, url, JSON.stringify([headers, body])],
    ...extractVariables.map(({ description }) => description),
  ];
  const conditions = stepsFrom(source, index).map(({ to, edge }) =>
    edge === undefined
      ? ([`/nodes/${to}`, nodeOf(source, to).condition] as const)
      : ([`/edges/${edge.index}`, edge.condition] as const),
  );
  const judged = conditions.filter(([at]) => !provided.decided.has(`${at}/condition`));
  const reads = (text: string | undefined): boolean => readsOf(text ?? '').has(variable);
  return {
    onEntry: texts.some(reads),
    captures: extractVariables.some(({ name }) => name === variable),
    responds:
      responseVariables.some(({ name }) => name === variable) ||
      provided.atNode.has(`/nodes/${index} ${variable}`),
    onLeaving: judged.some(([, condition]) => reads(condition)),
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
