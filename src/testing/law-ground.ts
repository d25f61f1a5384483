/** What most laws stand on: a workflow whose questions are answered, and the squad that it gave. */
import type { Json } from '../compiler/ir/json.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import { choosingFaithfully, type Settlement, settle } from './answering.js';
import { readSource } from './source.js';
import type { SpecWorkflow } from './spec-workflow.js';
import { readTracks, type Tracks, valueAt } from './squad-tracks.js';

/** What a law is tried with; the numbers decide what the workflow leaves open. */
export interface LawOptions {
  readonly compile?: CompileOptions;
  readonly numbers?: readonly number[];
}

export interface Ground {
  readonly settlement: Settlement;
  readonly tracks: Tracks;
  readonly output: Json;
}

/** Compiles with answers that leave the source as it is; throws where that gives no squad. */
export function stand(workflow: SpecWorkflow, { compile, numbers = [] }: LawOptions): Ground {
  const settlement = settle(workflow, compile, choosingFaithfully(numbers));
  const { output, diagnostics, ledger } = settlement.result;
  if (output === null) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    throw new Error(`a valid workflow is invalid: ${JSON.stringify(errors)}`);
  }
  const tracks = readTracks(readSource(workflow, settlement), output, ledger);
  return { settlement, tracks, output };
}

/** Throws with the message of the first fault. */
export function demand(holds: boolean, fault: () => string): asserts holds {
  if (!holds) throw new Error(fault());
}

/** The text at this place of the squad. */
export function textAt({ output }: Ground, at: string): string {
  const text = valueAt(output, at);
  return typeof text === 'string' ? text : '';
}
