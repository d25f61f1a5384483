/**
 * unknown → Settled: the options of `compile` and `verify` with their defaults.
 *
 * In: anything, and the usual target of the workflow. Out: the settled options, and a diagnostic
 * for each option that does not exist or is invalid, which counts as absent. No code of the caller
 * runs while they are read.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { isPlain, readJson } from '../1-read/copy-json.js';
import { type JsonPointer, pointer } from '../ir/ids.js';
import { asObject, isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import type {
  CompileOptions,
  ContextEngineeringPlan,
  Settled,
  Target,
  ToolName,
} from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { type Workflow, writtenByCompiler } from '../ir/workflow.js';
import { readAnswers } from './answers.js';

/** What is wrong with the value of an option; empty if it is valid. */
type Rule = (value: Json, target: Json) => readonly string[];

const isText = (value: Json | undefined) => typeof value === 'string' && value.trim() !== '';
const must = (fits: boolean, problem: string) => (fits ? [] : [problem]);
const oneOf = (...values: readonly Json[]): Rule => {
  return (value) => must(values.includes(value), `it must be one of ${values.join(', ')}`);
};
/** True for an object whose members are all valid. */
const isMap = (value: Json, fits: (member: Json) => boolean) =>
  isJsonObject(value) && Object.values(value).every(fits);
const writtenIn = (model: Json | undefined) =>
  writtenByCompiler.filter((key) => Object.hasOwn(asObject(model), key));

const variables: Rule = (value) => {
  const fits = value === null || (Array.isArray(value) && value.every(isText));
  return must(fits, 'it must be a list of variable names');
};

const contexts = ['all', 'userAndAssistantMessages', 'previousAssistantMessages', 'none'];

/** Every option, in the order in which faults are reported; answers are read separately. */
const rules: Readonly<Record<Exclude<keyof CompileOptions, 'answers'>, Rule>> = {
  target: oneOf('squad', 'vapi'),
  model: (value) => {
    const { provider, model } = asObject(value);
    if (!isText(provider) || !isText(model))
      return ['it must have the texts `provider` and `model`'];
    return writtenIn(value).map((key) => `its \`${key}\` are written by the compiler`);
  },
  memberOverrides: (overrides) => {
    if (!isJsonObject(overrides)) return ['it must be an object'];
    // An override replaces what every assistant has of its own.
    const owned = [
      ...['name', 'firstMessage'].filter((key) => Object.hasOwn(overrides, key)),
      ...writtenIn(overrides['model']).map((key) => `model.${key}`),
    ];
    return must(owned.length === 0, `every assistant has its own \`${owned.join('`, `')}\``);
  },
  handoffTools: oneOf('grouped', 'separate', 'auto'),
  pass: (pass, target) => {
    const known = oneOf('plan', 'arguments')(pass, target);
    const problem =
      'only handoffs of the target vapi have arguments; set `target` to vapi, or `pass` to plan';
    // If the target itself is invalid, its features are unknown.
    return pass === 'arguments' ? must(target !== 'squad', problem) : known;
  },
  context: (context) => {
    const { type = null, maxMessages } = asObject(context);
    const isCounted = Number.isInteger(maxMessages) && Number(maxMessages) > 0;
    const fits = type === 'lastNMessages' ? isCounted : contexts.some((it) => it === type);
    const types = `${contexts.join(', ')}, or lastNMessages with \`maxMessages\``;
    return must(fits, `its \`type\` must be one of ${types}`);
  },
  boundary: oneOf('branch', 'tools'),
  names: (names) => must(isMap(names, isText), 'it must map node ids to names that are not empty'),
  toolNames: (names) => {
    const isKnown = (it: Json) => {
      const { name = '', description = '' } = asObject(it);
      return /^[\w-]{1,64}$/.test(String(name)) && typeof description === 'string';
    };
    const problem = 'it must map ids of tools to objects with the `name` of a function';
    return must(isMap(names, isKnown), problem);
  },
  dynamicVariables: variables,
  criticalVariables: variables,
};

/** Reports a fault of an option at its place. */
type Report = (option: string, problem: string, at?: JsonPointer) => void;

/** The target of a workflow if no option names one. */
export function usualTarget(source: Workflow | null): Target {
  return source?.dialect === 'spec' ? 'squad' : 'vapi';
}

/** The settled options, and what is wrong with those that were given. */
export function readOptions(given: CompileOptions, usual: Target) {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (option, problem, at = pointer(option)) => {
    diagnostics.push(diagnose('api/option', at, { option, problem }, { in: 'options' }));
  };
  const fields = takeFields(given, report);
  const known = [...Object.keys(rules), 'answers'];
  for (const option of [...fields.keys()].filter((it) => !known.includes(it)).sort()) {
    const args = { option, near: findNearest(option, known) };
    diagnostics.push(diagnose('api/unknown-option', pointer(option), args, { in: 'options' }));
  }
  const values = new Map<string, Json>();
  for (const [option, field] of fields) {
    // Answers are read separately.
    if (!Object.hasOwn(rules, option)) continue;
    const { value, faults } = readJson(field);
    if (faults.length === 0) values.set(option, value!);
    for (const { code, at } of faults) {
      const where = at === '' ? 'its value' : `the value at ${at}`;
      const problem = `${where} is not JSON (${code.replace('shape/', '')})`;
      report(option, problem, `${pointer(option)}${at}`);
    }
  }
  const wanted = values.get('target') ?? usual;
  for (const [option, faultsOf] of Object.entries(rules)) {
    const problems = values.has(option) ? faultsOf(values.get(option)!, wanted) : [];
    for (const problem of problems) report(option, problem);
    if (problems.length > 0) values.delete(option);
  }
  const take = <T extends Json>(option: string, preset: T) => (values.get(option) ?? preset) as T;
  const target = take<Target>('target', usual);
  const { answers, diagnostics: ofAnswers } = readAnswers(fields.get('answers'), target);
  const { type, maxMessages } = take<JsonObject>('context', { type: 'all' });
  // Without properties that the plan does not have.
  const context = type === 'lastNMessages' ? { type, maxMessages } : { type };
  const options: Settled = {
    answers,
    target,
    model: take<JsonObject | null>('model', null),
    memberOverrides: take<JsonObject>('memberOverrides', {}),
    handoffTools: take('handoffTools', target === 'vapi' ? 'auto' : 'grouped'),
    pass: take('pass', 'plan'),
    context: context as ContextEngineeringPlan,
    boundary: take('boundary', 'branch'),
    names: new Map(Object.entries(take<Record<string, string>>('names', {}))),
    toolNames: new Map(Object.entries(take('toolNames', {}) as Record<string, ToolName>)),
    dynamicVariables: new Set(take<readonly string[]>('dynamicVariables', [])),
    criticalVariables: new Set(take<readonly string[]>('criticalVariables', [])),
  };
  return { options, diagnostics: [...diagnostics, ...ofAnswers] };
}

/** The options that are set, unchanged; none if they cannot be read. */
function takeFields(given: unknown, report: Report): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  try {
    const options = given ?? {};
    const isObject = typeof options === 'object' && !Array.isArray(options) && isPlain(options);
    if (!isObject) report('options', 'they must be a plain object');
    const all = isObject ? Object.entries(Object.getOwnPropertyDescriptors(options)) : [];
    for (const [option, { value, get }] of all) {
      if (get !== undefined) report(option, 'it is computed when it is read');
      else if (value !== undefined) fields.set(option, value);
    }
  } catch {
    report('options', 'they cannot be read', '');
  }
  return fields;
}
