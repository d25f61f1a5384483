/**
 * Tools in the platform's own words: which of them an assistant has, and what they are called.
 *
 * In: a region. Out: its tools, each once, with the first node of a walk that has it. Guarantees: a
 * tool stands as the source has it; only what a guard demands is added, where the source itself says
 * nothing of when the platform refuses it.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { append, extend, groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Region } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { GivenToolIr, Rejections } from '../ir/squad-ir.js';
import { type GivenTool, givenToolKey } from '../ir/workflow.js';
import { toolNameOf } from './custom-tools.js';
import { rejectionsOf } from './guards.js';
import { listCalls, type ToolWays } from './tool-ways.js';

/** A tool, and the nodes of the assistant that have it, in walk order. */
interface Holding {
  readonly tool: GivenTool;
  readonly nodes: readonly NodeIndex[];
}

/** The tools that stand in the source in full, by the first node that has them. */
export function lowerGivenTools(
  graph: FlowGraph,
  region: Region,
  ways: ToolWays,
): ReadonlyMap<NodeIndex, readonly GivenToolIr[]> {
  const holdings = listHoldings(graph, region);
  if (holdings.length === 0) return none;
  const tools = new Map<NodeIndex, GivenToolIr[]>();
  for (const { tool, nodes } of holdings) {
    if (tool.value === null) continue;
    const [node] = nodes;
    append(tools, node!, {
      kind: 'given',
      node: node!,
      name: traced(tool.name, fromSource(tool.at)),
      value: tool.value,
      rejections: rejectionsOfTool(graph, tool.value, nodes, ways),
    });
  }
  return tools;
}

const none: ReadonlyMap<NodeIndex, readonly GivenToolIr[]> = new Map();

/** The ids of the tools that the platform keeps. */
export function listSavedTools(graph: FlowGraph, region: Region): Traced<string>[] {
  return listHoldings(graph, region).flatMap(({ tool }) => tool.savedAs ?? []);
}

/** What the prompt calls the tool of a tool node. */
export function nameOfGiven({ name, value }: GivenTool): string {
  return value === null ? toolNameOf(name) : name;
}

/** A model can tell tools of one name apart by nothing, unless they are one. */
export function findSharedNames(graph: FlowGraph, regions: readonly Region[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const region of regions) extend(found, findSharedIn(graph, region));
  return [...new Map(found.map((it) => [JSON.stringify([it.at, it.related]), it])).values()];
}

function findSharedIn(graph: FlowGraph, region: Region): Diagnostic[] {
  // Where a transfer leads, its description says; a squad has several of them side by side.
  const isTold = ({ tool }: Holding) => tool.value !== null && tool.name !== 'transferCall';
  const holdings = listHoldings(graph, region).filter(isTold);
  if (holdings.length === 0) return [];
  const earlier = new Map<string, JsonPointer>();
  const asked = region.nodes.flatMap((node) => listCalls(graph, region, node));
  for (const { node, tool, at } of asked) if (node === null) earlier.set(toolNameOf(tool), at);
  return holdings.flatMap(({ tool: { name, at } }) => {
    const other = earlier.get(name);
    earlier.set(name, other ?? at);
    if (other === undefined) return [];
    return [diagnose('lower/tools-of-one-name', at, { tool: name }, { related: [other] })];
  });
}

function listHoldings({ workflow }: FlowGraph, { nodes }: Region): readonly Holding[] {
  if (!nodes.some((node) => workflow.nodes[node]!.tools.length > 0)) return [];
  const all = nodes.flatMap((node) =>
    workflow.nodes[node]!.tools.map((tool) => ({ node, tool, key: givenToolKey(tool) })),
  );
  return [...groupBy(all, ({ key }) => key).values()].map((same) => ({
    tool: same[0]!.tool,
    nodes: same.map(({ node }) => node),
  }));
}

/** A tool that a talk node offers may be called at any time. */
function rejectionsOfTool(
  { workflow }: FlowGraph,
  { value }: Traced<object>,
  nodes: readonly NodeIndex[],
  ways: ToolWays,
): Rejections {
  const isCalled = nodes.every((node) => workflow.nodes[node]!.role === 'act');
  if (!isCalled || Object.hasOwn(value, 'rejectionPlan')) return [];
  return rejectionsOf(nodes.flatMap(ways.to));
}
