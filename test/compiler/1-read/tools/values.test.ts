import { describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../../../src/adapters/tools/table/definitions.js';
import { faultOfValue, isTemplate } from '../../../../src/compiler/1-read/tools/values.js';
import type { Json, JsonObject } from '../../../../src/compiler/ir/json.js';

const order: JsonObject = {
  type: 'object',
  properties: { field: { type: 'string', maxLength: 3 } },
  required: ['field'],
  additionalProperties: false,
};

/** Conditions by their names. */
const conditions: JsonObject = {
  type: 'object',
  propertyNames: { pattern: '^\\w+\\([a-z]+\\)$' },
  additionalProperties: { anyOf: [{ type: 'string', minLength: 1 }, { type: 'number' }] },
  maxProperties: 2,
};

describe('a fixed value', () => {
  it.each<[JsonObject, Json]>([
    [{ type: 'integer', minimum: 1 }, 1],
    [{ type: 'number' }, 1],
    [{ type: 'integer' }, '{{bill}}'],
    [{ type: 'string', pattern: '^a+$', maxLength: 2 }, 'aa'],
    [{ enum: [0, 1] }, 1],
    [{ type: 'array', items: { type: 'string' }, minItems: 1 }, ['x']],
    [order, { field: 'abc' }],
    [{ type: 'object' }, { any: null }],
    [{ type: ['string', 'number'] }, 1.5],
    [{ type: 'string', pattern: '^a+$' }, '{% if bill %}a{% endif %}'],
    [conditions, { 'a(eq)': 'x', 'b(gt)': 5 }],
    [conditions, { 'a(eq)': '{{bill}}' }],
  ])('fits %j: %j', (schema, value) => {
    expect(faultOfValue(schema, value)).toBeNull();
  });

  it.each<[JsonObject, Json, string]>([
    [{ type: 'integer' }, 1.5, 'it must be of type integer'],
    [{ type: 'boolean' }, 'true', 'it must be of type boolean'],
    [{ type: 'string' }, null, 'it must be of type string'],
    [{ type: 'integer', minimum: 1 }, 0, 'it is under its minimum of 1'],
    [{ type: 'string', maxLength: 1 }, 'ab', 'it is over its maxLength of 1'],
    [{ type: 'string', pattern: '^a$' }, 'b', 'it must match ^a$'],
    [{ enum: [0, 1] }, 2, 'it must be one of 0, 1'],
    [{ type: 'array', minItems: 1 }, [], 'it is under its minItems of 1'],
    [{ type: 'array', items: { type: 'string' } }, ['a', 1], 'it must be of type string'],
    [order, {}, 'it must have "field"'],
    [order, { field: 'abc', more: 1 }, 'it has no "more"'],
    [order, { field: 'abcd' }, 'it is over its maxLength of 3'],
    [{ const: true }, false, 'it must be one of true'],
    [{ type: 'string', maxLength: 1 }, 'é́', 'it is over its maxLength of 1'],
    [conditions, { a: 'x' }, '"a" is no name that it may have'],
    [conditions, { '{{a}}(eq)': 'x' }, '"{{a}}(eq)" is no name that it may have'],
    [conditions, { 'a(eq)': '' }, 'it is under its minLength of 1'],
    [conditions, { 'a(eq)': true }, 'it must be of type string'],
    [conditions, { 'a(b)': 1, 'b(b)': 1, 'c(b)': 1 }, 'it is over its maxProperties of 2'],
  ])('does not fit %j: %j', (schema, value, fault) => {
    expect(faultOfValue(schema, value)).toBe(fault);
  });

  it('has no property that only its prototype has', () => {
    const value = JSON.parse('{ "field": "a", "__proto__": 1 }') as Json;
    expect(faultOfValue(order, value)).toBe('it has no "__proto__"');
  });

  it('is judged by every keyword that the table uses', () => {
    const known = [
      ...['type', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'],
      ...['items', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties'],
      ...['propertyNames', 'minProperties', 'maxProperties', 'anyOf'],
    ];
    const parameters = Object.values(toolDefinitions).flatMap((it) => it.parameters);
    const used = new Set(parameters.flatMap(({ schema }) => keywordsOf(schema as JsonObject)));
    expect([...used].filter((it) => !known.includes(it))).toEqual([]);
  });
});

/** The keywords of a schema and of those inside of it. */
function keywordsOf(schema: JsonObject): string[] {
  const { properties = {}, items, propertyNames, additionalProperties, anyOf = [] } = schema;
  const named = Object.values(properties as JsonObject);
  const inside = [...named, items, propertyNames, additionalProperties, ...(anyOf as Json[])];
  const schemas = inside.filter((it): it is JsonObject => typeof it === 'object' && it !== null);
  return [...Object.keys(schema), ...schemas.flatMap(keywordsOf)];
}

describe('what is known during a call alone', () => {
  it.each<[Json, boolean]>([
    ['{{bill}}', true],
    ['a {% if bill %}b{% endif %}', true],
    [[{ a: '{{bill}}' }], true],
    ['{ {bill} }', false],
    ['100 %}', false],
    [{ a: { b: { c: 1 } } }, false],
    [null, false],
  ])('%j: %s', (value, expected) => {
    expect(isTemplate(value)).toBe(expected);
  });
});
