/**
 * unknown → Settled: the options of `compile` and `verify` with their defaults.
 *
 * In: whatever the caller handed over. Out: the settled options, and a diagnostic for each option
 * that does not exist or does not fit. Guarantees: nothing of the caller's runs while it is looked
 * at; an option that does not fit counts as absent.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { isPlain, readJson } from '../1-read/copy-json.js';
import { pointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import type { CompileOptions, ContextEngineeringPlan, Settled } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { writtenByCompiler } from '../ir/workflow.js';
import { readAnswers } from './answers.js';

export interface ReadOptions {
  readonly options: Settled;
  readonly diagnostics: readonly Diagnostic[];
}

/** What is wrong with the value of an option; empty where it fits. */
type Rule = (value: Json, all: ReadonlyMap<string, Json>) => readonly string[];

const isText = (value: Json | undefined): boolean =>
  typeof value === 'string' && value.trim() !== '';
const must = (fits: boolean, problem: string) => (fits ? [] : [problem]);

const oneOf =
  (...values: readonly string[]): Rule =>
  (value) =>
    must(
      values.some((it) => it === value),
      `it must be one of ${values.join(', ')}`,
    );

const variables: Rule = (value) =>
  must(
    value === null || (Array.isArray(value) && value.every(isText)),
    'it must be a list of variable names',
  );

const contexts = ['all', 'userAndAssistantMessages', 'previousAssistantMessages', 'none'];

/** Every option, in the order in which faults are told; answers are read on their own. */
const rules: Readonly<Record<Exclude<keyof CompileOptions, 'answers'>, Rule>> = {
  target: oneOf('squad', 'vapi'),
  model: (model) =>
    isJsonObject(model) && isText(model['provider']) && isText(model['model'])
      ? writtenIn(model).map((key) => `its \`${key}\` are written by the compiler`)
      : ['it must have the texts `provider` and `model`'],
  memberOverrides: (overrides) => {
    if (!isJsonObject(overrides)) return ['it must be an object'];
    const { model = null } = overrides;
    // An override replaces what every assistant has of its own.
    const owned = [
      ...['name', 'firstMessage'].filter((key) => Object.hasOwn(overrides, key)),
      ...(isJsonObject(model) ? writtenIn(model).map((key) => `model.${key}`) : []),
    ];
    return must(owned.length === 0, `every assistant has its own \`${owned.join('`, `')}\``);
  },
  handoffTools: oneOf('grouped', 'separate', 'auto'),
  pass: (pass, all) => {
    const known = oneOf('extraction', 'arguments')(pass, all);
    if (known.length > 0 || pass === 'extraction') return known;
    const problem =
      'only handoffs of the target vapi have arguments; ' +
      'set `target` to vapi, or `pass` to extraction';
    // Of a target that is wrong itself, nobody knows what it has.
    return must((all.get('target') ?? 'squad') !== 'squad', problem);
  },
  context: (context) => {
    const { type = null, maxMessages } = isJsonObject(context) ? context : {};
    const fits =
      contexts.some((it) => it === type) ||
      (type === 'lastNMessages' && Number.isInteger(maxMessages) && Number(maxMessages) > 0);
    const types = `${contexts.join(', ')}, or lastNMessages with \`maxMessages\``;
    return must(fits, `its \`type\` must be one of ${types}`);
  },
  boundary: oneOf('branch', 'tools'),
  names: (names) =>
    must(
      isJsonObject(names) && Object.values(names).every(isText),
      'it must map node ids to names that are not empty',
    ),
  dynamicVariables: variables,
  criticalVariables: variables,
};

function writtenIn(model: JsonObject): string[] {
  return writtenByCompiler.filter((key) => Object.hasOwn(model, key));
}

export function readOptions(given: CompileOptions): ReadOptions {
  const diagnostics: Diagnostic[] = [];
  const fail = (option: string, problem: string, within = '') => {
    const at = `${pointer(option)}${within}`;
    diagnostics.push(diagnose('api/option', at, { option, problem }, { in: 'options' }));
  };
  const { values, answers: givenAnswers } = takeValues(given, fail, diagnostics);
  const right = new Map<string, Json>();
  for (const [option, faultsOf] of Object.entries(rules)) {
    const value = values.get(option);
    if (value === undefined) continue;
    const problems = faultsOf(value, values);
    for (const problem of problems) fail(option, problem);
    if (problems.length === 0) right.set(option, value);
  }
  const take = <T extends Json>(option: string, preset: T) => (right.get(option) ?? preset) as T;
  const target = take<Settled['target']>('target', 'squad');
  const { answers, diagnostics: ofAnswers } = readAnswers(givenAnswers, target);
  const options: Settled = {
    answers,
    target,
    model: take<JsonObject | null>('model', null),
    memberOverrides: take<JsonObject>('memberOverrides', {}),
    handoffTools: take('handoffTools', target === 'vapi' ? 'auto' : 'grouped'),
    pass: take('pass', 'extraction'),
    context: contextOf(take('context', { type: 'all' })),
    boundary: take('boundary', 'branch'),
    names: new Map(Object.entries(take<Record<string, string>>('names', {}))),
    dynamicVariables: new Set(take<readonly string[]>('dynamicVariables', [])),
    criticalVariables: new Set(take<readonly string[]>('criticalVariables', [])),
  };
  return { options, diagnostics: [...diagnostics, ...ofAnswers] };
}

/** Nothing beside what the plan knows. */
function contextOf({ type, maxMessages }: JsonObject): ContextEngineeringPlan {
  return (type === 'lastNMessages' ? { type, maxMessages } : { type }) as ContextEngineeringPlan;
}

/** The values of the known options that are JSON; answers are looked at by who reads them. */
function takeValues(
  given: unknown,
  fail: (option: string, problem: string, within?: string) => void,
  diagnostics: Diagnostic[],
): { readonly values: ReadonlyMap<string, Json>; readonly answers: unknown } {
  const found = new Map<string, unknown>();
  try {
    const options = given ?? {};
    if (typeof options !== 'object' || Array.isArray(options) || !isPlain(options)) {
      fail('options', 'they must be a plain object');
    } else {
      const all = Object.entries(Object.getOwnPropertyDescriptors(options));
      for (const [option, { value, get }] of all) {
        if (get !== undefined) fail(option, 'it is computed when it is read');
        else if (value !== undefined) found.set(option, value);
      }
    }
  } catch {
    const args = { option: 'options', problem: 'they cannot be read' };
    diagnostics.push(diagnose('api/option', '', args, { in: 'options' }));
  }
  const known = [...Object.keys(rules), 'answers'];
  for (const option of [...found.keys()].filter((it) => !known.includes(it)).sort()) {
    const args = { option, near: findNearest(option, known) };
    diagnostics.push(diagnose('api/unknown-option', pointer(option), args, { in: 'options' }));
  }
  const values = new Map<string, Json>();
  for (const [option, value] of found) {
    if (!Object.hasOwn(rules, option)) continue;
    const read = readJson(value);
    if ('value' in read) values.set(option, read.value);
    for (const { code, at } of 'faults' in read ? read.faults : []) {
      const where = at === '' ? 'its value' : `the value at ${at}`;
      fail(option, `${where} is not JSON (${code.replace('shape/', '')})`, at);
    }
  }
  return { values, answers: found.get('answers') };
}
