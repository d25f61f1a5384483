/**
 * Asks for the value of a choice, as its JSON Schema demands. An enum is a list to choose from, an
 * object is asked for member by member, and everything else is typed. Rejects values that do not fit.
 */
import { parsed } from '../../batch/items.js';
import type { QuestionKind } from '../../compiler/ir/question-kind.generated.js';
import { checkAnswerMember, checkAnswerValue } from '../../diagnostics/answers.js';
import { quote } from '../../diagnostics/quote.js';
import type { Choice } from '../../index.js';
import { isObject, type Json, type JsonObject, textOf } from '../../text/json.js';
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
    const check = (member: string | null) => (value: Json) =>
      checkAnswerMember(kind, key, member, value) ?? faultOfList(schema, value);
    const value = isObject(schema['properties'])
      ? await askForMembers(schema, schema['properties'], last, prompts, check)
      : await askForField(
          { schema, title: titleOf(schema, 'The value'), isNeeded: true, check: check(null) },
          last,
          prompts,
        );
    if (value === back || value === undefined) return back;
    const fault = checkAnswerValue(kind, key, value);
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
  check: (member: string) => Field['check'],
): Promise<Given> {
  const members: [string, Json][] = [];
  for (const [name, schema] of Object.entries(properties)) {
    if (!isObject(schema)) continue;
    const isNeeded = Array.isArray(required) && required.includes(name);
    const title = `${name}: ${titleOf(schema, 'a value')}${isNeeded ? '' : ' (optional)'}`;
    const before = isObject(initial) && Object.hasOwn(initial, name) ? initial[name] : undefined;
    const field = { schema, title, isNeeded, check: check(name) };
    const value = await askForField(field, before, prompts);
    if (value === back) return back;
    if (value !== undefined) members.push([name, value]);
  }
  return Object.fromEntries(members);
}

interface Field {
  readonly schema: JsonObject;
  readonly title: string;
  readonly isNeeded: boolean;
  /** What is wrong with a value. */
  readonly check: (value: Json) => string | null;
}

/** Reads typed text as JSON. Invalid JSON counts as a string, if the schema allows one. */
async function askForField(
  { schema, title, isNeeded, check }: Field,
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
    const value = isText ? undefined : (parsed(text) as Json | undefined);
    return value === undefined ? text : value;
  };
  const form = type === undefined ? ', as JSON or as a text' : ', as JSON';
  const isPlain = isText || type === 'number' || type === 'integer';
  const leave = isNeeded ? '' : 'empty leaves it out, ';
  const message = `${title}${isPlain ? '' : form} (${leave}${backSign} goes back)`;
  const text = await prompts.text(message, textOf(initial ?? ''), (given) => {
    if (given.trim() === backSign) return null;
    const value = read(given);
    if (value === undefined) return isNeeded ? 'a value is needed' : null;
    return check(value);
  });
  return text.trim() === backSign ? back : read(text);
}

/** What is wrong if a list has a value that the question does not allow there. */
function faultOfList({ items }: JsonObject, value: Json): string | null {
  if (!isObject(items) || !Array.isArray(value)) return null;
  const { enum: allowed } = items;
  if (!Array.isArray(allowed)) {
    return value.map((each) => faultOfList(items, each)).find((fault) => fault !== null) ?? null;
  }
  const isAllowed = value.every((each) => allowed.includes(each));
  return isAllowed ? null : `it must contain only ${allowed.map(textOf).join(', ')}`;
}

function titleOf({ description }: JsonObject, otherwise: string): string {
  return typeof description === 'string' ? description.replace(/\.$/, '') : otherwise;
}
