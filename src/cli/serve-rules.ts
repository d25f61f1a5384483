/**
 * Rules for what stands in a configuration file, and what is wrong with it.
 *
 * A rule looks at a value and notes its faults; all of them come out at once. No fault repeats a
 * value: what stands in the wrong place may be a secret.
 */
import { child, type JsonPointer } from '../compiler/ir/ids.js';
import { didYouMean } from './output/terminal.js';

export interface Fault {
  readonly at: JsonPointer;
  readonly what: string;
}

/** Notes the faults of a value that stands at a place. */
export type Rule = (value: unknown, at: JsonPointer, faults: Fault[]) => void;

/** A value for which something holds; `what` says what does not. */
export function where(holds: (value: unknown) => boolean, what: string): Rule {
  return (value, at, faults) => {
    if (!holds(value)) faults.push({ at, what });
  };
}

export const text = where((value) => typeof value === 'string' && value !== '', 'is no text');

export const anything: Rule = () => {};

export function whole(least: number, most: number): Rule {
  const holds = (value: unknown) =>
    Number.isSafeInteger(value) && least <= Number(value) && Number(value) <= most;
  return where(holds, `is no whole number from ${least} to ${most}`);
}

export function oneOf(...choices: readonly string[]): Rule {
  return where((value) => choices.includes(String(value)), `is none of ${choices.join(', ')}`);
}

export function listOf(rule: Rule): Rule {
  return (value, at, faults) => {
    if (!Array.isArray(value)) faults.push({ at, what: 'is no list' });
    else for (const [index, each] of value.entries()) rule(each, child(at, index), faults);
  };
}

/** A rule for texts, and another for all else. */
export function textOr(forText: Rule, forOther: Rule): Rule {
  return (value, ...more) => (typeof value === 'string' ? forText : forOther)(value, ...more);
}

/** An object with any names, and values of one kind. */
export function recordOf(rule: Rule): Rule {
  return (value, at, faults) => {
    if (!isObject(value)) return void faults.push({ at, what: 'is no object' });
    for (const [name, each] of Object.entries(value)) rule(each, child(at, name), faults);
  };
}

type Members = Readonly<Record<string, Rule>>;

/** An object with these members and no others; the first ones have to be there. */
export function shape(required: Members, optional: Members = {}): Rule {
  const rules = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value, at, faults) => {
    if (!isObject(value)) return void faults.push({ at, what: 'is no object' });
    for (const name of Object.keys(required)) {
      if (!Object.hasOwn(value, name)) faults.push({ at, what: `has no ${name}` });
    }
    for (const [name, each] of Object.entries(value)) {
      const rule = rules.get(name);
      if (rule) rule(each, child(at, name), faults);
      else faults.push({ at: child(at, name), what: unknownMember(name, [...rules.keys()]) });
    }
  };
}

function unknownMember(name: string, known: readonly string[]): string {
  if (known.includes(`${name}Env`)) {
    return `is not written into a file: name an environment variable in ${name}Env`;
  }
  const hint = didYouMean(name, known).replace('\n', ' ');
  return `is no member that there is${hint || ` (there are ${known.join(', ')})`}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
