/**
 * Phase 2 of the grouping: nodes that behave the same are one node.
 *
 * In: the graph. Out: for each node the first node, in walk order, of those that are equal to it;
 * itself where there is none. Nodes are equal that do the same by themselves and whose edges lead
 * to equal nodes under the same conditions, however often and in whatever order.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { conditionKey } from '../../compiler/ir/workflow.js';
import { tabulate } from '../rows.js';
import type { SourceGraph } from '../source-graph.js';
import { type LabelledArcs, refineToStable } from './coarsest-refinement.js';
import { numberBehaviours } from './own-behaviour.js';
import { createPartition } from './refinable-partition.js';

export function findRepresentatives(graph: SourceGraph): Int32Array {
  const representative = tabulate(graph.workflow.nodes.length, (node) => node);
  const behaviours = numberBehaviours(graph);
  if (behaviours === null) return representative;
  const candidates = graph.order.filter((node) => behaviours[node] !== -1);
  if (candidates.length === 0) return representative;
  const { elements, arcs } = listArcs(graph, candidates);
  const { count, blockOf } = firstBlocks(candidates, elements, behaviours, arcs);
  refineToStable(createPartition(count, blockOf), arcs);
  const first = new Map<number, NodeIndex>();
  candidates.forEach((node, element) => {
    const standing = first.get(blockOf[element]!);
    if (standing === undefined) first.set(blockOf[element]!, node);
    else representative[node] = standing;
  });
  return representative;
}

interface Continuations {
  /** The candidates, and after them the other nodes that they lead to. */
  readonly elements: readonly NodeIndex[];
  readonly arcs: LabelledArcs;
}

/** The edges of the candidates; those of other nodes tell nothing apart. */
function listArcs(graph: SourceGraph, candidates: readonly NodeIndex[]): Continuations {
  const elements = [...candidates];
  const elementOf = new Int32Array(graph.workflow.nodes.length).fill(-1);
  candidates.forEach((node, element) => {
    elementOf[node] = element;
  });
  const conditions = new Map<string, number>();
  const arcs = { sources: [] as number[], targets: [] as number[], labels: [] as number[] };
  const { offsets } = graph.successors;
  candidates.forEach((node, source) => {
    for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
      const { to, condition } = graph.edgeAt(slot);
      if (elementOf[to] === -1) elementOf[to] = elements.push(to) - 1;
      const key = conditionKey(condition);
      const label = conditions.get(key) ?? conditions.size;
      conditions.set(key, label);
      arcs.sources.push(source);
      arcs.targets.push(elementOf[to]!);
      arcs.labels.push(label);
    }
  });
  return { elements, arcs: { ...arcs, labelCount: conditions.size } };
}

/** Candidates that do the same under the same conditions, and every other node by itself. */
function firstBlocks(
  candidates: readonly NodeIndex[],
  elements: readonly NodeIndex[],
  behaviours: Int32Array,
  arcs: LabelledArcs,
): { readonly count: number; readonly blockOf: Int32Array } {
  const conditions = numberLabelSets(candidates.length, arcs);
  const numbers = new Map<number, number>();
  const blockOf = new Int32Array(elements.length);
  candidates.forEach((node, element) => {
    const key = behaviours[node]! * (candidates.length + 1) + conditions[element]!;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    blockOf[element] = number;
  });
  for (let element = candidates.length; element < elements.length; element += 1) {
    blockOf[element] = numbers.size + element - candidates.length;
  }
  return { count: numbers.size + elements.length - candidates.length, blockOf };
}

/** For each source a number for the set of the labels on its arcs, which stand side by side. */
function numberLabelSets(count: number, { sources, labels }: LabelledArcs): Int32Array {
  const numbers = new Map<string, number>([['', 0]]);
  const setOf = new Int32Array(count);
  for (let arc = 0; arc < sources.length; ) {
    const source = sources[arc]!;
    const own: number[] = [];
    for (; sources[arc] === source; arc += 1) own.push(labels[arc]!);
    const key = own.length === 1 ? String(own[0]) : listOnce(own).join(' ');
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    setOf[source] = number;
  }
  return setOf;
}

function listOnce(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((one, other) => one - other);
}
