/** Intermediate representations as JSON, for whoever wants to look inside. */
import { run } from './compile.js';
import type { CompileOptions } from './ir/options.js';
import type { CompileResult } from './ir/result.js';
import type { Composition, ToolIr } from './ir/squad-ir.js';
import { type Compilation, toResult } from './result-of.js';

/** An intermediate representation, by the phase that makes it. */
export type Emitted = 'flow-graph' | 'regions' | 'squad-ir';

/** Compiles, and gives one representation on the way; null where the input is invalid. */
export function emit(
  workflow: unknown,
  options: CompileOptions,
  what: Emitted,
): { readonly document: object | null; readonly result: CompileResult } {
  const compilation = run(workflow, options);
  if ('status' in compilation) return { document: null, result: compilation };
  return { document: representations[what](compilation), result: toResult(compilation) };
}

const representations: Record<Emitted, (compilation: Compilation) => object> = {
  'flow-graph': showFlowGraph,
  regions: showRegions,
  'squad-ir': showSquad,
};

/** Texts in their pieces. */
function showSquad({ squad }: Compilation): object {
  const assistants = squad.assistants.map((it) => {
    return { ...it, prompt: it.prompt.segments, tools: it.tools.map(showTool) };
  });
  return { ...squad, assistants };
}

function showTool(tool: ToolIr): object {
  if (tool.kind !== 'handoff') return tool;
  const destinations = tool.destinations.map((it) => {
    const { plan, arguments: demanded } = it;
    return {
      ...showDescribed(it),
      plan: plan.map(showDescribed),
      arguments: demanded.map(showDescribed),
    };
  });
  return { ...tool, destinations };
}

function showDescribed<Described extends { readonly description: Composition }>(it: Described) {
  return { ...it, description: it.description.segments };
}

function showFlowGraph({ graph }: Compilation): object {
  const { workflow, successors } = graph;
  const idOf = (node: number) => workflow.nodes[node]!.id;
  return {
    start: idOf(graph.start),
    globals: graph.globals.map(idOf),
    order: graph.order.map((node) => {
      const { id, role } = workflow.nodes[node]!;
      const [from, to] = [successors.offsets[node]!, successors.offsets[node + 1]!];
      const targets = Array.from(successors.targets.subarray(from, to), idOf);
      const edges = Array.from(successors.edges.subarray(from, to), (it) => workflow.edges[it]!.at);
      return { id, role, successors: targets, edges };
    }),
    leftOut: graph.leftOut.map(({ edge, reason }) => ({ edge: workflow.edges[edge]!.at, reason })),
  };
}

function showRegions({ graph, map, squad }: Compilation): object {
  const idOf = (node: number) => graph.workflow.nodes[node]!.id;
  return {
    regions: map.regions.map((region) => ({
      assistant: squad.assistants[region.index]!.name.value,
      first: idOf(region.first),
      nodes: region.nodes.map(idOf),
      entries: region.entries.map(idOf),
      globals: region.globals.map(idOf),
      steps: region.steps.map(({ kind, from, to, edge }) => ({
        kind,
        from: idOf(from),
        to: idOf(to),
        edge: graph.workflow.edges[edge]!.at,
      })),
      merges: region.merges.map(({ rule, nodes }) => ({ rule, nodes: nodes.map(idOf) })),
    })),
  };
}
