/** The tools of one assistant, in the order in which a walk comes to them. */
import { groupBy } from '../graph/lists.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Traced } from '../ir/provenance.js';
import type { RegionMap } from '../ir/region-map.js';
import type { ToolIr } from '../ir/squad-ir.js';
import type { ToolCall } from '../ir/workflow.js';
import { lowerToolCalls, toolNameOf } from './custom-tools.js';
import { lowerGivenTools } from './given-tools.js';
import { type Carrying, lowerGlobalHandoffs, lowerHandoffs } from './handoffs.js';
import type { Scene } from './prompt.js';
import { lowerRequest } from './request-tools.js';
import { listCalls, standsFor, type ToolWays } from './tool-ways.js';
import { lowerTransfers } from './transfers.js';

/** `names` are the names of request tools. */
export function lowerTools(
  scene: Scene,
  map: RegionMap,
  carrying: Carrying,
  names: ReadonlyMap<NodeIndex, Traced<string>>,
  ways: ToolWays,
): ToolIr[] {
  const { graph, region } = scene;
  const calls = region.nodes.map((node) => [node, listCalls(graph, region, node)] as const);
  // A model cannot have two tools of one name, so calls of one tool are one tool.
  const custom = groupBy(
    calls.flatMap(([, all]) => all.filter((call) => call.node === null)),
    (call) => toolNameOf(call.tool),
  );
  const transfers = lowerTransfers(scene, ways);
  const given = lowerGivenTools(graph, region, ways);
  const requests = new Set<NodeIndex>();
  const tools = calls.flatMap(([index, all]): ToolIr[] => {
    const called = all.flatMap(({ node }) => (node === null ? [] : [standsFor(map, node)]));
    const own = graph.workflow.nodes[index]!.request === null ? called : [index, ...called];
    return [
      ...(given.get(index) ?? []),
      ...takeFresh(own, requests).map((it) =>
        lowerRequest(graph, graph.workflow.nodes[it]!, names.get(it)!, ways),
      ),
      ...takeOut(custom, all).map((together) => lowerToolCalls(graph, together)),
      ...lowerHandoffs(scene, index, carrying),
      ...(transfers.get(index) ?? []),
    ];
  });
  return [...tools, ...lowerGlobalHandoffs(scene, carrying), ...(transfers.get(null) ?? [])];
}

function takeFresh(nodes: readonly NodeIndex[], taken: Set<NodeIndex>): NodeIndex[] {
  const fresh = [...new Set(nodes)].filter((node) => !taken.has(node));
  for (const node of fresh) taken.add(node);
  return fresh;
}

/** The tools that these calls are the first to need, each with all the assistant's calls of it. */
function takeOut(custom: Map<string, ToolCall[]>, calls: readonly ToolCall[]): ToolCall[][] {
  const names = new Set(calls.map((call) => toolNameOf(call.tool)));
  return [...names].flatMap((name) => {
    const together = custom.get(name);
    custom.delete(name);
    return together === undefined ? [] : [together];
  });
}
