/** The check of parameters agrees with ajv, on the schemas of all tools and on others like them. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkOf } from '../../../../src/adapters/tools/handler/schema-check.js';
import { toolDefinitions } from '../../../../src/adapters/tools/table/definitions.js';

const ajv = new Ajv2020({ strict: false, strictNumbers: true });

type Schema = Readonly<Record<string, unknown>>;

const bound = fc.integer({ min: -3, max: 3 });
const size = fc.nat({ max: 3 });
const simple: fc.Arbitrary<Schema> = fc.oneof(
  fc.record({ type: fc.constantFrom('number', 'integer'), minimum: bound, maximum: bound }),
  fc.record({ type: fc.constant('string'), minLength: size, maxLength: size }),
  fc.record({ type: fc.constant('string'), pattern: fc.constantFrom('^a', '^\\p{L}+$', 'b{2}') }),
  fc.constantFrom({ type: 'boolean' }, { type: ['string', 'number'] }, { const: true }),
  fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, null, true), { minLength: 1 }) }),
  fc.record({
    type: fc.constant('object'),
    maxProperties: size,
    propertyNames: fc.constant({ maxLength: 1 }),
  }),
);
const nested: fc.Arbitrary<Schema> = fc.oneof(
  fc.record({ type: fc.constant('array'), items: simple, minItems: size, maxItems: size }),
  fc.record({ anyOf: fc.array(simple, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), simple),
    required: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 }),
    additionalProperties: fc.oneof(fc.boolean(), simple),
  }),
);

const near = fc.oneof(
  ...[
    bound,
    fc.double({ min: -4, max: 4, noNaN: true }),
    fc.string({ unit: 'grapheme', maxLength: 4 }),
  ],
  ...[
    fc.constantFrom('a', 'b', 'bb', '😀', '😀😀', null, true, false),
    fc.constant(Number.POSITIVE_INFINITY),
  ],
);
const value = fc.oneof(
  near,
  fc.array(near, { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c', 'dd', 'toString'), near),
  fc.jsonValue({ maxDepth: 2 }),
);

describe('the check of a schema', () => {
  it('agrees with ajv', () => {
    const property = fc.property(
      fc.oneof(simple, nested),
      fc.array(value, { maxLength: 20 }),
      (schema, values) => {
        const validate = ajv.compile(schema);
        const check = checkOf(schema);
        for (const each of values) {
          expect([each, check(each) === undefined]).toEqual([each, validate(each)]);
        }
      },
    );
    fc.assert(property, { numRuns: 600 });
  }, 30_000);

  it('agrees with ajv on the parameters of all tools', () => {
    const parameters = Object.values(toolDefinitions).flatMap((each) => each.parameters);
    const schemas = [
      ...new Map(parameters.map(({ schema }) => [JSON.stringify(schema), schema])).values(),
    ];
    for (const schema of schemas) {
      const validate = ajv.compile(schema);
      const check = checkOf(schema);
      const values = [...fc.sample(value, { numRuns: 100, seed: 7 }), ...fitting];
      for (const each of values) {
        expect([schema, each, check(each) === undefined]).toEqual([schema, each, validate(each)]);
      }
    }
  });

  const fitting = [
    ...[
      '2026-03-01',
      '2026-13-01',
      'A-1',
      '../x',
      'x.pdf',
      'https://a.example/x',
      'http://a.example',
    ],
    ...[1, 0, 0.01, 999_999_999.99, 1e9, -99, 101, 2 ** 53, ['a@b.example'], [], [{}], [['x']]],
    ...[{ 'status(eq)': 1 }, { status: 1 }, { field: 'x', direction: 'asc' }, { field: 'x' }],
  ];

  it('refuses a keyword that it does not know', () => {
    for (const schema of [
      { oneOf: [] },
      { multipleOf: 1 },
      { type: 'string', format: 'uri' },
      { constructor: 1 },
    ]) {
      expect(() => checkOf(schema)).toThrow(TypeError);
    }
    expect(() => checkOf({ type: 'null' })).toThrow(TypeError);
    expect(() => checkOf({ enum: [{}] })).toThrow(TypeError);
    expect(() => checkOf({ items: { oneOf: [] } })).toThrow(TypeError);
  });

  it('is not slow with what is long', () => {
    const check = checkOf({ type: 'string', pattern: '^(?:a+)+$', maxLength: 20 });
    expect(check(`${'a'.repeat(2 ** 20)}b`)).toBe('is too long');
  });
});
