/**
 * A workflow → the test calls that cover it.
 *
 *     workflow ──run──▶ FlowGraph, squad ──planWalks──▶ walks ──writeScripts──▶ scripts
 *
 * The workflow is compiled with the options of the squad under test: its answers decide the start, the
 * conditions and the tools, and the squad has the tools' names.
 */
import { run } from '../compiler/compile.js';
import { assertInvariant } from '../compiler/ir/compiler-bug.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import { type Script, writeScripts } from './script.js';
import { createToolsOf, listToMock } from './tools.js';
import { planWalks } from './walks.js';

export interface TestPlan {
  /** The name of the workflow. */
  readonly title: string | null;
  readonly scripts: readonly Script[];
  /** Names of the squad's tools that do something outside the call, or transfer it. */
  readonly tools: readonly string[];
}

/** The plan for a workflow that compiles to a squad; null if the calls would be too long. */
export function planScenarios(workflow: unknown, options: CompileOptions): TestPlan | null {
  const compilation = run(workflow, options);
  assertInvariant(!('status' in compilation), () => 'scenarios need a workflow that compiles');
  const { graph, map, squad } = compilation;
  const walks = planWalks(graph);
  const title = graph.workflow.name;
  if (walks === null) return null;
  const scripts = writeScripts(graph, walks, createToolsOf(graph, map, squad));
  return { title, scripts, tools: listToMock(squad) };
}
