/** What laws stand on: a workflow whose questions are answered, and the squad that it gave. */
import type { Json } from '../compiler/ir/json.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult, Diagnostic } from '../compiler/ir/result.js';
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { choosingFaithfully, type Pick, type Settlement, settle } from './answering.js';

/** What a law is tried with; the numbers decide what the workflow leaves open. */
export interface LawOptions {
  readonly compile?: CompileOptions;
  readonly numbers?: readonly number[];
}

/** Throws with a readable message where the compiler breaks it. */
export type Law = (workflow: SpecWorkflow, options?: LawOptions) => void;

export interface Compiled {
  readonly settlement: Settlement;
  readonly output: Json;
}

/** How questions are answered, by the numbers of a law. */
type Choosing = (numbers: readonly number[]) => Pick;

const known = new WeakMap<SpecWorkflow, { options: LawOptions; of: Map<Choosing, Compiled> }>();

/**
 * Compiles with answers that leave the source as it is, unless told to choose otherwise; throws
 * where that gives no squad. A grouping that tears equal nodes apart is rightly refused, so it is
 * made up for by a consolidation. Laws that are tried one after the other on the same objects share
 * what is compiled.
 */
export function compileAnswered(
  workflow: SpecWorkflow,
  options: LawOptions,
  choosing: Choosing = choosingFaithfully,
): Compiled {
  const before = known.get(workflow);
  const shared = before?.options === options ? before : { options, of: new Map() };
  known.set(workflow, shared);
  const found = shared.of.get(choosing);
  if (found !== undefined) return found;
  const { compile, numbers = [] } = options;
  const pick = choosing(numbers);
  let settlement = settle(workflow, compile, pick);
  if (tearsEqualNodes(settlement.result)) {
    const consolidating: Pick = (question) =>
      question.kind === 'cyclic-stages' ? { choice: 'consolidate' } : pick(question);
    settlement = settle(workflow, compile, consolidating);
  }
  const { output } = settlement.result;
  demand(
    output !== null,
    () => `a valid workflow is invalid: ${JSON.stringify(errorsOf(settlement.result))}`,
  );
  const compiled = { settlement, output };
  shared.of.set(choosing, compiled);
  return compiled;
}

/** Whether all that is wrong is a group with one of two equal nodes. */
export function tearsEqualNodes(result: CompileResult): boolean {
  const errors = errorsOf(result);
  const tears = ({ at, message }: Diagnostic): boolean =>
    /cyclic-stages/.test(at) && /behave the same/.test(message);
  return errors.length > 0 && errors.every(tears);
}

/** The errors among the findings. */
export function errorsOf({ diagnostics }: CompileResult): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/** Throws with the text of the fault where the fact is none. */
export function demand(holds: boolean, fault: () => string): asserts holds {
  if (!holds) throw new Error(fault());
}

/** Throws where the two are not the same JSON, with the texts around the first difference. */
export function demandSame(what: string, expected: unknown, found: unknown): void {
  const [first, second] = [expected, found].map((each) => JSON.stringify(each) ?? '') as [
    string,
    string,
  ];
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  demand(first === second, () => `${what} differs at ${at}:\n${around(first)}\n${around(second)}`);
}
