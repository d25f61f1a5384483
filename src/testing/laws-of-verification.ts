/** The law of the second opinion: the independent checker finds nothing wrong with a squad. */
import { verify } from '../index.js';
import { choosingFaithfully, choosingReads } from './answering.js';
import { demand } from './demand.js';
import { type LawOptions, stand } from './law-ground.js';
import type { SpecWorkflow } from './spec-workflow.js';

/**
 * Once its questions are answered, a workflow compiles to a squad that `verify` accepts, with
 * answers that leave the source as it is and with those that change what is read where. Expected: no
 * item of the checklist fails, and no call shows a difference.
 */
export function squadVerified(workflow: SpecWorkflow, options: LawOptions = {}): void {
  for (const choose of [choosingFaithfully, choosingReads]) {
    const { settlement, output } = stand(workflow, options, choose);
    const { holds, checklist, counterexamples, diagnostics } = verify(
      workflow,
      output,
      settlement.options,
    );
    const failing = checklist.filter((item) => !item.holds).map(({ item }) => `item ${item}`);
    const [shown] = counterexamples;
    const errors = diagnostics.flatMap(({ severity, code, message }) =>
      severity === 'error' ? [`${code}: ${message}`] : [],
    );
    demand(holds && failing.length === 0 && counterexamples.length === 0, () =>
      [...failing, ...errors, shown?.text ?? ''].join('; '),
    );
  }
}
