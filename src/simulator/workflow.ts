/**
 * How a call walks through a workflow, and what it sets and reads there (DESIGN 2 and 4).
 *
 * In: a workflow of the specification's shape. Out: its graph (`readSource`), the steps that a call
 * can take, and for each node the variables that it reads and sets. A text of the node reads on entry,
 * before the node's captures and responses; the conditions of its edges read after them. Everything
 * here is the definition written down, and slow.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { WalkStep } from '../compiler/ir/result.js';
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

/** A call: the nodes that it comes to, the start first. Counterexamples of `verify` have this form. */
export type Walk = readonly WalkStep[];

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
  const [only, ...others] = candidates;
  const isOpen = only === undefined || others.length > 0;
  const start = isOpen ? nodes.findIndex(({ id }) => id === startId) : only;
  if (start < 0) throw new Error(`${candidates.length} nodes can be the start and none was chosen`);
  const globals = nodes.flatMap((node, index) => (node.isGlobal ? [index] : []));
  const edges = edgesThatCount(workflow);
  const reachable = reach([start, ...globals], edges);
  const taken = edges.filter(({ from }) => reachable.has(from));
  return { workflow, start, globals, reachable, edges: taken, provided };
}

/**
 * The variables that a text reads: names in `{{ name }}`, and before `==` in an expression, which is
 * all that the generators write. Tags of Liquid and arguments of filters are not looked at.
 */
export function readsOf(text: string): Set<string> {
  const found = text.matchAll(/\{\{-?\s*([A-Za-z_]\w*)|^\s*([A-Za-z_]\w*) == /g);
  return new Set([...found].map(([, read, compared]) => read ?? compared ?? ''));
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
  const node = workflow.nodes[index];
  if (node === undefined) throw new RangeError(`no node ${index}`);
  return node;
}

/** The names of all variables that something in the workflow sets. */
export function definedVariables({ workflow, provided }: Source): string[] {
  const own = workflow.nodes.flatMap(({ extractVariables = [], responseVariables = [] }) =>
    [...extractVariables, ...responseVariables].map(({ name }) => name),
  );
  const given = [...provided.atNode, ...provided.onEntry].map((each) => each.split(' ')[1]!);
  return [...new Set([...own, ...given])].sort();
}

/** What a node does with a variable; `response` comes after the capture. */
export function definesAt(source: Source, node: number, variable: string) {
  const { extractVariables = [], responseVariables = [] } = nodeOf(source, node);
  return {
    capture: extractVariables.some(({ name }) => name === variable),
    response:
      responseVariables.some(({ name }) => name === variable) ||
      source.provided.atNode.has(`/nodes/${node} ${variable}`),
  };
}

/** Whether a tool sets the variable when the global node is entered. */
export function isGivenOnEntry({ provided }: Source, global: number, variable: string): boolean {
  return provided.onEntry.has(`/nodes/${global} ${variable}`);
}

/** Whether a text reads the variable on entry to the node, and when the node is left. */
export function readsAt(source: Source, index: number, variable: string) {
  const node = nodeOf(source, index);
  const { firstMessage, systemPrompt, transferPlan, destination, url, headers, body } = node;
  const own = [source.workflow.globalPrompt, firstMessage, systemPrompt, transferPlan?.message];
  const fields = [destination, url, JSON.stringify([headers, body])];
  const captures = (node.extractVariables ?? []).map(({ description }) => description);
  const { decided } = source.provided;
  const ofEdges = source.edges.filter(({ from }) => from === index);
  const conditions = isExit(node)
    ? []
    : [
        ...ofEdges.map(({ index: at, condition }) => [`/edges/${at}`, condition] as const),
        ...source.globals.map((at) => [`/nodes/${at}`, nodeOf(source, at).condition] as const),
      ];
  const undecided = conditions.filter(([at]) => !decided.has(`${at}/condition`));
  const reads = (text: string | undefined): boolean => readsOf(text ?? '').has(variable);
  return {
    onEntry: [...own, ...fields, ...captures].some(reads),
    onLeaving: undecided.some(([, condition]) => reads(condition)),
  };
}

/** The steps that can be taken at a node: its edges in order, then every global node. */
export function stepsFrom(source: Source, node: number): Step[] {
  if (isExit(nodeOf(source, node))) return [];
  return [
    ...source.edges.filter(({ from }) => from === node).map((edge) => ({ to: edge.to, edge })),
    ...source.globals.map((to) => ({ to })),
  ];
}

/** The walk with one step more; without a walk, the one that has come to the start. */
export function goOn(source: Source, step: Step = { to: source.start }, walk: Walk = []): Walk {
  const via = step.edge === undefined ? null : `/edges/${step.edge.index}`;
  return [...walk, { node: nodeOf(source, step.to).id, at: `/nodes/${step.to}`, via }];
}

/** The steps of a walk after its start; throws where the source has no such step. */
export function stepsOf(source: Source, [, ...visits]: Walk): Step[] {
  return visits.map(({ at, via, node }) => {
    const to = Number(at.slice('/nodes/'.length));
    if (via === null) return { to };
    const edge = source.edges.find(({ index }) => via === `/edges/${index}`);
    if (edge === undefined) throw new Error(`no call can come to ${node} by ${via}`);
    return { to, edge };
  });
}

/** The walk as a text: `a → b` along an edge, `a ⇒ b` to a global node. */
export function describeWalk(walk: Walk): string {
  const steps = walk.slice(1).map(({ node, via }) => `${via === null ? '⇒' : '→'} ${node}`);
  return [walk[0]?.node ?? '', ...steps].join(' ');
}
