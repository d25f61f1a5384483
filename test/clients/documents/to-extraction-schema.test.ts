/** What a workflow captures, as a schema for extraction. */
import { expect, it } from 'vitest';
import { lintExtractionSchema, toExtractionSchema } from '../../../src/documents-schemas.js';

/** What is captured, once or more often, of a variable x, and its field. */
const fields = `
{"type":"number"} => {"type":["number","null"],"description":"x"}
{"type":["null","boolean"],"description":" "} => {"type":["boolean","null"],"description":"x"}
{"enum":["gold","silver","gold",null]} => {"type":["string","null"],"description":"x","enum":["gold","silver",null]}
{"type":"integer","description":"d","enum":[1,2]} => {"type":["integer","null"],"description":"d; one of 1, 2"}
{"type":"string","format":"date","minLength":3} => {"type":["string","null"],"description":"x","vendor:type":"date"}
{"type":"number","format":"date"} => {"type":["number","null"],"description":"x"}
{"type":"array"} => {"type":"array","items":{"type":["string","null"]},"description":"x"}
{"type":"array","items":{"type":"object","properties":{"y":{"type":"string"}}}} => {"type":"array","description":"x","items":{"type":"object","properties":{"y":{"type":["string","null"],"description":"y"}},"required":["y"],"additionalProperties":false}}
{"description":"b"},{"description":"a"},{"description":"b"},{} => {"type":["string","null"],"description":"b; a"}
{"type":"array"},{"type":"boolean"} => {"type":["string","null"],"description":"x"}
{"enum":["a","b"]},{"enum":["b","c"]} => {"type":["string","null"],"description":"x","enum":["a","b","c",null]}
{"enum":["a"]},{"format":"date"} => {"type":["string","null"],"description":"x"}
`;

it.each(fields.trim().split('\n'))('a field combines its captures: %s', (line) => {
  const [captures, field = ''] = line.split(' => ');
  const named = JSON.parse(`[${captures}]`).map((each: object) => ({ name: 'x', ...each }));
  const schema = toExtractionSchema(named, { prefix: 'vendor' });
  const properties = { x: JSON.parse(field) };
  expect(schema).toEqual({
    type: 'object',
    properties,
    required: ['x'],
    additionalProperties: false,
  });
  expect(lintExtractionSchema(schema, { prefix: 'vendor' })).toEqual([]);
});

const deep = (levels: number): object =>
  levels === 0 ? {} : { name: 'd', type: 'object', properties: { d: deep(levels - 1) } };

it.each([
  ['no name', [{ type: 'string' }], 'a variable has no name'],
  ['a name of other characters', [{ name: 'a' }, { name: 'a b' }], '/properties/a b'],
  ['no type', [{ name: 'a', type: 'date' }], '/properties/a/type'],
  ['a description that is no text', [{ name: 'a', description: {} }], '/properties/a/description'],
  ['a choice that is an object', [{ name: 'a', enum: [{}] }], '/properties/a/enum/0'],
  ['an object without properties', [{ name: 'a', type: 'object' }], '/properties/a: '],
  ['a construct', [{ name: 'a', anyOf: [] }], 'a: anyOf is not supported'],
  ['level 6', [deep(5)], `${'/properties/d'.repeat(5)}: `],
  [
    'lists that differ',
    ['string', 'number'].map((type) => ({ name: 'a', type: 'array', items: { type } })),
    'a holds something else',
  ],
])('what no schema can express is refused by name: %s', (_, variables, why) => {
  const attempt = () => toExtractionSchema(variables as never);
  expect(attempt).toThrow('api/invalid-argument');
  expect(attempt).toThrow(why);
});

it('names such as __proto__ have no special meaning', () => {
  const { properties } = toExtractionSchema([{ name: '__proto__' }, { name: 'constructor' }]);
  expect(Object.keys(properties)).toEqual(['__proto__', 'constructor']);
  expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
});
