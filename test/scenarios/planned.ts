/** Plans of test calls for the tests, from workflows that settle by their proposals. */
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { TestPlan } from '../../src/scenarios/markdown.js';
import { planScenarios } from '../../src/scenarios/plan-scenarios.js';
import { settle } from '../../src/testing/answering.js';

/** The plan; null where the workflow does not compile. */
export function planned(workflow: unknown, options: CompileOptions = {}): TestPlan | null {
  const settled = settle(workflow, options);
  return settled.result.status === 'complete' ? planScenarios(workflow, settled.options) : null;
}

/** `greeting > collection > booking` for each call. */
export function waysOf({ scripts }: TestPlan): string[] {
  return scripts.map(({ turns }) => turns.map(({ node }) => node.id).join(' > '));
}
