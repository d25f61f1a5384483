/**
 * Asks for the value of a choice, as its JSON Schema demands. An enum is a list to choose from, an
 * object is asked for member by member, and everything else is typed. Rejects values that do not fit.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { faultWords } from '../../adapters/tools/arguments.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
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

interface Field {
  readonly schema: JsonObject;
  readonly title: string;
  readonly initial: Json | undefined;
  readonly required: boolean;
  readonly faultOf: (value: Json) => string | null;
}

/** Asks for the value of a choice; undefined if it needs none. */
export async function askForValue(
  kind: QuestionKind,
  { key, value: schema }: Choice,
  initial: Json | undefined,
  prompts: Prompts,
): Promise<Given> {
  if (schema === undefined) return undefined;
  const faultOf = (value: Json) =>
    checkAnswerValue(kind, key, value) ?? faultBySchema(schema, value);
  const field = { schema, title: titleOf(schema, 'The value'), required: true, faultOf };
  for (let last = initial; ; ) {
    const value = await askForField({ ...field, initial: last }, prompts);
    if (value === back || value === undefined) return back;
    const fault = faultOf(value);
    if (fault === null) return value;
    prompts.write(`  ${quote(fault)}\n`);
    last = value;
  }
}

function askForField(field: Field, prompts: Prompts): Promise<Given> {
  const { enum: values, type, properties } = field.schema;
  if (Array.isArray(values)) return chooseOf(values, field, prompts);
  if (type === 'boolean') return chooseOf([true, false], field, prompts);
  if (isJsonObject(properties)) return askForMembers(properties, field, prompts);
  return askInWords(field, prompts);
}

async function chooseOf(
  values: readonly Json[],
  { title, required, initial }: Field,
  prompts: Prompts,
): Promise<Given> {
  const options: Option<Given>[] = values.map((value) => ({ value, label: wordsFor(value) }));
  if (!required) options.push({ value: undefined, label: 'Leave it out' });
  options.push({ value: back, label: 'Back to the choices' });
  return prompts.choose(title, options, initial);
}

async function askForMembers(
  properties: JsonObject,
  { schema, initial }: Field,
  prompts: Prompts,
): Promise<Given> {
  const needed = Array.isArray(schema['required']) ? schema['required'] : [];
  const members: [string, Json][] = [];
  for (const [name, part] of Object.entries(properties)) {
    if (!isJsonObject(part)) continue;
    const required = needed.includes(name);
    const value = await askForField(
      {
        schema: part,
        title: `${name}: ${titleOf(part, 'a value')}${required ? '' : ' (optional)'}`,
        initial: isJsonObject(initial) && Object.hasOwn(initial, name) ? initial[name] : undefined,
        required,
        faultOf: (given) => faultBySchema(part, given),
      },
      prompts,
    );
    if (value === back) return back;
    if (value !== undefined) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

/** Reads typed text as JSON. Invalid JSON counts as a string, if the schema allows one. */
async function askInWords(field: Field, prompts: Prompts): Promise<Given> {
  const { title, required, faultOf, initial = '' } = field;
  const { type } = field.schema;
  const isText = type === 'string';
  const read = (text: string) => {
    if ((isText ? text : text.trim()) === '') return undefined;
    return isText ? text : parsed(text);
  };
  const form = type === undefined ? ', as JSON or as a text' : ', as JSON';
  const isPlain = isText || type === 'number' || type === 'integer';
  const leave = required ? '' : 'empty leaves it out, ';
  const message = `${title}${isPlain ? '' : form} (${leave}${backSign} goes back)`;
  const text = await prompts.text(message, wordsFor(initial), (given) => {
    if (given.trim() === backSign) return null;
    const value = read(given);
    if (value === undefined) return required ? 'a value is needed' : null;
    return faultOf(value);
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

function wordsFor(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
