/**
 * Phases 1 and 2 of the grouping: exits are folded, and nodes that behave the same are one node.
 *
 * In: the graph. Out: what is left of it. Nodes are equal that do the same by themselves and whose
 * edges lead to equal nodes under the same conditions, however often and in whatever order: the
 * coarsest bisimulation. The start and the global nodes are equal to none, nor is an assistant that
 * the source holds whole; a saved one is what its id says.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { Traced } from '../compiler/ir/provenance.js';
import {
  conditionKey,
  givenToolKey,
  settingNames,
  type WorkflowNode,
} from '../compiler/ir/workflow.js';
import { refine } from '../graph/partitions.js';
import { reverse } from '../graph/walks.js';
import type { SourceGraph } from './expected.js';

export interface Quotient {
  readonly graph: SourceGraph;
  /** For each node the first node, in walk order, of those that are equal to it. */
  readonly representative: readonly NodeIndex[];
  /** Those of them that are no exits, in walk order. */
  readonly nodes: readonly NodeIndex[];
  readonly successors: readonly (readonly NodeIndex[])[];
  readonly predecessors: readonly (readonly NodeIndex[])[];
  readonly talks: (node: NodeIndex) => boolean;
}

export function foldExits(graph: SourceGraph): Quotient {
  const representative = findRepresentatives(graph);
  const isKept = (node: NodeIndex) => graph.nodeAt(node).role !== 'exit';
  const nodes = graph.order.filter((node) => representative[node] === node && isKept(node));
  const successors = graph.successors.map((): NodeIndex[] => []);
  for (const node of nodes) {
    const ends = graph.successors[node]!.filter(isKept).map((to) => representative[to]!);
    successors[node] = [...new Set(ends)];
  }
  const predecessors = reverse(successors) as NodeIndex[][];
  const talks = (node: NodeIndex) => graph.nodeAt(node).role === 'talk';
  return { graph, representative, nodes, successors, predecessors, talks };
}

function findRepresentatives(graph: SourceGraph): NodeIndex[] {
  const { nodes } = graph.workflow;
  const isUnlikeAll = ({ index, global, assistant }: WorkflowNode) =>
    index === graph.start || global !== null || assistant?.savedAs === null;
  const classOf = refine(
    nodes.map((node) => (isUnlikeAll(node) ? `only ${node.index}` : behaviourOf(node))),
    nodes.map(({ index }) =>
      graph.leaving(index).map(({ to, condition }) => ({ label: conditionKey(condition), to })),
    ),
  );
  const first = new Map<number, NodeIndex>();
  for (const node of graph.order) {
    if (!first.has(classOf[node]!)) first.set(classOf[node]!, node);
  }
  return nodes.map(({ index }) => first.get(classOf[index]!) ?? index);
}

/** What a node does by itself, as a text. */
function behaviourOf({ tools, settings, assistant, ...node }: WorkflowNode): string {
  const { type, firstMessage, systemPrompt, captures, calls, transfer, request } = node;
  const parts = [type, firstMessage, systemPrompt, captures, calls, transfer, request];
  // The order in which a node has its tools says nothing.
  const given = [...new Set(tools.map(givenToolKey))].sort();
  const wanted = settingNames.map((name) => JSON.stringify(settings[name]?.value ?? null));
  return JSON.stringify([parts, given, wanted, assistant?.savedAs?.value], (key, part) => {
    if (aside.has(key)) return undefined;
    // In a value of the source a key is just a key.
    return isTraced(part) ? JSON.stringify(part.value) : part;
  });
}

/** Names, places and answers' marks, and what follows from the rest. */
const aside: ReadonlySet<string> = new Set([
  ...['toolName', 'at', 'sourceAt', 'places', 'origin', 'rule', 'changedBy', 'question', 'moment'],
  ...['uses', 'texts', 'furtherTexts', 'passedTexts', 'address', 'authenticated'],
]);

function isTraced(part: unknown): part is Traced<Json> {
  return typeof part === 'object' && part !== null && 'origin' in part && 'value' in part;
}
