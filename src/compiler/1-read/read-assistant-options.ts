/** Options about what every assistant of the squad has: its model, its settings, what it is called. */
import { isJsonObject, type JsonObject } from '../ir/json.js';
import type { ContextEngineeringPlan } from '../ir/options.js';
import { type Fail, isText } from './given-options.js';
import { writtenByCompiler } from './read-settings.js';
import { sortKeys } from './sort-keys.js';

export function readModel({ model }: JsonObject, fail: Fail): JsonObject | null {
  if (model === undefined) return null;
  if (isJsonObject(model) && isText(model['provider']) && isText(model['model'])) {
    const written = writtenByCompiler.filter((key) => Object.hasOwn(model, key));
    for (const key of written) fail('model', `its \`${key}\` are written by the compiler`);
    return sortKeys(model) as JsonObject;
  }
  fail('model', 'it must have the texts `provider` and `model`');
  return null;
}

export function readOverrides({ memberOverrides: overrides }: JsonObject, fail: Fail): JsonObject {
  if (overrides === undefined) return {};
  if (!isJsonObject(overrides)) {
    fail('memberOverrides', 'it must be an object');
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
    fail('memberOverrides', `every assistant has its own \`${owned.join('`, `')}\``);
  }
  return sortKeys(overrides) as JsonObject;
}

const contexts = ['all', 'userAndAssistantMessages', 'previousAssistantMessages', 'none'];

export function readContext({ context }: JsonObject, fail: Fail): ContextEngineeringPlan {
  if (context === undefined) return { type: 'all' };
  const { type, maxMessages } = isJsonObject(context) ? context : {};
  if (type === 'lastNMessages' && Number.isInteger(maxMessages) && Number(maxMessages) > 0) {
    return { type, maxMessages: Number(maxMessages) };
  }
  const known = contexts.find((it) => it === type);
  if (known !== undefined) return { type: known } as ContextEngineeringPlan;
  const problem = `its \`type\` must be one of ${contexts.join(', ')}, or lastNMessages with \`maxMessages\``;
  fail('context', problem);
  return { type: 'all' };
}

export function readNames({ names }: JsonObject, fail: Fail): ReadonlyMap<string, string> {
  if (names === undefined) return noNames;
  if (isJsonObject(names) && Object.values(names).every(isText)) {
    return new Map(Object.entries(names) as [string, string][]);
  }
  fail('names', 'it must map node ids to names that are not empty');
  return new Map();
}

const noNames: ReadonlyMap<string, string> = new Map();
const noVariables: ReadonlySet<string> = new Set();

export function readVariables(
  options: JsonObject,
  option: string,
  fail: Fail,
): ReadonlySet<string> {
  const variables = options[option] ?? null;
  if (variables === null) return noVariables;
  if (Array.isArray(variables) && variables.every(isText)) return new Set(variables as string[]);
  fail(option, 'it must be a list of variable names');
  return new Set();
}
