/** Workflow → picture: nodes with their assistants, edges, and one edge into each global node. */
import { type Json, type LedgerEntry, toGraph } from '../../index.js';
import { valueAt } from '../../text/pointer.js';
import { memberIndex, ownerOf, textAt } from '../places.js';
import {
  anywhereId,
  anywhereNode,
  type Picture,
  type PictureEdge,
  type PictureNode,
  pictureNode,
} from './picture.js';

/**
 * Null if the workflow is invalid. `assistants` are the names of the members, `start` the id of the
 * node that an answer makes the start.
 */
export function workflowPicture(
  workflow: Json,
  ledger: readonly LedgerEntry[] = [],
  assistants: readonly string[] = [],
  start?: unknown,
): Picture | null {
  const graph = graphOf(workflow);
  if (graph === null) return null;
  const edges = graph
    .mapEdges((_edge, { conditions, at }, _from, _to, { at: from }, { at: to }) =>
      at.map((id, index) => ({ id, from, to, label: conditions[index] ?? '', pointers: [id] })),
    )
    .flat();
  const owners = new Map(
    ledger.filter(({ kind }) => kind === 'node').map(({ at, outputs }) => [at, outputs]),
  );
  const plain = graph.mapNodes((id, { name, words, type, role, isGlobal, at }) => {
    const called = name === null || name.trim() === '' ? id : name;
    const members = (owners.get(at) ?? []).map(memberIndex).filter((index) => index !== null);
    return pictureNode({
      id: at,
      label: words === null || words === called ? called : `${called} (${words})`,
      caption: type,
      kind: role,
      isStart: valueAt(workflow, `${at}/isStart`) === true || id === start,
      isGlobal,
      groups: [...new Set(members)].sort((a, b) => a - b),
      pointers: [at],
    });
  });
  const nodes = markStart(plain, edges);
  const global = globalEdges(workflow, nodes, ledger);
  return {
    title: textAt(workflow, '/name', '/workflow/name'),
    subject: 'workflow',
    nodes: [...nodes, ...(global.length > 0 ? [anywhereNode('any node')] : [])],
    edges: [...edges, ...global],
    groups: assistants,
  };
}

/** `toGraph` throws a TypeError if the workflow is invalid. */
function graphOf(workflow: Json): ReturnType<typeof toGraph> | null {
  try {
    return toGraph(workflow);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The start comes first: the one that is marked, else the only node that nothing leads to. */
function markStart(
  nodes: readonly PictureNode[],
  edges: readonly PictureEdge[],
): readonly PictureNode[] {
  const exits = new Set(nodes.flatMap(({ kind, id }) => (kind === 'exit' ? id : [])));
  const leading = edges.filter(({ from, to }) => from !== to && !exits.has(from));
  const entered = new Set([...leading.map(({ to }) => to), ...exits]);
  const roots = nodes.filter(({ id, isGlobal }) => !isGlobal && !entered.has(id));
  const only = roots.length === 1 ? roots[0] : undefined;
  const start = nodes.find(({ isStart }) => isStart) ?? only;
  if (start === undefined) return nodes;
  const others = nodes.filter((node) => node !== start);
  return [{ ...start, isStart: true }, ...others.map((node) => ({ ...node, isStart: false }))];
}

/** One edge from anywhere into each global node, with its condition. */
function globalEdges(
  workflow: Json,
  nodes: readonly PictureNode[],
  ledger: readonly LedgerEntry[],
): PictureEdge[] {
  const globals = new Set(nodes.flatMap(({ isGlobal, id }) => (isGlobal ? id : [])));
  const texts = ledger.filter(({ kind }) => kind === 'condition');
  const conditions = new Map(texts.map(({ at }) => [ownerOf(at, globals), at]));
  return Array.from(globals, (to) => {
    const at = conditions.get(to) ?? to;
    const label = textAt(workflow, at) ?? '';
    return { id: `${to}${anywhereId}`, from: anywhereId, to, label, pointers: [at] };
  });
}
