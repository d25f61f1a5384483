/**
 * The options as the caller gave them → those that squadc knows, as JSON.
 *
 * In: whatever was handed over. Out: the value of each known option, and a fault for each other
 * thing. Guarantees: nothing of the caller's runs while it is looked at; a value that JSON cannot
 * hold is left out.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { pointer } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import type { CompileOptions } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { findNearest } from '../names/nearest.js';
import { notJson } from './json-plain.js';
import { checkJson } from './json-value.js';

export interface GivenOptions {
  readonly options: JsonObject;
  /** Answers are looked at on their own. */
  readonly answers: unknown;
}

/** Says what is wrong with an option; `within` is the place inside of it. */
export type Fail = (option: string, problem: string, within?: string) => void;

/** Every option has a line here, so that none is forgotten. */
const known: Readonly<Record<keyof CompileOptions, true>> = {
  answers: true,
  bindings: true,
  boundary: true,
  context: true,
  criticalVariables: true,
  dynamicVariables: true,
  handoffTools: true,
  memberOverrides: true,
  model: true,
  names: true,
  pass: true,
  serviceUrls: true,
  target: true,
  toolServer: true,
  tools: true,
};
const optionNames: readonly string[] = Object.keys(known);

export function takeOptions(given: unknown, faults: Diagnostic[]): GivenOptions {
  const fail = failInto(faults);
  const values = listValues(given, fail, faults);
  const unknown = [...values.keys()].filter((it) => !optionNames.includes(it));
  for (const option of unknown.sort()) {
    const args = { option, near: findNearest(option, optionNames) };
    faults.push(diagnose('api/unknown-option', pointer(option), args, { in: 'options' }));
  }
  return { options: keepJson(values, fail), answers: values.get('answers') };
}

export function failInto(faults: Diagnostic[]): Fail {
  return (option, problem, within = '') => {
    const at = `${pointer(option)}${within}`;
    faults.push(diagnose('api/option', at, { option, problem }, { in: 'options' }));
  };
}

/** The values that were given; one that is computed when it is read is none. */
function listValues(given: unknown, fail: Fail, faults: Diagnostic[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  if (given === undefined || given === null) return values;
  try {
    if (typeof given !== 'object' || Array.isArray(given) || notJson(given) !== null) {
      fail('options', 'they must be a plain object');
      return values;
    }
    for (const option of Object.getOwnPropertyNames(given)) {
      const { value, get } = Object.getOwnPropertyDescriptor(given, option) ?? {};
      if (get !== undefined) fail(option, 'it is computed when it is read');
      else if (value !== undefined) values.set(option, value);
    }
  } catch {
    const args = { option: 'options', problem: 'they cannot be read' };
    faults.push(diagnose('api/option', '', args, { in: 'options' }));
  }
  return values;
}

function keepJson(values: ReadonlyMap<string, unknown>, fail: Fail): JsonObject {
  const kept: { [option: string]: Json } = {};
  for (const [option, value] of values) {
    if (option === 'answers' || !optionNames.includes(option)) continue;
    const invalid = checkJson(value);
    for (const { fault, at } of invalid) {
      const where = at === '' ? 'its value' : `the value at ${at}`;
      fail(option, `${where} is not JSON (${fault})`, at);
    }
    if (invalid.length === 0) kept[option] = value as Json;
  }
  return kept;
}

export function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
