/** unknown → Settled: compile options with their defaults, and what is wrong with them. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { pointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import type {
  Boundary,
  CompileOptions,
  ContextEngineeringPlan,
  HandoffTools,
  Pass,
  Settled,
  Target,
  Tools,
} from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { findNearest } from '../names/nearest.js';
import { notJson } from './json-plain.js';
import { checkJson } from './json-value.js';
import { readAnswers } from './read-answers.js';
import { writtenByCompiler } from './read-settings.js';
import { sortKeys } from './sort-keys.js';
import {
  type Fail,
  readBindings,
  readServiceUrls,
  readToolServer,
} from './tools/read-tool-options.js';

export interface ReadOptions {
  readonly options: Settled;
  readonly diagnostics: readonly Diagnostic[];
}

const targets: readonly Target[] = ['squad', 'vapi'];
const boundaries: readonly Boundary[] = ['branch', 'tools'];
const handoffTools: readonly HandoffTools[] = ['grouped', 'separate', 'auto'];
const passes: readonly Pass[] = ['extraction', 'arguments'];
const tools: readonly Tools[] = ['server', 'direct'];
const optionNames: readonly string[] = [
  'answers',
  'bindings',
  'boundary',
  'context',
  'criticalVariables',
  'dynamicVariables',
  'handoffTools',
  'memberOverrides',
  'model',
  'names',
  'pass',
  'serviceUrls',
  'target',
  'toolServer',
  'tools',
];
const contexts = ['all', 'userAndAssistantMessages', 'previousAssistantMessages', 'none'];

export function readOptions(given: CompileOptions): ReadOptions {
  const faults: Diagnostic[] = [];
  const values = listValues(given, faults);
  const options = keepJson(values, faults);
  const target = oneOf(options, 'target', targets, 'squad', faults);
  const { answers, diagnostics } = readAnswers(values.get('answers'), target);
  const failing: Fail = (option, problem, within) => fail(option, problem, faults, within);
  const reach = oneOf(options, 'tools', tools, 'server', faults);
  const bound = readBindings(options, failing);
  return {
    options: {
      answers,
      target,
      model: readModel(options, faults),
      memberOverrides: readOverrides(options, faults),
      handoffTools: oneOf(
        options,
        'handoffTools',
        handoffTools,
        target === 'vapi' ? 'auto' : 'grouped',
        faults,
      ),
      pass: readPass(options, target, faults),
      context: readContext(options, faults),
      boundary: oneOf(options, 'boundary', boundaries, 'branch', faults),
      names: readNames(options, faults),
      dynamicVariables: readVariables(options, 'dynamicVariables', faults),
      criticalVariables: readVariables(options, 'criticalVariables', faults),
      bindings: bound.bindings,
      tools: reach,
      toolServer: readToolServer(options, reach, failing),
      serviceUrls: readServiceUrls(options, failing),
    },
    diagnostics: [...faults, ...bound.diagnostics, ...diagnostics],
  };
}

/** The values that were given; nothing of the caller's runs while they are looked at. */
function listValues(given: unknown, faults: Diagnostic[]): Map<string, unknown> {
  const values = new Map<string, unknown>();
  if (given === undefined || given === null) return values;
  try {
    if (typeof given !== 'object' || Array.isArray(given) || notJson(given) !== null) {
      fail('options', 'they must be a plain object', faults);
      return values;
    }
    for (const [option, { value, get }] of Object.entries(
      Object.getOwnPropertyDescriptors(given),
    )) {
      if (get !== undefined) fail(option, 'it is computed when it is read', faults);
      else if (value !== undefined) values.set(option, value);
    }
  } catch {
    faults.push(
      diagnose(
        'api/option',
        '',
        { option: 'options', problem: 'they cannot be read' },
        { in: 'options' },
      ),
    );
  }
  for (const option of [...values.keys()].filter((it) => !optionNames.includes(it)).sort()) {
    const near = findNearest(option, optionNames);
    faults.push(
      diagnose('api/unknown-option', pointer(option), { option, near }, { in: 'options' }),
    );
  }
  return values;
}

/** Options that JSON cannot hold are faults; answers are looked at on their own. */
function keepJson(values: ReadonlyMap<string, unknown>, faults: Diagnostic[]): JsonObject {
  const kept: [string, Json][] = [];
  for (const [option, value] of values) {
    if (option === 'answers' || !optionNames.includes(option)) continue;
    const invalid = checkJson(value);
    for (const { fault, at } of invalid) {
      const where = at === '' ? 'its value' : `the value at ${at}`;
      fail(option, `${where} is not JSON (${fault})`, faults, at);
    }
    if (invalid.length === 0) kept.push([option, value as Json]);
  }
  return Object.fromEntries(kept);
}

function oneOf<Value extends string>(
  options: JsonObject,
  option: string,
  values: readonly Value[],
  preset: Value,
  faults: Diagnostic[],
): Value {
  const given = options[option];
  if (given === undefined) return preset;
  const found = values.find((value) => value === given);
  if (found === undefined) fail(option, `it must be one of ${values.join(', ')}`, faults);
  return found ?? preset;
}

/** Of a target that is wrong itself, nobody knows what it has. */
function readPass(options: JsonObject, target: Target, faults: Diagnostic[]): Pass {
  const pass = oneOf(options, 'pass', passes, 'extraction', faults);
  if (pass === 'extraction' || target === 'vapi') return pass;
  const hasNone = options['target'] === undefined || options['target'] === target;
  const problem =
    'only handoffs of the target vapi have arguments; ' +
    'set `target` to vapi, or `pass` to extraction';
  if (hasNone) fail('pass', problem, faults);
  return 'extraction';
}

function readModel(options: JsonObject, faults: Diagnostic[]): JsonObject | null {
  const model = options['model'];
  if (model === undefined) return null;
  if (isJsonObject(model) && isText(model['provider']) && isText(model['model'])) {
    const written = writtenByCompiler.filter((key) => Object.hasOwn(model, key));
    for (const key of written) fail('model', `its \`${key}\` are written by the compiler`, faults);
    return sortKeys(model) as JsonObject;
  }
  fail('model', 'it must have the texts `provider` and `model`', faults);
  return null;
}

function readOverrides(options: JsonObject, faults: Diagnostic[]): JsonObject {
  const overrides = options['memberOverrides'] ?? {};
  if (!isJsonObject(overrides)) {
    fail('memberOverrides', 'it must be an object', faults);
    return {};
  }
  const { model } = overrides;
  const inModel = isJsonObject(model)
    ? writtenByCompiler.filter((key) => Object.hasOwn(model, key))
    : [];
  // An override replaces what every assistant has of its own.
  const owned = [
    ...['name', 'firstMessage'].filter((key) => Object.hasOwn(overrides, key)),
    ...inModel.map((key) => `model.${key}`),
  ];
  if (owned.length > 0) {
    fail('memberOverrides', `every assistant has its own \`${owned.join('`, `')}\``, faults);
  }
  return sortKeys(overrides) as JsonObject;
}

function readContext(options: JsonObject, faults: Diagnostic[]): ContextEngineeringPlan {
  const context = options['context'];
  if (context === undefined) return { type: 'all' };
  const { type, maxMessages } = isJsonObject(context) ? context : {};
  if (type === 'lastNMessages' && Number.isInteger(maxMessages) && Number(maxMessages) > 0) {
    return { type, maxMessages: Number(maxMessages) };
  }
  const known = contexts.find((it) => it === type);
  if (known !== undefined) return { type: known } as ContextEngineeringPlan;
  const problem = `its \`type\` must be one of ${contexts.join(', ')}, or lastNMessages with \`maxMessages\``;
  fail('context', problem, faults);
  return { type: 'all' };
}

function readNames(options: JsonObject, faults: Diagnostic[]): Map<string, string> {
  const names = options['names'] ?? {};
  if (isJsonObject(names) && Object.values(names).every(isText)) {
    return new Map(Object.entries(names) as [string, string][]);
  }
  fail('names', 'it must map node ids to names that are not empty', faults);
  return new Map();
}

function readVariables(options: JsonObject, option: string, faults: Diagnostic[]): Set<string> {
  const variables = options[option] ?? [];
  if (Array.isArray(variables) && variables.every(isText)) return new Set(variables as string[]);
  fail(option, 'it must be a list of variable names', faults);
  return new Set();
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function fail(option: string, problem: string, faults: Diagnostic[], within = ''): void {
  const at = `${pointer(option)}${within}`;
  faults.push(diagnose('api/option', at, { option, problem }, { in: 'options' }));
}
