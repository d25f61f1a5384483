import { describe, expect, it } from 'vitest';
import { faultOfValue } from '../../../../src/compiler/1-parse/tools/values.js';
import type { Json, JsonObject } from '../../../../src/compiler/ir/json.js';

const order: JsonObject = {
  type: 'object',
  properties: { field: { type: 'string', maxLength: 3 } },
  required: ['field'],
  additionalProperties: false,
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
  ])('does not fit %j: %j', (schema, value, fault) => {
    expect(faultOfValue(schema, value)).toBe(fault);
  });

  it('has no property that only its prototype has', () => {
    const value = JSON.parse('{ "field": "a", "__proto__": 1 }') as Json;
    expect(faultOfValue(order, value)).toBe('it has no "__proto__"');
  });
});
