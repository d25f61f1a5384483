/** The answers and the options that a squad of a migration was made with: its `result.json`. */
import type { BoundOptions } from '../adapters/tools/compile-bound.js';
import type { ResultFile } from '../report/model.js';
import { exitCodes, Refusal } from './exit.js';
import type { Api } from './invocation.js';
import type { Io } from './io.js';
import { readJsonFile } from './read-json-file.js';

/** What `compile` was given; whether the parts have the right form is for the compiler to say. */
export async function optionsOfResult(path: string, api: Api, io: Io): Promise<BoundOptions> {
  const { value } = await readJsonFile(path, 'squad', api, io);
  if (!isResult(value)) {
    const help = 'name the result.json that squadc migrate wrote beside the squad';
    throw new Refusal(`${path} is no result of a migration\n(${help})`, exitCodes.invalid);
  }
  const { options, answers, policies } = value;
  const given = Object.entries(answers).map(([id, { subject: _, ...answer }]) => [id, answer]);
  return { ...options, answers: { policies, answers: Object.fromEntries(given) } };
}

type Given = Pick<ResultFile, 'options' | 'answers' | 'policies'>;

function isResult(value: unknown): value is Given {
  if (!isObject(value)) return false;
  const { options, answers, policies } = value;
  return isObject(options) && isObject(policies) && isObject(answers) && areObjects(answers);
}

function areObjects(value: object): boolean {
  return Object.values(value).every(isObject);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
