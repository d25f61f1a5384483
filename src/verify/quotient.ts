/**
 * What a call can reach with exits folded and equal nodes as one, and its cycles (section 3, phases 1
 * to 3). The plainest way of finding either: the compiler has a faster one, which this one checks.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type * as ir from '../compiler/ir/workflow.js';
import { conditionKey, givenToolKey, settingNames } from '../compiler/ir/workflow.js';
import { flood, reverse } from '../graph/walks.js';
import type { SourceGraph } from './expected/source.js';

export interface Quotient {
  readonly graph: SourceGraph;
  /** For each node the first node, in walk order, of those that are equal to it. */
  readonly representative: readonly NodeIndex[];
  /** The representatives that are not exits, in walk order. */
  readonly nodes: readonly NodeIndex[];
  readonly successors: readonly (readonly NodeIndex[])[];
  readonly predecessors: readonly (readonly NodeIndex[])[];
}

/**
 * Phases 1 and 2: exits are folded, and nodes that behave the same are one node: those that do the
 * same themselves and whose edges lead to equal nodes under the same conditions, regardless of
 * number and order. The start and the global nodes are equal to none, nor is an assistant that the
 * source contains; a saved one is identified by its id.
 */
export function foldExits(graph: SourceGraph): Quotient {
  const { order, start, nodeAt, leaving, workflow } = graph;
  const isUnique = ({ index, global, assistant }: ir.WorkflowNode) =>
    index === start || global !== null || assistant?.savedAs === null;
  const classOf = findEqual(
    workflow.nodes.map((it) => (isUnique(it) ? `only ${it.index}` : behaviourOf(it))),
    workflow.nodes.map(({ index }) =>
      leaving[index]!.map(({ to, condition }) => ({ label: conditionKey(condition), to })),
    ),
  );
  const first: NodeIndex[] = [];
  for (const node of order) first[classOf[node]!] ??= node;
  const representative = workflow.nodes.map(({ index }) => first[classOf[index]!] ?? index);
  const isInner = (node: NodeIndex) => nodeAt(node).role !== 'exit';
  const nodes = order.filter((node) => representative[node] === node && isInner(node));
  const isOwn = new Set<number>(nodes);
  const successors = graph.successors.map((ends, node): NodeIndex[] =>
    isOwn.has(node) ? [...new Set(ends.filter(isInner).map((to) => representative[to]!))] : [],
  );
  const predecessors = reverse(successors) as NodeIndex[][];
  return { graph, representative, nodes, successors, predecessors };
}

/**
 * Classes of nodes with equal behaviour and equal steps into the same classes: told apart until no
 * more are.
 */
function findEqual(
  behaviours: readonly string[],
  steps: readonly (readonly { readonly label: string; readonly to: NodeIndex }[])[],
): readonly number[] {
  const number = (keys: readonly string[]) => {
    const known = new Map([...new Set(keys)].map((key, at) => [key, at]));
    return { classes: keys.map((key) => known.get(key)!), count: known.size };
  };
  let found = number(behaviours);
  for (;;) {
    const { classes, count } = found;
    const continuations = steps.map((leaving, node) => {
      const each = leaving.map(({ label, to }) => JSON.stringify([label, classes[to]]));
      return JSON.stringify([classes[node], ...new Set(each.sort())]);
    });
    found = number(continuations);
    if (found.count === count) return classes;
  }
}

/** A node's own behaviour as a text: values without their origins. */
function behaviourOf(node: ir.WorkflowNode): string {
  const { type, firstMessage, lineBy, systemPrompt, captures, calls, transfer } = node;
  const { request, tools, settings, assistant } = node;
  // The order of a node's tools has no meaning.
  const keys = [...new Set(tools.map(givenToolKey))].sort();
  const own = [assistant?.savedAs, ...settingNames.map((name) => settings[name])];
  const behaviour = [type, firstMessage, lineBy, systemPrompt, captures, calls, transfer, request];
  return JSON.stringify([...behaviour, ...keys, own], (key, part: unknown) => {
    if (ignoredKeys.has(key)) return undefined;
    // In a traced value of the source a key is only a key.
    const isTraced = typeof part === 'object' && part !== null && 'origin' in part;
    return isTraced && 'value' in part ? JSON.stringify(part.value) : part;
  });
}

/** Names, places and marks of answers, and whatever follows from the rest. */
const ignoredKeys: ReadonlySet<string> = new Set([
  ...['toolName', 'at', 'sourceAt', 'places', 'origin', 'rule', 'changedBy', 'question', 'moment'],
  ...['uses', 'texts', 'furtherTexts', 'passedTexts', 'address', 'authenticated'],
]);

/** By node the number of its component. A node that is already an assistant is one by itself. */
export function findComponents({ graph, successors }: Quotient): readonly number[] {
  const isOpen = (node: number) => graph.workflow.nodes[node]!.assistant === null;
  const steps = successors.map((ends, node) => (isOpen(node) ? ends.filter(isOpen) : []));
  const back = reverse(steps);
  const component = steps.map(() => -1);
  for (const node of steps.keys()) {
    if (component[node] !== -1) continue;
    const before = flood([node], (it) => back[it]!);
    for (const it of flood([node], (at) => steps[at]!)) if (before.has(it)) component[it] = node;
  }
  return component;
}
