/** Values of options: how a text on the command line becomes one. */
import { InvalidArgumentError } from 'commander';
import type { ContextEngineeringPlan } from '../../index.js';

/** A parser for whole numbers within bounds. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** `a,b`, without empty and repeated names. */
export function parseNames(text: string): readonly string[] {
  const names = text.split(',').map((each) => each.trim());
  const found = new Set(names.filter((each) => each !== ''));
  if (found.size === 0) throw new InvalidArgumentError('Expected names with commas between them.');
  return [...found];
}

/** `openai/gpt-4o` or `openai:gpt-4o`; whatever follows the first of both signs is the model. */
export function parseModel(text: string): { provider: string; model: string } {
  const [, provider = '', model = ''] = /^([^/:]+)[/:](.+)$/s.exec(text) ?? [];
  if (provider.trim() === '' || model.trim() === '') {
    throw new InvalidArgumentError('Expected <provider>/<model>, for example openai/gpt-4o.');
  }
  return { provider: provider.trim(), model: model.trim() };
}

const contextPlans = new Map<string, ContextEngineeringPlan>([
  ['all', { type: 'all' }],
  ['none', { type: 'none' }],
  ['user-and-assistant', { type: 'userAndAssistantMessages' }],
  ['previous-assistant', { type: 'previousAssistantMessages' }],
]);

export const contextForms = 'all, none, last:<n>, user-and-assistant, previous-assistant';

/** One of `contextForms`. */
export function parseContext(text: string): ContextEngineeringPlan {
  const count = Number(/^last:([1-9]\d{0,8})$/.exec(text)?.[1] ?? 0);
  if (count > 0) return { type: 'lastNMessages', maxMessages: count };
  const named = contextPlans.get(text);
  if (named !== undefined) return named;
  throw new InvalidArgumentError(`Allowed are ${contextForms}; <n> is a number from 1 on.`);
}

/** A name and what belongs to it. */
export type Pair = readonly [name: string, value: string];

/**
 * A parser for `<name>=<value>`, added to the pairs before it. Whether both exist is the compiler's
 * check.
 */
export function pairs(form: string, example: string) {
  return (text: string, before: readonly Pair[] = []): readonly Pair[] => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (name.trim() === '' || value.trim() === '') {
      throw new InvalidArgumentError(`Expected ${form}, for example ${example}.`);
    }
    return [...before, [name.trim(), value.trim()]];
  };
}
