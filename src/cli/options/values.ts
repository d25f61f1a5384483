/** Values of options: how a text on the command line becomes one. */
import { InvalidArgumentError } from 'commander';

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
