/**
 * The way from a workflow to its test calls.
 *
 *     workflow ──run──▶ FlowGraph, squad ──planWalks──▶ walks ──writeScripts──▶ scripts
 *
 * The workflow is compiled with the options of the squad that is to be tested: the answers decide
 * the start, the conditions and the tools, and the squad gives the tools their names.
 */
import { run } from '../compiler/compile.js';
import { assertInvariant } from '../compiler/ir/compiler-bug.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import type { TestPlan } from './markdown.js';
import { coveredOf, writeScripts } from './script.js';
import { createToolsOf } from './tools.js';
import { planWalks } from './walks.js';

/** The plan for a workflow that compiles to a squad; null where its walks are too long to be kept. */
export function planScenarios(workflow: unknown, options: CompileOptions): TestPlan | null {
  const compilation = run(workflow, options);
  assertInvariant(!('status' in compilation), () => 'scenarios need a workflow that compiles');
  const { graph, map, squad } = compilation;
  const walks = planWalks(graph);
  if (walks === null) return null;
  return {
    title: graph.workflow.name,
    scripts: writeScripts(graph, walks, createToolsOf(graph, map, squad)),
    leftOut: graph.leftOut.map(({ edge }) =>
      coveredOf(graph, { kind: 'edge', edge, to: graph.workflow.edges[edge]!.to }),
    ),
  };
}
