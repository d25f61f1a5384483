/**
 * The workflow that a rewritten one equals: the source as far as the dialect can hold it.
 *
 * In: any workflow that the generators make. Out: one in the specification's shape that says the
 * same, with the ids, names and types that a reader of the dialect finds. What becomes of a feature:
 *
 * - Exports have one name per node, so it is name and id at once. A request has its tool's name
 *   beside it. Where squadc itself speaks of the node (a call may begin there, or come there at any
 *   time) it is the node's name that counts, so there both names are the same. Exports know no `gather`: it is a conversation that extracts.
 *   Headers can be a schema.
 * - Responses of the API have both, so a node without a name bears its id.
 * - Older tasks gather exactly where something is extracted.
 * - Properties of a schema have no order: what is extracted is sorted by name.
 *
 * Everything else is the same in every dialect: texts, captures, conditions, order.
 */
import { startCandidates } from '../source.js';
import { isTalk, nth, type SpecNode, type SpecWorkflow } from '../spec-workflow.js';
import type { BareDialect, Draw } from './dialect.js';
import { nodeKeys } from './node-keys.js';

export function fitTo(workflow: SpecWorkflow, dialect: BareDialect, draw: Draw): SpecWorkflow {
  const fitted = fits[dialect](workflow);
  if (dialect === 'tasks') return fitted;
  const nodes = fitted.nodes.map((node, index) => withHeaders(node, index, draw));
  return { ...fitted, nodes };
}

const fits: Readonly<Record<BareDialect, (workflow: SpecWorkflow) => SpecWorkflow>> = {
  export: fitExport,
  schema: (workflow) => withNodes(fitExport(workflow), withSortedCaptures),
  response: (workflow) =>
    withNodes(workflow, (node) => asConversation({ ...node, name: node.name ?? node.id })),
  tasks: (workflow) => withNodes(workflow, (node) => withSortedCaptures(fitTask(node))),
};

type Change = (node: SpecNode, index: number) => SpecNode;

function withNodes(workflow: SpecWorkflow, change: Change): SpecWorkflow {
  return { ...workflow, nodes: workflow.nodes.map(change) };
}

function fitExport(workflow: SpecWorkflow): SpecWorkflow {
  const ofTool = namedByTool(workflow);
  const keys = nodeKeys(workflow, ofTool);
  const keyOf = (id: string): string =>
    nth(
      keys,
      workflow.nodes.findIndex((node) => node.id === id),
    );
  const edges = workflow.edges.map((edge) => ({
    ...edge,
    from: keyOf(edge.from),
    to: keyOf(edge.to),
  }));
  return withNodes({ ...workflow, edges }, (node, index) => {
    const { name, ...rest } = node;
    const kept = ofTool.has(index) && name !== undefined ? { name } : {};
    return asConversation({ ...rest, id: nth(keys, index), ...kept });
  });
}

/** Requests with a name that are not global, and at which no call begins whatever is answered. */
function namedByTool(workflow: SpecWorkflow): ReadonlySet<number> {
  const starts = startCandidates(workflow);
  const requests = workflow.nodes.flatMap(({ type, name, isGlobal }, index) =>
    type === 'apiRequest' && name !== undefined && !isGlobal ? [index] : [],
  );
  return new Set(starts.length === 0 ? [] : requests.filter((index) => !starts.includes(index)));
}

function asConversation(node: SpecNode): SpecNode {
  return node.type === 'gather' ? { ...node, type: 'conversation' } : node;
}

function fitTask(node: SpecNode): SpecNode {
  if (!isTalk(node)) return node;
  return { ...node, type: node.extractVariables === undefined ? 'conversation' : 'gather' };
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
  const fixed = (value: unknown) => draw([{ enum: [value] }, { value }], index);
  const properties = Object.entries(headers).map(([header, value]) => [
    header,
    { type: 'string', ...fixed(value) },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return { ...node, headers: draw([schema, headers], index + 1) };
}
