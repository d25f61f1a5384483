/**
 * Asks for the value of a choice, as its JSON Schema demands. An enum is a list to choose from, an
 * object is asked for member by member, and everything else is typed. Rejects values that do not fit.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { faultWords } from '../../serve/arguments.js';
import { isJsonObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import type { QuestionKind } from '../../compiler/ir/options.js';
import { checkAnswerValue } from '../../diagnostics/questions.js';
import { quote } from '../../diagnostics/quote.js';
import type { Choice } from '../../index.js';
import type { Option, Prompts } from '../output/prompts.js';

/** The user goes back to the choices. */
export const back = Symbol('back to the choices');

/** Undefined if an optional value is left out. */
type Given = Json | undefined | typeof back;

/** The user types this to go back to the choices. */
const backSign = '<';

/** Asks for the value of a choice; undefined if it needs none. */
export async function askForValue(
  kind: QuestionKind,
  { key, value: schema }: Choice,
  initial: Json | undefined,
  prompts: Prompts,
): Promise<Given> {
  if (schema === undefined) return undefined;
  for (let last = initial; ; ) {
    const value = isJsonObject(schema['properties'])
      ? await askForMembers(schema, schema['properties'], last, prompts)
      : await askForField(schema, titleOf(schema, 'The value'), true, last, prompts);
    if (value === back || value === undefined) return back;
    const fault = checkAnswerValue(kind, key, value) ?? faultBySchema(schema, value);
    if (fault === null) return value;
    prompts.write(`  ${quote(fault)}\n`);
    last = value;
  }
}

async function askForMembers(
  { required = [] }: JsonObject,
  properties: JsonObject,
  initial: Json | undefined,
  prompts: Prompts,
): Promise<Given> {
  const members: [string, Json][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!isJsonObject(schema)) continue;
    const isNeeded = Array.isArray(required) && required.includes(name);
    const title = `${name}: ${titleOf(schema, 'a value')}${isNeeded ? '' : ' (optional)'}`;
    const before =
      isJsonObject(initial) && Object.hasOwn(initial, name) ? initial[name] : undefined;
    const value = await askForField(schema, title, isNeeded, before, prompts);
    if (value === back) return back;
    if (value !== undefined) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

/** Reads typed text as JSON. Invalid JSON counts as a string, if the schema allows one. */
async function askForField(
  schema: JsonObject,
  title: string,
  required: boolean,
  initial: Json | undefined,
  prompts: Prompts,
): Promise<Given> {
  const { enum: values, type } = schema;
  if (Array.isArray(values)) {
    const options: Option<Given>[] = values.map((value) => ({ value, label: textOf(value) }));
    options.push({ value: back, label: 'Back to the choices' });
    return prompts.choose(title, options, initial);
  }
  const isText = type === 'string';
  const read = (text: string) => {
    if ((isText ? text : text.trim()) === '') return undefined;
    return isText ? text : parsed(text);
  };
  const form = type === undefined ? ', as JSON or as a text' : ', as JSON';
  const isPlain = isText || type === 'number' || type === 'integer';
  const leave = required ? '' : 'empty leaves it out, ';
  const message = `${title}${isPlain ? '' : form} (${leave}${backSign} goes back)`;
  const text = await prompts.text(message, textOf(initial ?? ''), (given) => {
    if (given.trim() === backSign) return null;
    const value = read(given);
    if (value === undefined) return required ? 'a value is needed' : null;
    return faultBySchema(schema, value);
  });
  return text.trim() === backSign ? back : read(text);
}

/** If a pattern does not match, says what the schema's description says instead. */
function faultBySchema(schema: JsonObject, value: Json): string | null {
  const { type, pattern, description } = schema;
  if (type === 'object' && !isJsonObject(value)) return 'it must be an object, such as {"a": 1}';
  const check = new Ajv2020({ strict: false }).compile(schema);
  if (check(value)) return null;
  if (typeof value !== 'string' || pattern === undefined || typeof description !== 'string') {
    return `it ${faultWords(check.errors![0]!)}`;
  }
  return `it must be ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

function titleOf({ description }: JsonObject, otherwise: string): string {
  return typeof description === 'string' ? description.replace(/\.$/, '') : otherwise;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
