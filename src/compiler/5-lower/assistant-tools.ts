/** The tools of one assistant, in the order in which a walk comes to them. */
import { append, extend } from '../../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Region } from '../ir/region-map.js';
import type { GivenToolIr, ToolIr, TransferToolIr } from '../ir/squad-ir.js';
import type { ToolCall } from '../ir/workflow.js';
import { lowerToolCalls, toolNameOf } from './custom-tools.js';
import { lowerGivenTools } from './given-tools.js';
import { type Carrying, lowerGlobalHandoffs, lowerHandoffs } from './handoffs.js';
import { lowerRequest } from './request-tools.js';
import type { Scene } from './scene.js';
import { listCalls, standsFor, type ToolWays } from './tool-ways.js';
import { lowerTransfers } from './transfers.js';

export function lowerTools(scene: Scene, carrying: Carrying, ways: ToolWays): readonly ToolIr[] {
  const equipment = scene.cast.features.tools ? listEquipment(scene, ways) : null;
  const { nodes } = scene.region;
  // Many assistants are one node, and have its handoffs alone.
  const hasMore = equipment !== null || scene.graph.globals.length > 0 || nodes.length > 1;
  if (!hasMore) return lowerHandoffs(scene, nodes[0]!, carrying);
  const tools: ToolIr[] = [];
  for (const node of nodes) {
    if (equipment !== null) extend(tools, lowerCalled(scene, equipment, node, ways));
    extend(tools, lowerHandoffs(scene, node, carrying));
    if (equipment !== null) extend(tools, equipment.transfers.get(node) ?? none);
  }
  extend(tools, lowerGlobalHandoffs(scene, carrying));
  if (equipment !== null) extend(tools, equipment.transfers.get(null) ?? none);
  return tools;
}

const none: readonly never[] = [];

/** What the assistant has beside its handoffs, by the first node that has it. */
interface Equipment {
  readonly given: ReadonlyMap<NodeIndex, readonly GivenToolIr[]>;
  /** Request nodes whose tools are called. */
  readonly requests: ReadonlyMap<NodeIndex, readonly NodeIndex[]>;
  /** Tools to be provided, each with all the assistant's calls of it. */
  readonly custom: ReadonlyMap<NodeIndex, readonly (readonly ToolCall[])[]>;
  /** Under null those that no node leads to. */
  readonly transfers: ReadonlyMap<NodeIndex | null, readonly TransferToolIr[]>;
}

function listEquipment(scene: Scene, ways: ToolWays): Equipment {
  const { graph, region } = scene;
  const callsOf = (node: NodeIndex) => listCalls(graph, region, node);
  return {
    given: lowerGivenTools(graph, region, ways),
    requests: listRequests(scene, callsOf),
    custom: groupCustom(region, callsOf),
    transfers: lowerTransfers(scene, ways),
  };
}

type CallsOf = (node: NodeIndex) => readonly ToolCall[];

function listRequests({ graph, region, cast }: Scene, callsOf: CallsOf): Equipment['requests'] {
  const requests = new Map<NodeIndex, NodeIndex[]>();
  const taken = new Set<NodeIndex>();
  const take = (by: NodeIndex, request: NodeIndex): void => {
    if (!taken.has(request)) append(requests, by, request);
    taken.add(request);
  };
  for (const index of region.nodes) {
    if (graph.workflow.nodes[index]!.request !== null) take(index, index);
    for (const { node } of callsOf(index)) {
      if (node !== null) take(index, standsFor(cast.map, node));
    }
  }
  return requests;
}

/** A model cannot have two tools of one name, so calls of one tool are one tool. */
function groupCustom({ nodes }: Region, callsOf: CallsOf): Equipment['custom'] {
  const custom = new Map<NodeIndex, ToolCall[][]>();
  const byName = new Map<string, ToolCall[]>();
  for (const index of nodes) {
    for (const call of callsOf(index)) {
      if (call.node !== null) continue;
      const name = toolNameOf(call.tool);
      const together = byName.get(name) ?? [];
      if (together.push(call) > 1) continue;
      byName.set(name, together);
      append(custom, index, together);
    }
  }
  return custom;
}

/** The tools that the node is the first to have, handoffs and transfers aside. */
function lowerCalled(
  { graph, cast }: Scene,
  { given, requests, custom }: Equipment,
  node: NodeIndex,
  ways: ToolWays,
): ToolIr[] {
  const tools: ToolIr[] = [...(given.get(node) ?? none)];
  for (const request of requests.get(node) ?? none) {
    const { workflow } = graph;
    tools.push(lowerRequest(graph, workflow.nodes[request]!, cast.tools.get(request)!, ways));
  }
  for (const calls of custom.get(node) ?? none) tools.push(lowerToolCalls(graph, calls));
  return tools;
}
