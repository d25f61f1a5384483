/** Plans of test calls for the tests, from workflows that settle by their proposals. */
import type { CompileOptions } from '../../src/compiler/ir/options.js';
import { planScenarios } from '../../src/scenarios/plan-scenarios.js';
import { proposed, settle } from '../../src/testing.js';

/** The proposals, but for a rename: it would change what a condition says. */
const withoutRenames: typeof proposed = (question) =>
  question.kind === 'undefined-variable' ? { choice: 'caller' } : proposed(question);

/** The plan and the options that it is made with; null where the workflow does not compile. */
export function planned(workflow: unknown, given: CompileOptions = {}) {
  const { result, options } = settle(workflow, given, withoutRenames);
  if (result.status !== 'complete') return null;
  return { ...planScenarios(workflow, options)!, options };
}
