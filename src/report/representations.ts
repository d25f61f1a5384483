/** Intermediate representations as JSON, for inspection. */
import { type Compilation, conclude, run } from '../compiler/compile.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult } from '../compiler/ir/result.js';
import { hideTexts } from '../compiler/ir/secrets.js';

/** An intermediate representation, named after what the phase produces. */
export type Emitted = 'flow-graph' | 'regions' | 'squad-ir';

/** Compiles and returns one intermediate representation; null if the input is invalid. */
export function emit(
  workflow: unknown,
  options: CompileOptions,
  what: Emitted,
): { readonly document: object | null; readonly result: CompileResult } {
  const compilation = run(workflow, options);
  if ('status' in compilation) return { document: null, result: compilation };
  const document = hideTexts(representations[what](compilation), compilation.source.secrets);
  return { document, result: conclude(compilation).result };
}

const representations: Record<Emitted, (compilation: Compilation) => object> = {
  'flow-graph': ({ graph }) => {
    const { workflow, leaving } = graph;
    const idOf = (node: number) => workflow.nodes[node]!.id;
    return {
      start: idOf(graph.start),
      globals: graph.globals.map(idOf),
      order: graph.order.map((node) => {
        const { id, role } = workflow.nodes[node]!;
        const edges = leaving[node]!;
        const successors = edges.map(({ to }) => idOf(to));
        return { id, role, successors, edges: edges.map(({ at }) => at) };
      }),
      leftOut: graph.leftOut.map((it) => ({
        edge: workflow.edges[it.edge]!.at,
        reason: it.reason,
      })),
    };
  },
  regions: ({ graph, map, squad }) => {
    const idOf = (node: number) => graph.workflow.nodes[node]!.id;
    return {
      regions: map.regions.map((region) => ({
        assistant: squad.assistants[region.index]!.name.value,
        first: idOf(region.nodes[0]!),
        nodes: region.nodes.map(idOf),
        entries: region.entries.map(idOf),
        globals: region.globals.map(idOf),
        steps: region.steps.map(({ kind, from, to, edge }) => {
          return { kind, from: idOf(from), to: idOf(to), edge: graph.workflow.edges[edge]!.at };
        }),
        merges: region.merges.map(({ rule, nodes }) => ({ rule, nodes: nodes.map(idOf) })),
      })),
    };
  },
  'squad-ir': ({ squad }) => squad,
};
