/** What most laws stand on: a workflow whose questions are answered, and the squad that it gave. */
import type { Json } from '../compiler/ir/json.js';
import { withLazy } from '../compiler/ir/lazy.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Diagnostic } from '../compiler/ir/result.js';
import { choosingFaithfully, type Pick, type Settlement, settle } from './answering.js';
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

/** How questions are answered, by the numbers of a law. */
type Choosing = (numbers: readonly number[]) => Pick;

interface Known {
  readonly options: LawOptions;
  readonly grounds: Map<Choosing, Ground>;
}

const known = new WeakMap<SpecWorkflow, Known>();

/**
 * Compiles with answers that leave the source as it is, unless told to choose otherwise; throws
 * where that gives no squad. A grouping that tears equal nodes apart is rightly refused, so it is
 * made up for by a consolidation.
 *
 * Laws that are tried one after the other on the same objects stand on the same ground: compiling
 * is most of what a law costs.
 */
export function stand(
  workflow: SpecWorkflow,
  options: LawOptions,
  choosing: Choosing = choosingFaithfully,
): Ground {
  const found = known.get(workflow);
  const grounds = found?.options === options ? found.grounds : new Map<Choosing, Ground>();
  const ground = grounds.get(choosing) ?? prepare(workflow, options, choosing);
  known.set(workflow, { options, grounds: grounds.set(choosing, ground) });
  return ground;
}

function prepare(
  workflow: SpecWorkflow,
  { compile, numbers = [] }: LawOptions,
  choosing: Choosing,
): Ground {
  const pick = choosing(numbers);
  let settlement = settle(workflow, compile, pick);
  if (tearsEqualNodes(settlement.result)) {
    const consolidating: Pick = (question) =>
      question.kind === 'cyclic-stages' ? { choice: 'consolidate' } : pick(question);
    settlement = settle(workflow, compile, consolidating);
  }
  const { output } = settlement.result;
  if (output === null) {
    throw new Error(`a valid workflow is invalid: ${JSON.stringify(errorsOf(settlement.result))}`);
  }
  return groundOf(workflow, settlement, output);
}

/** Tracks are laid when a law asks for them: laws of any document do without. */
function groundOf(workflow: SpecWorkflow, settlement: Settlement, output: Json): Ground {
  return withLazy({ settlement, output }, { tracks: () => readTracks(workflow, settlement) });
}

/** Whether all that is wrong is a group with one of two equal nodes. */
export function tearsEqualNodes(result: CompileResult): boolean {
  const errors = errorsOf(result);
  return (
    errors.length > 0 &&
    errors.every(({ at, message }) => /cyclic-stages/.test(at) && /behave the same/.test(message))
  );
}

/** The errors among the findings. */
export function errorsOf({ diagnostics }: CompileResult): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** The text at this place of the squad. */
export function textAt({ output }: Ground, at: string): string {
  const text = valueAt(output, at);
  return typeof text === 'string' ? text : '';
}
