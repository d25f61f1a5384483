/** Extraction schemas for tests: right ones, as fresh values that a test may break. */
import fc from 'fast-check';
import type { ExtractionVariable } from '../../../../src/documents-schemas.js';

// biome-ignore lint/suspicious/noExplicitAny: tests put every kind of value everywhere.
export type Loose = any;

export const text = () => ({ type: ['string', 'null'], description: 'A text.' });

export function object(properties: Record<string, unknown>, more: object = {}): Loose {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  };
}

const described = { description: 'What it is.' };

export const currency = (prefix = 'service') =>
  object(
    { amount: { type: ['number', 'null'] }, iso_4217_currency_code: { type: ['string', 'null'] } },
    { [`${prefix}:type`]: 'currency', ...described },
  );

export const signature = (prefix = 'service') =>
  object(
    {
      printed_name: { type: ['string', 'null'] },
      signature_date: { type: ['string', 'null'], [`${prefix}:type`]: 'date' },
      is_signed: { type: ['boolean', 'null'] },
      title_or_role: { type: ['string', 'null'] },
    },
    { [`${prefix}:type`]: 'signature', ...described },
  );

export const array = (items: unknown) => ({ type: 'array', items, ...described });

/** An object below `levels - 1` others. */
export function nested(levels: number): Loose {
  let schema = object({ leaf: text() });
  for (let level = 1; level < levels; level += 1) {
    schema = object({ inner: { ...schema, ...described } });
  }
  return schema;
}

/** One of everything that the rules allow. */
export const full = (prefix = 'service'): Loose =>
  object({
    text: text(),
    'amount-2': { type: ['number', 'null'], ...described },
    count: { type: ['null', 'integer'], ...described },
    paid: { type: ['boolean', 'null'], ...described },
    day: { type: ['string', 'null'], [`${prefix}:type`]: 'date', ...described },
    total: currency(prefix),
    signed: signature(prefix),
    kind: {
      type: ['string', 'null'],
      enum: ['a', 'b', null],
      [`${prefix}:descriptions`]: ['The first.', 'The second.'],
      [`${prefix}:name`]: 'Kind of thing',
      ...described,
    },
    choice: { enum: [null, 'x'], ...described },
    tags: array({ type: 'string' }),
    notes: array({ type: ['string', 'null'] }),
    sizes: array({ type: 'string', enum: ['s', 'm'] }),
    lines: array(object({ name: text(), price: currency(prefix) })),
  });

const anyName = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/),
  fc.constantFrom('a', 'b', '__proto__', 'toString', '0', '-'),
);
const scalars = ['string', 'number', 'integer', 'boolean'] as const;
const anyScalar = fc.record(
  {
    type: fc.constantFrom(...scalars),
    description: fc.string({ unit: 'grapheme' }),
    enum: fc.array(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { maxLength: 4 }),
    format: fc.constantFrom('date', 'email'),
    default: fc.anything(),
  },
  { requiredKeys: [] },
);
const anySchema = fc.letrec<{ schema: object; list: object; object: object }>((tie) => ({
  schema: fc.oneof({ maxDepth: 3 }, anyScalar, tie('list'), tie('object')),
  list: fc.oneof(anyScalar, tie('object')).map((items) => ({ type: 'array', items })),
  object: fc
    .dictionary(anyName, tie('schema'), { minKeys: 1, maxKeys: 3 })
    .map((properties) => ({ type: 'object', properties })),
})).schema;

/** Captures of every shape that a schema can hold. */
export const anyVariables = fc.uniqueArray(
  fc.tuple(anyName, anySchema).map(([name, schema]) => ({ name, ...schema })),
  { selector: ({ name }) => name, maxLength: 6 },
) as fc.Arbitrary<ExtractionVariable[]>;
