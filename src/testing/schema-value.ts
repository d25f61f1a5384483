/** Values that match the JSON Schema of a choice, made from random numbers. */
import { asObject, isObject, type Json, type JsonObject } from '../text/json.js';
import { drawing, wheel } from './pick.js';

/** Texts for answers; the first that matches the pattern is taken. */
const texts = [
  ...['answered', '+14155550123', 'https://api.example.com/answered', 'sip:desk@example.com'],
  ...['X-Answered', 'bills.get', '2026-08-01'],
];

/** A value for the schema; the same numbers give the same value. */
export function makeValue(schema: JsonObject, numbers: readonly number[]): Json {
  return make(schema, drawing(numbers));
}

function make(schema: JsonObject, draw: () => number): Json {
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return wheel(listOf(schema.enum), draw());
  const alternatives = listOf(schema.oneOf ?? schema.anyOf).filter((each) => isObject(each));
  if (alternatives.length > 0) return make(wheel(alternatives, draw()), draw);
  const [type] = [schema.type].flat();
  if (type === 'number' || type === 'integer') return Number(schema.minimum ?? 1);
  if (type === 'boolean') return draw() % 2 === 1;
  if (type === 'array') return makeList(asObject(schema.items), draw);
  if (type !== 'object') return makeText(schema);
  const properties = Object.entries(asObject(schema.properties));
  const needed = properties.filter(([name]) => listOf(schema.required).includes(name));
  return Object.fromEntries(needed.map(([name, each]) => [name, make(asObject(each), draw)]));
}

function makeText(schema: JsonObject): string {
  const { pattern, format, examples, minLength = 0 } = schema;
  const matcher = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /^/;
  const found = [...listOf(examples), ...texts]
    .filter((text) => typeof text === 'string' && text.length >= Number(minLength))
    .map(String)
    .find((text) => matcher.test(text) && (format !== 'uri' || /^[a-z]+:/.test(text)));
  if (found === undefined) throw new Error(`no sample matches ${JSON.stringify(schema)}`);
  return found;
}

/** Lists of names from a known set are dealt out, each at most once; others get one element. */
function makeList(items: JsonObject, draw: () => number): Json[] {
  const names = listOf(asObject(items.items).enum);
  if (items.type !== 'array' || names.length === 0) return [make(items, draw)];
  const dealt = names.map((name) => [draw() % 5, name] as const).filter(([place]) => place < 4);
  const groups = [0, 1].map((group) =>
    dealt.flatMap(([at, name]) => (at % 2 === group ? name : [])),
  );
  return dealt.length > 0 ? groups.filter((group) => group.length > 0) : [[names[0]!]];
}

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
