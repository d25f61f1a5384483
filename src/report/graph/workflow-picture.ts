/**
 * Workflow → picture.
 *
 * The library reads the workflow, whatever its dialect, so that ids and places are those of the
 * document; which assistant has which node is read off the ledger.
 */
import { type GraphNode, type Json, type LedgerEntry, toGraph } from '../../index.js';
import {
  anywhereId,
  anywhereNode,
  type Picture,
  type PictureEdge,
  type PictureNode,
} from './picture.js';
import { memberIndex, ownerOf } from './places.js';
import { textAt, valueAt } from './value-at.js';

/** What is known of the workflow beside its text. */
interface WorkflowFacts {
  readonly ledger: readonly LedgerEntry[];
  /** Names of the assistants, in the order of the members. */
  readonly assistants: readonly string[];
  /** The answer to the question of the start, where it was asked. */
  readonly start?: string | null;
}

const noFacts: WorkflowFacts = { ledger: [], assistants: [] };

interface SourceNode extends GraphNode {
  readonly id: string;
}

interface SourceEdge {
  readonly from: string;
  readonly to: string;
  readonly condition: string | null;
  readonly at: string;
}

/** The picture of a workflow; null where it is invalid. */
export function workflowPicture(workflow: Json, facts: WorkflowFacts = noFacts): Picture | null {
  const source = readGraph(workflow);
  if (source === null) return null;
  const { nodes, edges } = source;
  const start = startOf(workflow, nodes, edges, facts.start ?? null);
  const owners = ownersOf(facts.ledger);
  const drawn = nodes.map((node) => drawNode(node, node.at === start, owners.get(node.at) ?? []));
  const global = globalSteps(workflow, drawn, facts.ledger);
  return {
    title: titleOf(workflow),
    subject: 'workflow',
    nodes: [...startFirst(drawn), ...(global.length > 0 ? [anywhereNode('any node')] : [])],
    edges: [
      ...edges.map(({ from, to, condition, at }) => ({
        id: at,
        from,
        to,
        label: condition ?? '',
        pointers: [at],
      })),
      ...global,
    ],
    groups: facts.assistants,
  };
}

function startFirst(nodes: readonly PictureNode[]): PictureNode[] {
  return [...nodes.filter(({ isStart }) => isStart), ...nodes.filter(({ isStart }) => !isStart)];
}

/** Nodes and edges with places for names, in source order. */
function readGraph(workflow: Json): { nodes: SourceNode[]; edges: SourceEdge[] } | null {
  const graph = graphOf(workflow);
  if (graph === null) return null;
  const nodes = graph.mapNodes((id, attributes) => ({ id, ...attributes }));
  const edges = graph.mapEdges((_edge, { conditions, at }, _from, _to, from, to) =>
    at.map((place, index) => ({
      from: from.at,
      to: to.at,
      condition: conditions[index] ?? null,
      at: place,
    })),
  );
  return { nodes, edges: edges.flat() };
}

/** `toGraph` throws a TypeError where the workflow is invalid. */
function graphOf(workflow: Json): ReturnType<typeof toGraph> | null {
  try {
    return toGraph(workflow);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

function drawNode(
  { id, name, words, type, role, isGlobal, at }: SourceNode,
  isStart: boolean,
  groups: readonly number[],
): PictureNode {
  const called = name === null || name.trim() === '' ? id : name;
  const label = words === null || words === called ? called : `${called} (${words})`;
  return { id: at, label, caption: type, kind: role, isStart, isGlobal, groups, pointers: [at] };
}

/** The assistants of each node, by its place. */
function ownersOf(ledger: readonly LedgerEntry[]): Map<string, number[]> {
  const owners = new Map<string, number[]>();
  for (const { kind, at, outputs } of ledger) {
    if (kind !== 'node') continue;
    const members = new Set(outputs.map(memberIndex).filter((index) => index !== null));
    owners.set(
      at,
      [...members].sort((a, b) => a - b),
    );
  }
  return owners;
}

/** One edge from anywhere into each global node, with its condition. */
function globalSteps(
  workflow: Json,
  nodes: readonly PictureNode[],
  ledger: readonly LedgerEntry[],
): PictureEdge[] {
  const globals = nodes.filter(({ isGlobal }) => isGlobal);
  const places = new Set(globals.map(({ id }) => id));
  const conditions = new Map<string, string>();
  for (const { kind, at } of ledger) {
    const node = kind === 'condition' ? ownerOf(at, places) : null;
    if (node !== null) conditions.set(node, at);
  }
  return globals.map(({ id }) => {
    const at = conditions.get(id);
    return {
      id: `${id}${anywhereId}`,
      from: anywhereId,
      to: id,
      label: at === undefined ? '' : (textAt(workflow, at) ?? ''),
      pointers: at === undefined ? [id] : [at],
    };
  });
}

/** The name, which wrapped exports have inside. */
function titleOf(workflow: Json): string | null {
  const names = ['/name', '/workflow/name'].map((at) => valueAt(workflow, at));
  return names.find((name): name is string => typeof name === 'string' && name !== '') ?? null;
}

type Node = Pick<GraphNode, 'role' | 'isGlobal' | 'at'> & { readonly id: string };

interface Edge {
  readonly from: string;
  readonly to: string;
}

/** The place of the start. */
function startOf(
  workflow: Json,
  nodes: readonly Node[],
  edges: readonly Edge[],
  answered: string | null,
): string | null {
  const marked = nodes.find(({ at }) => valueAt(workflow, `${at}/isStart`) === true);
  const named = nodes.find(({ id }) => id === answered);
  return (marked ?? named ?? onlyRoot(nodes, edges))?.at ?? null;
}

function onlyRoot(nodes: readonly Node[], edges: readonly Edge[]): Node | null {
  const exits = new Set(nodes.filter(({ role }) => role === 'exit').map(({ at }) => at));
  const counted = edges.filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set(counted.map(({ to }) => to));
  const roots = nodes.filter(
    ({ at, role, isGlobal }) => role !== 'exit' && !isGlobal && !entered.has(at),
  );
  return roots.length === 1 ? roots[0]! : null;
}
