/**
 * Workflow → picture.
 *
 * The library reads the workflow, whatever its dialect, so that ids and places are those of the
 * document; which assistant has which node is read off the ledger.
 */
import { type GraphNode, type Json, type LedgerEntry, toGraph } from '../../index.js';
import { memberIndex, ownerOf, textAt, valueAt } from '../places.js';
import {
  anywhereId,
  anywhereNode,
  type Picture,
  type PictureEdge,
  type PictureNode,
} from './picture.js';

/** What is known of the workflow beside its text. */
interface WorkflowFacts {
  readonly ledger: readonly LedgerEntry[];
  /** Names of the assistants, in the order of the members. */
  readonly assistants: readonly string[];
  /** The answer to the question of the start, where it was asked. */
  readonly start?: string | null;
}

const noFacts: WorkflowFacts = { ledger: [], assistants: [] };

/** The picture of a workflow; null where it is invalid. */
export function workflowPicture(workflow: Json, facts: WorkflowFacts = noFacts): Picture | null {
  const graph = graphOf(workflow);
  if (graph === null) return null;
  const edges = graph.mapEdges((_edge, { conditions, at }, _from, _to, { at: from }, { at: to }) =>
    at.map((id, index) => ({ id, from, to, label: conditions[index] ?? '', pointers: [id] })),
  );
  const sources = graph.mapNodes((id, attributes) => ({ id, ...attributes }));
  const start = startOf(workflow, sources, edges.flat(), facts.start ?? null);
  const owners = ownersOf(facts.ledger);
  const nodes = sources.map(({ id, name, words, type, role, isGlobal, at }): PictureNode => {
    const called = name === null || name.trim() === '' ? id : name;
    return {
      id: at,
      label: words === null || words === called ? called : `${called} (${words})`,
      caption: type,
      kind: role,
      isStart: at === start,
      isGlobal,
      groups: owners.get(at) ?? [],
      pointers: [at],
    };
  });
  const global = globalSteps(workflow, nodes, facts.ledger);
  return {
    title: textAt(workflow, '/name', '/workflow/name'),
    subject: 'workflow',
    nodes: [
      ...nodes.filter(({ isStart }) => isStart),
      ...nodes.filter(({ isStart }) => !isStart),
      ...(global.length > 0 ? [anywhereNode('any node')] : []),
    ],
    edges: [...edges.flat(), ...global],
    groups: facts.assistants,
  };
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

/** The assistants of each node, by its place. */
function ownersOf(ledger: readonly LedgerEntry[]): Map<string, number[]> {
  const nodes = ledger.filter(({ kind }) => kind === 'node');
  return new Map(
    nodes.map(({ at, outputs }) => {
      const members = new Set(outputs.map(memberIndex).filter((index) => index !== null));
      return [at, [...members].sort((a, b) => a - b)];
    }),
  );
}

/** One edge from anywhere into each global node, with its condition. */
function globalSteps(
  workflow: Json,
  nodes: readonly PictureNode[],
  ledger: readonly LedgerEntry[],
): PictureEdge[] {
  const globals = nodes.filter(({ isGlobal }) => isGlobal);
  const places = new Set(globals.map(({ id }) => id));
  const conditions = new Map(
    ledger
      .filter(({ kind }) => kind === 'condition')
      .map(({ at }) => [ownerOf(at, places), at] as const),
  );
  return globals.map(({ id }) => {
    const at = conditions.get(id);
    return {
      id: `${id}${anywhereId}`,
      from: anywhereId,
      to: id,
      label: at === undefined ? '' : (textAt(workflow, at) ?? ''),
      pointers: [at ?? id],
    };
  });
}

type Node = Pick<GraphNode, 'role' | 'isGlobal' | 'at'> & { readonly id: string };

/** The place of the start: marked, answered, or the only node that nothing leads to. */
function startOf(
  workflow: Json,
  nodes: readonly Node[],
  edges: readonly PictureEdge[],
  answered: string | null,
): string | null {
  const marked = nodes.find(({ at }) => valueAt(workflow, `${at}/isStart`) === true);
  const named = nodes.find(({ id }) => id === answered);
  const exits = new Set(nodes.filter(({ role }) => role === 'exit').map(({ at }) => at));
  const counted = edges.filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set(counted.map(({ to }) => to));
  const roots = nodes.filter(({ at, isGlobal }) => {
    return !exits.has(at) && !isGlobal && !entered.has(at);
  });
  const only = roots.length === 1 ? roots[0] : undefined;
  return (marked ?? named ?? only)?.at ?? null;
}
