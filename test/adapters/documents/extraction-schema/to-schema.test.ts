/** What a workflow captures, as a schema for extraction. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/adapters/http/error.js';
import {
  type ExtractionVariable,
  lintExtractionSchema,
  toExtractionSchema,
} from '../../../../src/documents-schemas.js';
import { anyVariables, type Loose } from './schemas.js';

const propertiesOf = (...variables: ExtractionVariable[]) =>
  toExtractionSchema(variables).properties;

describe('captures become fields', () => {
  it('of every type that a workflow has', () => {
    const schema = toExtractionSchema([
      { name: 'customer_name', type: 'string', description: 'Full name' },
      { name: 'age', type: 'number', description: 'Age in years' },
      { name: 'is-new', type: 'boolean', description: 'Whether it is a first call' },
    ]);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        customer_name: { type: ['string', 'null'], description: 'Full name' },
        age: { type: ['number', 'null'], description: 'Age in years' },
        'is-new': { type: ['boolean', 'null'], description: 'Whether it is a first call' },
      },
      required: ['customer_name', 'age', 'is-new'],
      additionalProperties: false,
    });
    expect(lintExtractionSchema(schema)).toEqual([]);
  });

  it('described by their name where nothing else is said, and texts where no type is', () => {
    expect(propertiesOf({ name: 'city' }, { name: 'zip', description: ' ' })).toEqual({
      city: { type: ['string', 'null'], description: 'city' },
      zip: { type: ['string', 'null'], description: 'zip' },
    });
  });

  it('with choices, which only texts have in a schema', () => {
    expect(
      propertiesOf(
        { name: 'tier', type: 'string', enum: ['gold', 'silver', 'gold', null] },
        { name: 'floor', type: 'integer', description: 'Floor', enum: [1, 2] },
      ),
    ).toEqual({
      tier: { type: ['string', 'null'], description: 'tier', enum: ['gold', 'silver', null] },
      floor: { type: ['integer', 'null'], description: 'Floor; one of 1, 2' },
    });
  });

  it('with lists, objects and dates', () => {
    const variables: ExtractionVariable[] = [
      { name: 'tags', type: 'array' },
      { name: 'day', type: 'string', format: 'date' },
      {
        name: 'people',
        type: 'array',
        items: { type: 'object', properties: { name: { type: ['null', 'string'] } } },
      },
    ];
    const schema = toExtractionSchema(variables, { prefix: 'vendor' });
    expect(schema.properties).toEqual({
      tags: { type: 'array', description: 'tags', items: { type: ['string', 'null'] } },
      day: { type: ['string', 'null'], description: 'day', 'vendor:type': 'date' },
      people: {
        type: 'array',
        description: 'people',
        items: {
          type: 'object',
          properties: { name: { type: ['string', 'null'], description: 'name' } },
          required: ['name'],
          additionalProperties: false,
        },
      },
    });
    expect(lintExtractionSchema(schema, { prefix: 'vendor' })).toEqual([]);
  });

  it('without constraints that the service does not know', () => {
    const variable: Loose = { name: 'a', minLength: 3, default: 'x', required: true };
    expect(propertiesOf(variable)).toEqual({ a: { type: ['string', 'null'], description: 'a' } });
  });

  it('none of none', () => {
    expect(toExtractionSchema([])).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
  });

  it('under any name that is allowed, those of every object included', () => {
    const schema = toExtractionSchema([{ name: '__proto__' }, { name: 'constructor' }]);
    expect(Object.keys(schema.properties)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(schema.properties)).toBe(Object.prototype);
    expect(lintExtractionSchema(schema)).toEqual([]);
  });
});

describe('a variable that is captured twice', () => {
  const both = (a: Omit<ExtractionVariable, 'name'>, b: Omit<ExtractionVariable, 'name'>) =>
    propertiesOf({ name: 'x', ...a }, { name: 'x', ...b })['x'];

  it('is one field with both descriptions, in order and each once', () => {
    expect(both({ description: 'b' }, { description: 'a' })).toMatchObject({ description: 'b; a' });
    expect(both({ description: 'b' }, { description: 'b' })).toMatchObject({ description: 'b' });
    expect(both({}, { description: 'a' })).toMatchObject({ description: 'a' });
  });

  it('is a text where the types differ', () => {
    expect(both({ type: 'number' }, { type: 'boolean' })).toMatchObject({
      type: ['string', 'null'],
    });
    expect(both({ type: 'array' }, { type: 'string' })).toMatchObject({ type: ['string', 'null'] });
  });

  it('has the choices of both, or none where one has none', () => {
    expect(both({ enum: ['a', 'b'] }, { enum: ['b', 'c'] })).toMatchObject({
      enum: ['a', 'b', 'c', null],
    });
    expect(both({ enum: ['a'] }, {})).not.toHaveProperty('enum');
  });

  it('is a date only where both are', () => {
    expect(both({ format: 'date' }, { format: 'date' })).toHaveProperty('service:type', 'date');
    expect(both({ format: 'date' }, {})).not.toHaveProperty('service:type');
  });

  it('is refused where lists or objects hold something else', () => {
    const list = (type: string) => ({ type: 'array', items: { type } }) as const;
    expect(both(list('string'), list('string'))).toHaveProperty('items');
    expect(() => both(list('string'), list('number'))).toThrow(ApiError);
  });
});

describe('what no schema can hold is refused with its place', () => {
  const deep = (levels: number): Loose =>
    levels === 0 ? {} : { name: 'd', type: 'object', properties: { d: deep(levels - 1) } };
  const cyclic: Loose = { name: 'c', type: 'object', properties: {} };
  cyclic.properties.c = cyclic;
  it.each<[string, Loose, string]>([
    ['no list', { name: 'a' }, 'variables is'],
    ['a list without end', new Array(4e9), 'variables is'],
    ['no variable', [5], 'variables/0'],
    ['no name', [{ type: 'string' }], 'variables/0'],
    ['a name of other characters', [{ name: 'a' }, { name: 'a b' }], 'variables/1'],
    ['a name that is no text', [{ name: ['a'] }], 'variables/0'],
    ['no type', [{ name: 'a', type: 'date' }], 'variables/0/type'],
    ['two types', [{ name: 'a', type: ['string', 'number'] }], 'variables/0/type'],
    ['a description that is no text', [{ name: 'a', description: {} }], 'variables/0/description'],
    ['choices that are no list', [{ name: 'a', enum: 'a' }], 'variables/0/enum'],
    ['a choice that is an object', [{ name: 'a', enum: [{}] }], 'variables/0/enum'],
    ['choices without end', [{ name: 'a', enum: new Array(4e9) }], 'variables/0/enum'],
    ['an object without properties', [{ name: 'a', type: 'object' }], 'variables/0/properties'],
    [
      'a list in a list',
      [{ name: 'a', type: 'array', items: { type: 'array' } }],
      'variables/0/items',
    ],
    ['items that are no schema', [{ name: 'a', type: 'array', items: [] }], 'variables/0/items'],
    ['a construct', [{ name: 'a', anyOf: [] }], 'variables/0/anyOf'],
    [
      'a name inside',
      [{ name: 'a', type: 'object', properties: { '\u0007 b': {} } }],
      'variables/0/properties holds',
    ],
    ['level 6', [deep(5)], `variables/0${'/properties/d'.repeat(4)}`],
    ['an object in itself', [cyclic], `variables/0${'/properties/c'.repeat(4)}`],
    ['too many', Array.from({ length: 4001 }, (_, i) => ({ name: `v${i}` })), 'variables is'],
  ])('%s', (_, variables, at) => {
    const attempt = () => toExtractionSchema(variables);
    expect(attempt).toThrow(ApiError);
    expect(attempt).toThrow('api/invalid-argument');
    expect(attempt).toThrow(at);
  });

  it('but level 5 is not', () => {
    expect(lintExtractionSchema(toExtractionSchema([deep(4)]))).toEqual([]);
  });
});

describe('whatever is captured', () => {
  it('the schema has no finding, and a field for each variable', () => {
    fc.assert(
      fc.property(anyVariables, fc.constantFrom('service', 'extend'), (variables, prefix) => {
        const schema = toExtractionSchema(variables, { prefix });
        expect(lintExtractionSchema(schema, { prefix })).toEqual([]);
        expect(schema.required).toEqual(variables.map(({ name }) => name));
      }),
      { numRuns: 500 },
    );
  });

  it('a schema as large as is made can be read', () => {
    const variables = Array.from({ length: 4000 }, (_, i): ExtractionVariable => {
      return { name: `v${i}`, format: 'date', description: 'x' };
    });
    expect(lintExtractionSchema(toExtractionSchema(variables))).toEqual([]);
    const choices = Array.from({ length: 1999 }, (_, i) => `${i}`);
    const two = [
      { name: 'a', enum: choices },
      { name: 'b', enum: choices },
    ];
    expect(lintExtractionSchema(toExtractionSchema(two))).toEqual([]);
  });
});
