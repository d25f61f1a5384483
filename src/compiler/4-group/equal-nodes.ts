/**
 * Phase 2 of the grouping: nodes that behave the same are one node.
 *
 * In: the flow graph. Out: for each node the node that stands for its class, the first in walk
 * order. Two nodes are in one class when their own behaviour is the same and their continuations
 * are: the coarsest bisimulation, computed by partition refinement. The start and the global nodes
 * are equal to none, nor is an assistant that the source holds whole: whoever made two of them wants
 * two. A saved one is what its id says, so nodes with one id and equal continuations are equal.
 */
import { refine } from '../../graph/partitions.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import {
  conditionKey,
  givenToolKey,
  type NamedSetting,
  type Request,
  type Text,
  type Transfer,
  type WorkflowNode,
} from '../ir/workflow.js';

export function computeRepresentatives({
  workflow: { nodes },
  start,
  order,
  rank,
  leaving,
}: FlowGraph): NodeIndex[] {
  const labels = nodes.map((node) => {
    const isHeldWhole = node.assistant !== null && node.assistant.savedAs === null;
    const isUnique = node.index === start || node.global !== null || isHeldWhole;
    return isUnique || rank[node.index] === -1 ? `${node.index}` : behaviourOf(node);
  });
  const arcs = leaving.map((edges) =>
    edges.map(({ to, condition }) => ({ to, label: conditionKey(condition) })),
  );
  const classes = refine(labels, arcs);
  const firstOf = new Map<number, NodeIndex>();
  for (const node of order.toReversed()) firstOf.set(classes[node]!, node);
  return nodes.map(({ index }) => firstOf.get(classes[index]!) ?? index);
}

/** Everything that a node does, its id, name and continuations aside; two that do the same share it. */
function behaviourOf(node: WorkflowNode): string {
  const { settings, request, transfer, assistant } = node;
  return JSON.stringify([
    node.type,
    textKey(node.firstMessage),
    textKey(node.systemPrompt),
    node.captures.map((it) => [
      it.name,
      it.type,
      textKey(it.description),
      it.enum,
      it.details?.value,
      textKey(it.alias),
    ]),
    node.calls.map((it) => [it.tool, it.node, it.variables]),
    transfer && transferKey(transfer),
    request && requestKey(request),
    // The order in which a node has its tools says nothing.
    [...new Set(node.tools.map(givenToolKey))].sort(),
    [settings.model, settings.voice, settings.transcriber].map((setting) => setting?.value),
    assistant?.savedAs?.value,
  ]);
}

function requestKey(request: Request): unknown {
  const { url, method, headers, body, timeoutSeconds, credentialId } = request;
  return [
    [url, method, headers, body, timeoutSeconds, credentialId].map((it) => it?.value),
    request.responses.map((it) => [it.name, it.path, textKey(it.value)]),
    request.responseSchema?.value,
    textKey(request.description),
    settingsKey(request.statics),
    settingsKey(request.passed),
  ];
}

function transferKey(transfer: Transfer): unknown {
  return [
    transfer.destination?.value,
    textKey(transfer.message),
    textKey(transfer.description),
    settingsKey(transfer.passed),
    transfer.others.map(transferKey),
  ];
}

function settingsKey(settings: readonly NamedSetting[]): unknown {
  return settings.map(({ key, value }) => [key, value.value]);
}

function textKey(text: Text | null | undefined): string | undefined {
  return text?.value;
}
