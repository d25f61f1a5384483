/** Old and new extractions are read into schema, value and metadata. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LegacyField } from '../../../src/documents.js';
import { lintExtractionSchema, readExtraction } from '../../../src/documents-schemas.js';

const field = (name: string, type: string, more: Partial<LegacyField> = {}): LegacyField => {
  return { id: `field-${name}`, name, type, description: `The ${name}`, ...more };
};

const object = (properties: Record<string, object>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const scalar = (type: string, more: object = {}) => ({ type: [type, 'null'], ...more });
const date = scalar('string', { 'acme:type': 'date' });
const choices = [{ value: 'invoice', description: 'asks for money' }, { value: 'receipt' }];

const money = object({ amount: scalar('number'), iso_4217_currency_code: scalar('string') });
const signature = object({
  printed_name: scalar('string'),
  signature_date: scalar('string'),
  is_signed: scalar('boolean'),
  title_or_role: scalar('string'),
});
const described = { 'acme:descriptions': ['asks for money', ''] };
const city = object({ city: scalar('string', { description: 'The city' }) });

it.each<[type: string, more: Partial<LegacyField>, schema: object]>([
  ['string', {}, scalar('string')],
  ['hologram', {}, scalar('string')],
  ['date', {}, date],
  ['boolean', {}, scalar('boolean')],
  ['number', {}, scalar('number')],
  ['currency', {}, { ...money, 'acme:type': 'currency' }],
  ['signature', {}, { ...signature, 'acme:type': 'signature' }],
  ['enum', { enum: choices }, { enum: ['invoice', 'receipt', null], ...described }],
  ['object', { schema: [field('city', 'string')] }, city],
  ['array', { schema: [field('city', 'string')] }, { type: 'array', items: city }],
])('a field of type %s becomes a valid property', (type, more, property) => {
  const fields = [field('x', type, more), { id: 'nameless', type }, null, 7];
  const { schema, ...rest } = readExtraction({ config: { fields } }, { vendorPrefix: 'acme' });
  expect(schema).toEqual(object({ x: { ...property, description: 'The x' } }));
  expect(rest).toEqual({});
  const faults = lintExtractionSchema(schema, { prefix: 'acme' });
  expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
});

const result = (value: unknown, more: object = {}) => {
  return { id: 'r', type: 'string', value, references: [], ...more };
};

describe('a mixed output', () => {
  const references = [{ id: 'r', fieldName: 'vendor', page: 2, boundingBoxes: [] }];
  const about = { confidence: 0.9, insights: [{ type: 'reasoning', content: 'on top' }] };
  const total = { amount: 12, iso_4217_currency_code: 'EUR' };
  const output = {
    vendor: result('ACME', { ...about, references }),
    total: result(total, { type: 'currency' }),
    kind: result(null, { type: 'enum' }),
    address: result({ city: result('Bern', { confidence: 0.5 }) }, { type: 'object' }),
    lines: result([{ sku: result('a', { confidence: 0.1 }), price: 2 }], { type: 'array' }),
    tags: result([result('a'), result('b')], { type: 'array' }),
  };
  const fields = [
    field('vendor', 'string'),
    field('address', 'object', { schema: [field('city', 'string')] }),
    field('lines', 'array', { schema: [field('sku', 'string'), field('price', 'number')] }),
  ];

  it.each([[{ fields }], [undefined]])('is separated into value and metadata by path', (config) => {
    const { value, metadata = {} } = readExtraction({ config, output });
    expect(value).toEqual({
      vendor: 'ACME',
      total,
      kind: null,
      address: { city: 'Bern' },
      lines: [{ sku: 'a', price: 2 }],
      tags: ['a', 'b'],
    });
    expect(Object.keys(metadata)).toEqual([
      ...['vendor', 'total', 'kind', 'address', 'address.city', 'lines'],
      ...['lines[0].sku', 'tags', 'tags[0]', 'tags[1]'],
    ]);
    expect(metadata['lines[0].sku']).toEqual({ confidence: 0.1, citations: [] });
    expect(metadata['vendor']).toEqual({ ...about, citations: references });
  });

  it('keeps an object that looks like a result', () => {
    const rows = [
      { id: result('7'), type: result('screw'), value: result(3) },
      { id: '7', type: 'screw', value: 3 },
    ];
    const inner = [field('id', 'string'), field('type', 'string'), field('value', 'number')];
    const config = { fields: [field('parts', 'array', { schema: inner })] };
    const parts = result(rows, { type: 'array', schema: inner });
    const { value } = readExtraction({ config, output: { parts } });
    expect(value).toEqual({ parts: [rows[1], rows[1]] });
  });

  it('can have results named value and metadata', () => {
    const output = { value: result({ a: 1 }), metadata: result({ b: 2 }) };
    const { value, metadata } = readExtraction({ output });
    expect([value, Object.keys(metadata ?? {})]).toEqual([
      { value: { a: 1 }, metadata: { b: 2 } },
      ['value', 'metadata'],
    ]);
  });

  it('treats __proto__ as a name', () => {
    const output = JSON.parse(`{"__proto__":${JSON.stringify(result('x'))}}`);
    const { value } = readExtraction({
      config: { fields: [field('__proto__', 'string')] },
      output,
    });
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value ?? {})).toEqual(['__proto__']);
  });

  it('does not recurse without limit', () => {
    let deep: unknown = 'x';
    let fieldsDown: LegacyField[] = [field('a', 'string')];
    for (let level = 0; level < 20_000; level += 1) {
      deep = { a: result(deep, { type: 'object' }) };
      fieldsDown = [field('a', 'object', { schema: fieldsDown })];
    }
    expect(readExtraction({ config: { fields: fieldsDown }, output: deep }).value).toBeDefined();
  });
});

it('a new extraction is returned unchanged', () => {
  const output = { value: { a: 1 }, metadata: { a: { ocrConfidence: 1, citations: [] } } };
  const config = { schema: { type: 'object' } };
  expect(readExtraction({ config, output })).toEqual({ schema: config.schema, ...output });
});

it('no value makes the reader throw', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (config, output) => {
      readExtraction({ config, output });
    }),
  );
});
