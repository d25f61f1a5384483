/** unknown → Settled: compile options with their defaults, and what is wrong with them. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { pointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import type {
  Boundary,
  CompileOptions,
  ContextEngineeringPlan,
  HandoffTools,
  Settled,
  Target,
} from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { checkJson } from './json-value.js';
import { readAnswers } from './read-answers.js';
import { sortKeys } from './sort-keys.js';

export interface ReadOptions {
  readonly options: Settled;
  readonly diagnostics: readonly Diagnostic[];
}

const targets: readonly Target[] = ['squad', 'vapi'];
const boundaries: readonly Boundary[] = ['branch', 'tools'];
const handoffTools: readonly HandoffTools[] = ['grouped', 'separate', 'auto'];
const contexts = ['all', 'userAndAssistantMessages', 'previousAssistantMessages', 'none'];

export function readOptions(given: CompileOptions): ReadOptions {
  const faults: Diagnostic[] = [];
  const { answers: givenAnswers, ...rest } = isRecord(given) ? given : {};
  const options = readPlain(rest, faults);
  const target = oneOf(options, 'target', targets, 'squad', faults);
  const { answers, diagnostics } = readAnswers(givenAnswers, target);
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
      context: readContext(options, faults),
      boundary: oneOf(options, 'boundary', boundaries, 'branch', faults),
      names: readNames(options, faults),
      dynamicVariables: readVariables(options, 'dynamicVariables', faults),
      criticalVariables: readVariables(options, 'criticalVariables', faults),
    },
    diagnostics: [...faults, ...diagnostics],
  };
}

/** Options that JSON cannot hold are faults; absent ones are simply absent. */
function readPlain(given: object, faults: Diagnostic[]): JsonObject {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    entries.filter(([option, value]) => {
      const invalid = checkJson(value);
      for (const fault of invalid) fail(option, `its value is not JSON (${fault.fault})`, faults);
      return invalid.length === 0;
    }),
  );
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

function readModel(options: JsonObject, faults: Diagnostic[]): JsonObject | null {
  const model = options['model'];
  if (model === undefined) return null;
  if (isJsonObject(model) && isText(model['provider']) && isText(model['model'])) {
    return sortKeys(model) as JsonObject;
  }
  fail('model', 'it must have the texts `provider` and `model`', faults);
  return null;
}

function readOverrides(options: JsonObject, faults: Diagnostic[]): JsonObject {
  const overrides = options['memberOverrides'] ?? {};
  if (isJsonObject(overrides)) return sortKeys(overrides) as JsonObject;
  fail('memberOverrides', 'it must be an object', faults);
  return {};
}

function readContext(options: JsonObject, faults: Diagnostic[]): ContextEngineeringPlan {
  const context = options['context'];
  if (context === undefined) return { type: 'all' };
  const { type, maxMessages } = isJsonObject(context) ? context : {};
  if (type === 'lastNMessages' && typeof maxMessages === 'number' && maxMessages > 0) {
    return { type, maxMessages };
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function fail(option: string, problem: string, faults: Diagnostic[]): void {
  const args = { option, problem };
  faults.push(diagnose('api/option', pointer(option), args, { in: 'options' }));
}
