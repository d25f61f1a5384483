/**
 * Phase 2 of the grouping: nodes that behave the same are one node.
 *
 * In: the flow graph. Out: for each node the node that stands for its class, the first in walk
 * order. Two nodes are in one class when their own behaviour is the same and their continuations
 * are: the coarsest bisimulation, computed by partition refinement. The start and the global nodes
 * are equal to none, nor is an assistant that the source holds whole: whoever made two of them wants
 * two. A saved one is what its id says, so nodes with one id and equal continuations are equal.
 *
 * The refinement looks again only at nodes that have a successor whose class changed, and when a
 * class falls apart its largest part keeps the name; so a node changes its class at most log n
 * times, and the whole costs O(m log n) signatures. Each round either splits a class or is the
 * last.
 */
import { append } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import {
  conditionKey,
  givenToolKey,
  type NamedSetting,
  type Operation,
  type Text,
  type Transfer,
  type WorkflowNode,
} from '../ir/workflow.js';

export function computeRepresentatives(graph: FlowGraph): Int32Array {
  const classes = groupByOwnBehaviour(graph);
  refine(graph, classes);
  return chooseFirstInWalkOrder(graph, classes);
}

interface Classes {
  readonly of: Int32Array;
  readonly members: Set<NodeIndex>[];
  /** What the members that are not in doubt continue with. */
  readonly continuation: (string | null)[];
}

function groupByOwnBehaviour(graph: FlowGraph): Classes {
  const of = new Int32Array(graph.workflow.nodes.length).fill(-1);
  const members: Set<NodeIndex>[] = [];
  const numbers = new Map<string, number>();
  for (const node of graph.order) {
    const key = behaviourOf(graph, graph.workflow.nodes[node]!);
    let number = numbers.get(key);
    if (number === undefined) {
      number = members.length;
      numbers.set(key, number);
      members.push(new Set());
    }
    of[node] = number;
    members[number]!.add(node);
  }
  return { of, members, continuation: members.map(() => null) };
}

function refine(graph: FlowGraph, classes: Classes): void {
  let doubtful = new Set<NodeIndex>(graph.order);
  while (doubtful.size > 0) {
    const moved: NodeIndex[] = [];
    for (const [number, nodes] of groupByClass(classes, doubtful)) {
      splitClass(graph, classes, number, nodes, moved);
    }
    doubtful = new Set(moved.flatMap((node) => predecessorsOf(graph, node)));
  }
}

function groupByClass(classes: Classes, nodes: ReadonlySet<NodeIndex>): Map<number, NodeIndex[]> {
  const groups = new Map<number, NodeIndex[]>();
  for (const node of nodes) {
    const number = classes.of[node]!;
    // A class of one cannot split; looking at it again would be waste.
    if (classes.members[number]!.size === 1) continue;
    append(groups, number, node);
  }
  return groups;
}

/** Takes a class apart by continuation; costs as much as its doubtful members, not its size. */
function splitClass(
  graph: FlowGraph,
  classes: Classes,
  number: number,
  doubtful: readonly NodeIndex[],
  moved: NodeIndex[],
): void {
  const parts = new Map<string, NodeIndex[]>();
  for (const node of doubtful) append(parts, continuationOf(graph, classes, node), node);
  const settled = classes.members[number]!.size - doubtful.length;
  const known = classes.continuation[number];
  // Members that are not in doubt still continue as before.
  const stays = settled > 0 && known !== undefined && known !== null ? known : null;
  const size = ([continuation, nodes]: readonly [string, readonly NodeIndex[]]) =>
    nodes.length + (continuation === stays ? settled : 0);
  const all = stays === null || parts.has(stays) ? parts : new Map(parts).set(stays, []);
  const [largest, ...others] = [...all].sort((one, other) => size(other) - size(one));
  const leaving = others.map(([continuation, nodes]) =>
    continuation === stays
      ? ([continuation, [...nodes, ...listSettled(classes, number, doubtful)]] as const)
      : ([continuation, nodes] as const),
  );
  classes.continuation[number] = largest![0];
  for (const [continuation, nodes] of leaving) {
    const fresh = classes.members.push(new Set(nodes)) - 1;
    classes.continuation.push(continuation);
    for (const node of nodes) {
      classes.members[number]!.delete(node);
      classes.of[node] = fresh;
      moved.push(node);
    }
  }
}

/** The members of a class that are not in doubt; asked for only when they are the smaller part. */
function listSettled(
  classes: Classes,
  number: number,
  doubtful: readonly NodeIndex[],
): NodeIndex[] {
  const inDoubt = new Set(doubtful);
  return [...classes.members[number]!].filter((node) => !inDoubt.has(node));
}

function continuationOf(graph: FlowGraph, classes: Classes, node: NodeIndex): string {
  const { offsets, targets, edges } = graph.successors;
  const steps = new Set<string>();
  for (let slot = offsets[node]!; slot < offsets[node + 1]!; slot += 1) {
    const condition = graph.workflow.edges[edges[slot]!]!.condition;
    steps.add(JSON.stringify([classes.of[targets[slot]!]!, conditionKey(condition)]));
  }
  return [...steps].sort().join('\n');
}

function predecessorsOf(graph: FlowGraph, node: NodeIndex): NodeIndex[] {
  const { offsets, targets } = graph.predecessors;
  return Array.from(targets.subarray(offsets[node]!, offsets[node + 1]!)) as NodeIndex[];
}

function chooseFirstInWalkOrder(graph: FlowGraph, classes: Classes): Int32Array {
  const representative = new Int32Array(graph.workflow.nodes.length).map((_, node) => node);
  const first = new Map<number, NodeIndex>();
  for (const node of graph.order) {
    const number = classes.of[node]!;
    if (!first.has(number)) first.set(number, node);
    representative[node] = first.get(number)!;
  }
  return representative;
}

/** Everything that a node does, its id, name and continuations aside. */
function behaviourOf(graph: FlowGraph, node: WorkflowNode): string {
  const isInline = node.assistant !== null && node.assistant.savedAs === null;
  if (node.index === graph.start || node.global !== null || isInline) return `only ${node.index}`;
  return JSON.stringify([
    node.type,
    textKey(node.firstMessage),
    textKey(node.systemPrompt),
    node.captures.map((it) => [
      it.name,
      it.type,
      textKey(it.description),
      it.enum,
      it.details?.value ?? null,
      textKey(it.alias ?? null),
    ]),
    node.calls.map((it) => [it.tool, it.node, it.variables]),
    node.transfer && transferKey(node.transfer),
    requestKey(node),
    // The order in which a node has its tools says nothing.
    [...new Set(node.tools.map(givenToolKey))].sort(),
    [node.settings.model, node.settings.voice, node.settings.transcriber].map(
      (setting) => setting?.value ?? null,
    ),
    node.assistant?.savedAs?.value ?? null,
  ]);
}

function requestKey(node: WorkflowNode): unknown {
  const request = node.request;
  if (request === null) return null;
  return [
    request.url?.value ?? null,
    request.method?.value ?? null,
    request.headers?.value ?? null,
    request.body?.value ?? null,
    request.timeoutSeconds?.value ?? null,
    request.credentialId?.value ?? null,
    request.operation && operationKey(request.operation),
    request.responses.map((it) => [it.name, it.path, textKey(it.value)]),
    request.responseSchema?.value ?? null,
    textKey(request.description),
    settingsKey(request.statics),
    settingsKey(request.passed),
  ];
}

function operationKey({ id, bound, account }: Operation): unknown {
  return [id.value, settingsKey(bound), settingsKey(account)];
}

function transferKey(transfer: Transfer): unknown {
  return [
    transfer.destination?.value ?? null,
    textKey(transfer.message),
    textKey(transfer.description),
    settingsKey(transfer.passed),
    transfer.others.map(transferKey),
  ];
}

function settingsKey(settings: readonly NamedSetting[]): unknown {
  return settings.map(({ key, value }) => [key, value.value]);
}

function textKey(text: Text | null): string | null {
  return text === null ? null : text.value;
}
