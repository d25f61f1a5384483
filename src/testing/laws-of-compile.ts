/** Laws of `compile` as a function: it is total, pure, and blind to the order of what has none. */
import type { CompileOptions } from '../compiler/ir/options.js';
import type { CompileResult } from '../compiler/ir/result.js';
import { compile } from '../index.js';
import { demand, firstDifference } from './demand.js';
import { errorsOf, type LawOptions, stand } from './law-ground.js';
import { rearrangeAll, shuffleKeys } from './rearrange.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Whatever comes in, a result comes out: complete with a squad, or not and without one. */
export function neverThrows(value: unknown, options: CompileOptions = {}): void {
  const result = compile(value, options);
  const { status, output, draft, questions } = result;
  const errors = errorsOf(result);
  demand((output !== null) === (status === 'complete'), () => `${status}, output ${output}`);
  demand(draft === null || status === 'needs-answers', () => `${status} with a draft`);
  demand(errors.length > 0 === (status === 'invalid'), () => `${status}, ${errors.length} errors`);
  demand(status !== 'complete' || questions.length === 0, () => 'complete with open questions');
  demand(status !== 'needs-answers' || questions.length > 0, () => 'no question is open');
}

/** What comes in is left as it was, the options too. */
export function inputNotMutated(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const before = JSON.stringify([workflow, options]);
  compile(deepFreeze(workflow), deepFreeze({ ...options.compile }));
  demand(JSON.stringify([workflow, options]) === before, () => 'the input has changed');
}

/** The same source, answers and options give the same result to the byte. */
export function deterministic(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = stand(workflow, options);
  const again = compile(structuredClone(workflow), structuredClone(settlement.options));
  const [first, second] = [JSON.stringify(settlement.result), JSON.stringify(again)];
  demand(first === second, () => firstDifference(first, second));
}

/**
 * The order of keys (of objects inside of others and of the options, too), of nodes, and of edges
 * with different sources changes neither the squad nor the questions, nor what the ledger says of
 * each thing. Global nodes keep their order among themselves, and so do possible starts.
 */
export function permutationStable(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement } = stand(workflow, options);
  const { numbers = [] } = options;
  const { workflow: moved, place } = rearrangeAll(workflow, numbers);
  const ids = (each: unknown): string =>
    JSON.stringify(
      compile(each, options.compile)
        .questions.map(({ id }) => id)
        .sort(),
    );
  demand(ids(workflow) === ids(moved), () => `asks ${ids(workflow)}, then ${ids(moved)}`);
  const result = compile(moved, shuffleKeys(settlement.options, numbers));
  const [first, second] = [settlement.result.output, result.output].map((each) =>
    JSON.stringify(each),
  ) as [string, string];
  demand(first === second, () => `${firstDifference(first, second)}\nof ${JSON.stringify(moved)}`);
  const [before, after] = [fates(settlement.result, place), fates(result, (at) => at)];
  demand(before === after, () => `in the ledger: ${firstDifference(before, after)}`);
}

/** What became of each thing, in an order of its own. */
function fates({ ledger }: CompileResult, place: (at: string) => string): string {
  const entries = ledger.map(({ kind, at, status, outputs }) =>
    [kind, place(at), status, ...[...outputs].sort()].join(' '),
  );
  return entries.sort().join('\n');
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}
