/** What a workflow captures, as a schema for extraction. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../../src/adapters/http/error.js';
import {
  type ExtractionVariable,
  lintExtractionSchema,
  toExtractionSchema,
} from '../../../../src/documents-schemas.js';
import { anyVariables, type Loose } from './schemas.js';

const listOf = (type: string) => ({ type: 'array', items: { type } });

/**
 * What is captured, once or more often, of a variable x, and its field; `@text` stands for a text
 * without a description of its own.
 */
const fields = `
{"type":"string","description":"d"} => {"type":["string","null"],"description":"d"}
{"type":"number"} => {"type":["number","null"],"description":"x"}
{"description":" "} => "@text"
{"type":["null","boolean"]} => {"type":["boolean","null"],"description":"x"}
{"enum":["gold","silver","gold",null]} => {"type":["string","null"],"description":"x","enum":["gold","silver",null]}
{"type":"integer","description":"d","enum":[1,2]} => {"type":["integer","null"],"description":"d; one of 1, 2"}
{"enum":[null]} => "@text"
{"minLength":3,"default":"x","required":true} => "@text"
{"type":"string","format":"date"} => {"type":["string","null"],"description":"x","vendor:type":"date"}
{"type":"array"} => {"type":"array","items":{"type":["string","null"]},"description":"x"}
{"type":"array","items":{"type":"object","properties":{"y":{"type":["null","string"]}}}} => {"type":"array","description":"x","items":{"type":"object","properties":{"y":{"type":["string","null"],"description":"y"}},"required":["y"],"additionalProperties":false}}
{"description":"b"},{"description":"a"},{"description":"b"},{} => {"type":["string","null"],"description":"b; a"}
{"type":"array"},{"type":"boolean"} => "@text"
{"enum":["a","b"]},{"enum":["b","c"]} => {"type":["string","null"],"description":"x","enum":["a","b","c",null]}
{"enum":["a"]},{} => "@text"
{"format":"date"},{} => "@text"
{"type":"array","items":{"type":"string"}},{"type":"array","items":{"type":"string"}} => {"type":"array","items":{"type":["string","null"]},"description":"x"}
`;

it.each(fields.trim().split('\n'))('a field has what its captures say: %s', (line) => {
  const [captures, field] = line.split(' => ');
  const named = (JSON.parse(`[${captures}]`) as object[]).map((each) => ({ name: 'x', ...each }));
  const usual = { type: ['string', 'null'], description: 'x' };
  const x = JSON.parse(`${field}`, (_, each) => (each === '@text' ? usual : each));
  const object = {
    type: 'object',
    properties: { x },
    required: ['x'],
    additionalProperties: false,
  };
  expect(toExtractionSchema(named, { prefix: 'vendor' })).toEqual(object);
});

it('a schema may have no field, and one under any name that is allowed', () => {
  const empty = { type: 'object', properties: {}, required: [], additionalProperties: false };
  expect(toExtractionSchema([])).toEqual(empty);
  const { properties } = toExtractionSchema([{ name: '__proto__' }, { name: 'constructor' }]);
  expect(Object.keys(properties)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
});

const deep = (levels: number): Loose =>
  levels === 0 ? {} : { name: 'd', type: 'object', properties: { d: deep(levels - 1) } };
const cyclic: Loose = { name: 'c', type: 'object', properties: {} };
cyclic.properties.c = cyclic;

it.each<[string, Loose, string]>([
  ['no variable', [5], 'a variable has no name'],
  ['no name', [{ type: 'string' }], 'a variable has no name'],
  ['a name of other characters', [{ name: 'a' }, { name: 'a b' }], '/properties/a b'],
  ['no type', [{ name: 'a', type: 'date' }], '/properties/a/type'],
  ['two types', [{ name: 'a', type: ['string', 'number'] }], '/properties/a/type'],
  ['a description that is no text', [{ name: 'a', description: {} }], '/properties/a/description'],
  ['choices that are no list', [{ name: 'a', enum: { b: 1 } }], '/properties/a/enum'],
  ['a choice that is an object', [{ name: 'a', enum: [{}] }], '/properties/a/enum/0'],
  ['an object without properties', [{ name: 'a', type: 'object' }], '/properties/a: '],
  ['a list in a list', [{ name: 'a', ...listOf('array') }], '/properties/a/items'],
  ['items that are no schema', [{ name: 'a', type: 'array', items: [] }], '/properties/a/items'],
  ['a construct', [{ name: 'a', anyOf: [] }], 'a: anyOf is not supported'],
  ['a name inside', [{ ...deep(1), properties: { '\u0007': {} } }], '"\\u0007" may only contain'],
  ['level 6', [deep(5)], `${'/properties/d'.repeat(5)}: `],
  ['an object in itself', [cyclic], `${'/properties/c'.repeat(5)}: `],
  [
    'lists that differ',
    [
      { name: 'a', ...listOf('string') },
      { name: 'a', ...listOf('number') },
    ],
    'a holds something else',
  ],
])('what no schema can hold is refused with its place: %s', (_, variables, why) => {
  const attempt = () => toExtractionSchema(variables);
  expect(attempt).toThrow(ApiError);
  expect(attempt).toThrow('api/invalid-argument');
  expect(attempt).toThrow(why);
});

it('whatever is captured, the schema has no finding, and a field for each variable', () => {
  expect(lintExtractionSchema(toExtractionSchema([deep(4)]))).toEqual([]);
  fc.assert(
    fc.property(anyVariables, fc.constantFrom('service', 'extend'), (variables, prefix) => {
      const schema = toExtractionSchema(variables, { prefix });
      expect(lintExtractionSchema(schema, { prefix })).toEqual([]);
      expect(schema.required).toEqual(variables.map(({ name }) => name));
    }),
    { numRuns: 500 },
  );
});

it('thousands of variables are one schema', () => {
  const variables = Array.from({ length: 4000 }, (_, index): ExtractionVariable => {
    return { name: `v${index}`, format: 'date', description: 'x' };
  });
  expect(lintExtractionSchema(toExtractionSchema(variables))).toEqual([]);
});
