/** Plans of test calls for the tests, from workflows that settle by their proposals. */
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { TestPlan } from '../../src/scenarios/plan-scenarios.js';
import { planScenarios } from '../../src/scenarios/plan-scenarios.js';
import { proposed, settle } from '../../src/testing.js';

/** The proposals, but for a rename: it would change what a condition says. */
export const withoutRenames: typeof proposed = (question) =>
  question.kind === 'undefined-variable' ? { choice: 'caller' } : proposed(question);

/** The plan; null where the workflow does not compile. */
export function planned(workflow: unknown, options: CompileOptions = {}): TestPlan | null {
  const settled = settle(workflow, options, withoutRenames);
  return settled.result.status === 'complete' ? planScenarios(workflow, settled.options) : null;
}
