/** Plans of test calls for the tests, from workflows that settle by their proposals. */
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import type { TestPlan } from '../../src/scenarios/markdown.js';
import { planScenarios } from '../../src/scenarios/plan-scenarios.js';
import { proposed, settle } from '../../src/testing.js';

/** The plan; null where the workflow does not compile. No answer renames what a condition reads. */
export function planned(workflow: unknown, options: CompileOptions = {}): TestPlan | null {
  const settled = settle(workflow, options, (question) =>
    question.kind === 'undefined-variable' ? { choice: 'caller' } : proposed(question),
  );
  return settled.result.status === 'complete' ? planScenarios(workflow, settled.options) : null;
}
