/** The options of `squadc fuzz` and what they mean. */
import { InvalidArgumentError } from 'commander';
import { exitCodes, Refusal } from './exit.js';
import type { LawName } from './fuzz-runs.js';
import { didYouMean } from './nearest.js';

/** The flags as the argument parser hands them over. */
export interface FuzzFlags {
  readonly runs: number;
  readonly seed?: number;
  readonly jobs?: number;
  readonly size: number;
  readonly laws?: readonly string[];
  readonly out: string;
  readonly replay?: string;
}

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

/** The laws of these names, in the order in which all laws stand; all of them without names. */
export function chooseLaws(
  names: readonly string[] | undefined,
  all: readonly LawName[],
): readonly LawName[] {
  const unknown = names?.find((name) => !all.some((each) => each === name));
  if (unknown === undefined) return names ? all.filter((each) => names.includes(each)) : all;
  throw new Refusal(
    `unknown law '${unknown}'${didYouMean(unknown, all)}\nLaws: ${all.join(', ')}`,
    exitCodes.wrongUsage,
  );
}
