/**
 * Asks for the value that a choice needs, by its JSON Schema: one of a list is chosen, an object
 * asked for member by member, groups picked one after another, and what has no form of its own is
 * written as JSON. Nothing that does not fit is taken.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { faultWords } from '../../adapters/tools/check.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import type { QuestionKind } from '../../compiler/ir/options.js';
import { checkAnswerValue } from '../../diagnostics/questions.js';
import { quote, shorten } from '../../diagnostics/quote.js';
import type { Choice } from '../../index.js';
import type { Option, Prompts } from '../output/prompts.js';

/** The user wants the choices back. */
export const back = Symbol('back to the choices');
type Back = typeof back;

/** What is typed to get the choices back. */
const backSign = '<';

/** A value that is asked for. */
interface Field {
  readonly schema: JsonObject;
  readonly title: string;
  readonly initial: Json | undefined;
  readonly required: boolean;
  readonly faultOf: (value: Json) => string | null;
}

/** The value for a choice of a kind; undefined where it needs none. */
export async function askForValue(
  kind: QuestionKind,
  { key, value: schema }: Choice,
  initial: Json | undefined,
  prompts: Prompts,
): Promise<Json | undefined | Back> {
  if (schema === undefined) return undefined;
  const faultOf = (value: Json) =>
    checkAnswerValue(kind, key, value) ?? faultBySchema(schema, value);
  const field = { schema, title: titleOf(schema, 'The value'), initial, required: true, faultOf };
  for (let last = initial; ; ) {
    const value = await askForField({ ...field, initial: last }, prompts);
    if (value === back || value === undefined) return back;
    const fault = faultOf(value);
    if (fault === null) return value;
    prompts.write(`  ${quote(fault)}\n`);
    last = value;
  }
}

/** Undefined where it is left out. */
function askForField(field: Field, prompts: Prompts): Promise<Json | undefined | Back> {
  const { enum: values, type, properties } = field.schema;
  if (Array.isArray(values)) return chooseOf(values, field, prompts);
  if (type === 'boolean') return chooseOf([true, false], field, prompts);
  const groups = groupedIds(field.schema);
  if (groups !== null) return askForGroups(groups, field, prompts);
  if (isJsonObject(properties)) return askForMembers(properties, field, prompts);
  return type === 'string' ? askForText(field, prompts) : askForJson(field, prompts);
}

async function chooseOf(
  values: readonly Json[],
  { title, required, initial }: Field,
  prompts: Prompts,
): Promise<Json | undefined | Back> {
  const options: Option<Json | undefined | Back>[] = [
    ...values.map((value) => ({ value, label: typeof value === 'string' ? value : jsonOf(value) })),
    ...(required ? [] : [{ value: undefined, label: 'Leave it out' }]),
    { value: back, label: 'Back to the choices' },
  ];
  const preset = initial === undefined && !required ? undefined : initial;
  return prompts.choose<Json | undefined | Back>(title, options, preset);
}

async function askForMembers(
  properties: JsonObject,
  { schema, initial }: Field,
  prompts: Prompts,
): Promise<Json | Back> {
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

async function askForText(field: Field, prompts: Prompts): Promise<string | undefined | Back> {
  const initial = typeof field.initial === 'string' ? field.initial : '';
  const read = (text: string) => (text === '' ? undefined : text);
  return askInWords(field, initial, read, prompts) as Promise<string | undefined | Back>;
}

/** What is no JSON counts as a text, where a text fits. */
async function askForJson(field: Field, prompts: Prompts): Promise<Json | undefined | Back> {
  const initial = field.initial === undefined ? '' : jsonOf(field.initial);
  const read = (text: string) => (text.trim() === '' ? undefined : parsed(text));
  const { type } = field.schema;
  const isNumber = type === 'number' || type === 'integer';
  const form = type === undefined ? ', as JSON or as a text' : ', as JSON';
  const title = `${field.title}${isNumber ? '' : form}`;
  return askInWords({ ...field, title }, initial, read, prompts);
}

async function askInWords(
  field: Field,
  initial: string,
  read: (text: string) => Json | undefined,
  prompts: Prompts,
): Promise<Json | undefined | Back> {
  const { title, required, faultOf } = field;
  const leave = required ? '' : 'empty leaves it out, ';
  const text = await prompts.text(`${title} (${leave}${backSign} goes back)`, initial, (given) => {
    if (given.trim() === backSign) return null;
    const value = read(given);
    if (value === undefined) return required ? 'a value is needed' : null;
    return faultOf(value);
  });
  return text.trim() === backSign ? back : read(text);
}

/** One group after another, until nothing more is picked. */
async function askForGroups(
  ids: readonly string[],
  { title }: Field,
  prompts: Prompts,
): Promise<Json | Back> {
  prompts.write(`  ${shorten(title, 200)}\n`);
  const groups: (readonly string[])[] = [];
  for (let left = ids; left.length > 0; ) {
    const message =
      `Group ${groups.length + 1}: which belong together? ` +
      `(none: ${groups.length === 0 ? 'back to the choices' : 'that is all'})`;
    const group = await prompts.chooseSome(message, left);
    if (group.length === 0) break;
    groups.push(group);
    left = left.filter((id) => !group.includes(id));
  }
  return groups.length === 0 ? back : groups;
}

/** The ids that groups are made of; null where the schema is of something else. */
function groupedIds({ type, items }: JsonObject): readonly string[] | null {
  if (type !== 'array' || !isJsonObject(items) || items['type'] !== 'array') return null;
  const ids = isJsonObject(items['items']) ? items['items']['enum'] : undefined;
  const areTexts = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
  return areTexts ? (ids as readonly string[]) : null;
}

/** In words of the schema's own where it has some: a pattern says little. */
function faultBySchema(schema: JsonObject, value: Json): string | null {
  const { type, pattern, description } = schema;
  if (type === 'object' && !isJsonObject(value)) return 'it must be an object, such as {"a": 1}';
  const fault = faultFoundBy(schema, value);
  if (fault === null || typeof value !== 'string') return fault;
  if (typeof pattern !== 'string' || typeof description !== 'string') return fault;
  return `it must be ${description.charAt(0).toLowerCase()}${description.slice(1)}`;
}

/** The form of an answer is checked as a whole anyway; this is for what this question narrows. */
function faultFoundBy(schema: JsonObject, value: Json): string | null {
  try {
    const check = new Ajv2020({ strict: false }).compile(schema);
    return check(value) ? null : `it ${faultWords(check.errors![0]!)}`;
  } catch {
    return null;
  }
}

function titleOf({ description }: JsonObject, otherwise: string): string {
  return typeof description === 'string' ? description.replace(/\.$/, '') : otherwise;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function jsonOf(value: Json): string {
  return JSON.stringify(value);
}
