/** The thread that makes runs of `squadc fuzz`; a file of its own in the built package. */
import {
  type Block,
  type BlockOutcome,
  type Counterexample,
  type Failure,
  runBlock,
  shrinkFailure,
  type Trial,
} from './fuzz-runs.js';

/** Runs to make, or a failure to make small. */
export type FuzzTask =
  | { readonly kind: 'runs'; readonly block: Block }
  | {
      readonly kind: 'shrink';
      readonly trial: Trial;
      readonly failure: Failure;
      readonly patience: number;
    };

export function doFuzzTask(task: FuzzTask): BlockOutcome | Counterexample {
  return task.kind === 'runs'
    ? runBlock(task.block)
    : shrinkFailure(task.trial, task.failure, task.patience);
}
