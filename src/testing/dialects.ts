/**
 * A workflow of the specification's shape, rewritten as another dialect would hold it.
 *
 * In: a workflow as the generators make it. Out: a document that means the same (`rewriteAs`), and
 * the workflow of the specification's shape that it equals (`asRead`): compiled with the same
 * answers, both give the same squad to the byte. Numbers draw among forms that mean the same: an edge
 * without a condition has none or an empty one, a list of choices is empty or missing.
 *
 * What `asRead` changes, because a reader of the dialect cannot find it:
 * - Exports have one name per node, so it is name and id at once; a request has its tool's name beside
 *   it, except where squadc itself speaks of the node (a start, a global node). Exports know no
 *   `gather`: it is a conversation that extracts. Headers can be a schema.
 * - Responses of the API have both, so a node without a name bears its id.
 * - Older tasks gather exactly where something is extracted.
 * - Properties of a schema have no order: what is extracted is sorted by name.
 */
import { isTalk, type SpecNode, type SpecWorkflow } from '../simulator/spec-workflow.js';
import { startCandidates } from '../simulator/workflow.js';
import { type Draw, type Write, type Written, writeExport, writeTasks } from './dialect-writers.js';
import { wheel } from './pick.js';

/**
 * The shapes that a workflow can be written in, beside that of the specification: as exports of the
 * platform hold it; with captures as a schema; as the API returns it; as older tasks; and any of
 * these inside of `{ workflow }`.
 */
export const dialects = ['export', 'schema', 'response', 'tasks', 'wrapped'] as const;
/** One of the shapes that a workflow can be written in. */
export type DialectName = (typeof dialects)[number];

/** The workflow as this dialect holds it. */
export function rewriteAs(
  workflow: SpecWorkflow,
  dialect: DialectName,
  numbers: readonly number[] = [],
): Written {
  const { write } = tableOf[unwrapped(dialect, numbers)];
  const read = asRead(workflow, dialect, numbers);
  const [only, ...others] = startCandidates(read);
  const document = write(read, others.length === 0 ? only : undefined, drawing(numbers));
  return dialect === 'wrapped' ? { workflow: document } : document;
}

/** What a reader finds in `rewriteAs` of the same three, written in the specification's shape. */
export function asRead(
  workflow: SpecWorkflow,
  dialect: DialectName,
  numbers: readonly number[] = [],
): SpecWorkflow {
  const bare = unwrapped(dialect, numbers);
  const fitted = tableOf[bare].fit(workflow);
  const draw = drawing(numbers);
  return bare === 'tasks' ? fitted : withNodes(fitted, (node, at) => withHeaders(node, at, draw));
}

/** Every dialect but the wrapper, which is one of these in a box. */
type BareDialect = Exclude<DialectName, 'wrapped'>;

function unwrapped(dialect: DialectName, numbers: readonly number[]): BareDialect {
  const bare = dialects.filter((name) => name !== 'wrapped');
  return dialect === 'wrapped' ? wheel(bare, numbers[0] ?? 0) : dialect;
}

/** Without numbers the first form stands everywhere. */
function drawing(numbers: readonly number[]): Draw {
  const drawn = numbers.length > 0 ? numbers : [0];
  // A form may be that there is nothing.
  return (forms, place) => forms[wheel(drawn, place) % forms.length]!;
}

type Fit = (workflow: SpecWorkflow) => SpecWorkflow;

const tableOf: Readonly<Record<BareDialect, { readonly fit: Fit; readonly write: Write }>> = {
  export: { fit: fitExport, write: writeExport('list', 'name') },
  schema: {
    fit: (workflow) => withNodes(fitExport(workflow), withSortedCaptures),
    write: writeExport('schema', 'name'),
  },
  response: {
    fit: (workflow) =>
      withNodes(workflow, (node) => asConversation({ ...node, name: node.name ?? node.id })),
    write: (...given) => ({
      id: '6f1c2a52-1111-4222-8333-944455556666',
      orgId: 'a7d0c1b2-1111-4222-8333-944455556666',
      createdAt: '2025-06-01T09:30:00.000Z',
      updatedAt: '2025-06-02T10:00:00.000Z',
      ...writeExport('list', 'id')(...given),
    }),
  },
  tasks: {
    fit: (workflow) =>
      withNodes(workflow, (node) => {
        const type = node.extractVariables === undefined ? 'conversation' : 'gather';
        return withSortedCaptures(isTalk(node) ? { ...node, type } : node);
      }),
    write: writeTasks,
  },
};

function withNodes(
  workflow: SpecWorkflow,
  change: (node: SpecNode, index: number) => SpecNode,
): SpecWorkflow {
  return { ...workflow, nodes: workflow.nodes.map(change) };
}

/** Names that no reader takes for a node. */
const reserved: ReadonlySet<string> = new Set(['', '__proto__', 'constructor', 'prototype']);

/**
 * A node's one name is its own where nothing else bears that, as name or as id, and its id otherwise.
 * Names that differ in their composition only look the same.
 */
function fitExport(workflow: SpecWorkflow): SpecWorkflow {
  const { nodes } = workflow;
  const starts = startCandidates(workflow);
  /** Requests with a name that are not global, and at which no call begins whatever is answered. */
  const isNamedByTool = nodes.map(
    ({ type, name, isGlobal }, index) =>
      type === 'apiRequest' &&
      name !== undefined &&
      !isGlobal &&
      starts.length > 0 &&
      !starts.includes(index),
  );
  const wanted = nodes.map(({ id, name = '' }, index) =>
    isNamedByTool[index] || reserved.has(name) ? id : name,
  );
  const labels = nodes.flatMap(({ id }, index) => [
    ...new Set([id, wanted[index]!].map((label) => label.normalize('NFC'))),
  ]);
  const isFree = (name: string): boolean =>
    labels.filter((label) => label === name.normalize('NFC')).length === 1;
  const keyOf = new Map(
    nodes.map(({ id }, index) => [id, isFree(wanted[index]!) ? wanted[index]! : id]),
  );
  const edges = workflow.edges.map((edge) => {
    return { ...edge, from: keyOf.get(edge.from)!, to: keyOf.get(edge.to)! };
  });
  return withNodes({ ...workflow, edges }, ({ name, ...rest }, index) => {
    const kept = isNamedByTool[index] && name !== undefined ? { name } : {};
    return asConversation({ ...rest, id: keyOf.get(rest.id)!, ...kept });
  });
}

function asConversation(node: SpecNode): SpecNode {
  return node.type === 'gather' ? { ...node, type: 'conversation' } : node;
}

function withSortedCaptures(node: SpecNode): SpecNode {
  const { extractVariables } = node;
  if (extractVariables === undefined) return node;
  const sorted = [...extractVariables].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { ...node, extractVariables: sorted };
}

/** Plain headers, or a schema that fixes each of them, as the platform and its editor write them. */
function withHeaders(node: SpecNode, index: number, draw: Draw): SpecNode {
  const { headers } = node;
  if (headers === undefined || headers['properties'] !== undefined) return node;
  const properties = Object.entries(headers).map(([header, value]) => [
    header,
    { type: 'string', ...draw<object>([{ enum: [value] }, { value }], index) },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return { ...node, headers: draw([schema, headers], index + 1) };
}
