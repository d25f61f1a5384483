/** Extractions of either age are read into schema, value and metadata. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lintExtractionSchema } from '../../../src/adapters/documents/extraction-schema/lint.js';
import { readExtraction } from '../../../src/adapters/documents/legacy-extraction.js';
import type { LegacyField } from '../../../src/adapters/documents/types.js';

const field = (name: string, type: string, more: Partial<LegacyField> = {}): LegacyField => ({
  id: `field-${name}`,
  name,
  type,
  description: `The ${name}`,
  ...more,
});

const fields: readonly LegacyField[] = [
  field('vendor', 'string'),
  field('issued', 'date'),
  field('paid', 'boolean'),
  field('count', 'number'),
  field('total', 'currency'),
  field('signed', 'signature'),
  field('kind', 'enum', {
    enum: [{ value: 'invoice', description: 'asks for money' }, { value: 'receipt' }],
  }),
  field('address', 'object', { schema: [field('city', 'string')] }),
  field('lines', 'array', { schema: [field('sku', 'string'), field('price', 'number')] }),
];

const schema = {
  type: 'object',
  properties: {
    vendor: { type: ['string', 'null'], description: 'The vendor' },
    issued: { type: ['string', 'null'], 'service:type': 'date', description: 'The issued' },
    paid: { type: ['boolean', 'null'], description: 'The paid' },
    count: { type: ['number', 'null'], description: 'The count' },
    total: {
      type: 'object',
      properties: {
        amount: { type: ['number', 'null'] },
        iso_4217_currency_code: { type: ['string', 'null'] },
      },
      required: ['amount', 'iso_4217_currency_code'],
      additionalProperties: false,
      'service:type': 'currency',
      description: 'The total',
    },
    signed: {
      type: 'object',
      properties: {
        printed_name: { type: ['string', 'null'] },
        signature_date: { type: ['string', 'null'], 'service:type': 'date' },
        is_signed: { type: ['boolean', 'null'] },
        title_or_role: { type: ['string', 'null'] },
      },
      required: ['printed_name', 'signature_date', 'is_signed', 'title_or_role'],
      additionalProperties: false,
      'service:type': 'signature',
      description: 'The signed',
    },
    kind: {
      enum: ['invoice', 'receipt', null],
      'service:descriptions': ['asks for money', ''],
      description: 'The kind',
    },
    address: {
      type: 'object',
      properties: { city: { type: ['string', 'null'], description: 'The city' } },
      required: ['city'],
      additionalProperties: false,
      description: 'The address',
    },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          sku: { type: ['string', 'null'], description: 'The sku' },
          price: { type: ['number', 'null'], description: 'The price' },
        },
        required: ['sku', 'price'],
        additionalProperties: false,
      },
      description: 'The lines',
    },
  },
  required: ['vendor', 'issued', 'paid', 'count', 'total', 'signed', 'kind', 'address', 'lines'],
  additionalProperties: false,
};

const result = (value: unknown, more: object = {}) => ({
  id: 'r',
  type: 'string',
  value,
  references: [],
  ...more,
});

describe('a configuration of fields', () => {
  it('becomes a schema', () => {
    expect(readExtraction({ config: { fields } })).toEqual({ schema });
  });

  it('names keywords with the prefix of the vendor', () => {
    const read = readExtraction({ config: { fields } }, { vendorPrefix: 'acme' });
    const text = JSON.stringify(read.schema);
    expect(text).not.toContain('service:');
    expect(text.match(/acme:(type|descriptions)/g)).toHaveLength(5);
  });

  it('becomes a schema that breaks no rule', () => {
    const faults = lintExtractionSchema(readExtraction({ config: { fields } }).schema);
    expect(faults.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('reads what is no type of field as text, and skips what has no name', () => {
    const odd = [field('a', 'hologram'), { id: 'x', type: 'string' }, null, 7];
    expect(readExtraction({ config: { fields: odd } }).schema).toMatchObject({
      properties: { a: { type: ['string', 'null'] } },
      required: ['a'],
    });
  });
});

describe('a mixed output', () => {
  const output = {
    vendor: result('ACME', {
      confidence: 0.9,
      insights: [{ type: 'reasoning', content: 'on top' }],
      references: [
        {
          id: 'r',
          fieldName: 'vendor',
          page: 2,
          boundingBoxes: [{ left: 1, top: 2, right: 3, bottom: 4 }],
        },
        { id: 'r', fieldName: 'vendor', page: 3, boundingBoxes: [] },
      ],
    }),
    total: result({ amount: 12, iso_4217_currency_code: 'EUR' }, { type: 'currency' }),
    kind: result(null, { type: 'enum' }),
    address: result({ city: result('Bern', { confidence: 0.5 }) }, { type: 'object' }),
    lines: result(
      [
        { sku: result('a', { confidence: 0.1 }), price: result(1) },
        { sku: result('b'), price: 2 },
      ],
      { type: 'array' },
    ),
  };

  it('is parted into value and metadata by path', () => {
    const { value, metadata } = readExtraction({ config: { fields }, output });
    expect(value).toEqual({
      vendor: 'ACME',
      total: { amount: 12, iso_4217_currency_code: 'EUR' },
      kind: null,
      address: { city: 'Bern' },
      lines: [
        { sku: 'a', price: 1 },
        { sku: 'b', price: 2 },
      ],
    });
    expect(Object.keys(metadata ?? {})).toEqual([
      ...['vendor', 'total', 'kind', 'address', 'address.city', 'lines'],
      ...['lines[0].sku', 'lines[0].price', 'lines[1].sku'],
    ]);
    expect(metadata?.['lines[0].sku']).toEqual({ confidence: 0.1, citations: [] });
    expect(metadata?.['vendor']).toEqual({
      confidence: 0.9,
      insights: [{ type: 'reasoning', content: 'on top' }],
      citations: [
        {
          page: 2,
          polygon: [
            { x: 1, y: 2 },
            { x: 3, y: 2 },
            { x: 3, y: 4 },
            { x: 1, y: 4 },
          ],
        },
        { page: 3 },
      ],
    });
  });

  it('tells by itself that it is one, without a configuration', () => {
    expect(readExtraction({ output }).value).toMatchObject({ vendor: 'ACME' });
    expect(readExtraction({ output })).not.toHaveProperty('schema');
  });

  it('keeps an object whose own names look like those of a result', () => {
    const row = { id: result('7'), type: result('screw'), value: result(3) };
    const inner = [field('id', 'string'), field('type', 'string'), field('value', 'number')];
    const { value } = readExtraction({
      config: { fields: [field('parts', 'array', { schema: inner })] },
      output: { parts: result([row], { type: 'array', schema: inner }) },
    });
    expect(value).toEqual({ parts: [{ id: '7', type: 'screw', value: 3 }] });
  });

  it('reads entries of an array that are results themselves', () => {
    const output = { tags: result([result('a'), result('b')], { type: 'array' }) };
    expect(readExtraction({ output })).toMatchObject({
      value: { tags: ['a', 'b'] },
      metadata: { 'tags[0]': {}, 'tags[1]': {} },
    });
  });

  it('takes hostile names for names', () => {
    const output = JSON.parse(
      '{"__proto__":{"id":"r","type":"string","value":"x"},"constructor":{"id":"r","type":"string","value":"y"}}',
    );
    const config = { fields: [field('__proto__', 'string'), field('constructor', 'string')] };
    const { value, metadata, schema: read } = readExtraction({ config, output });
    for (const each of [value, metadata, (read as { properties: object }).properties]) {
      expect(Object.getPrototypeOf(each)).toBe(Object.prototype);
      expect(Object.keys(each ?? {})).toEqual(['__proto__', 'constructor']);
    }
  });

  it('does not go down without end', () => {
    let deep: unknown = 'x';
    let fieldsDown: LegacyField[] = [field('a', 'string')];
    for (let level = 0; level < 20_000; level += 1) {
      deep = { a: result(deep, { type: 'object' }) };
      fieldsDown = [field('a', 'object', { schema: fieldsDown })];
    }
    expect(readExtraction({ config: { fields: fieldsDown }, output: deep }).value).toBeDefined();
  });
});

describe('an extraction of today', () => {
  it('is handed out as it is', () => {
    const output = { value: { a: 1 }, metadata: { a: { ocrConfidence: 1, citations: [] } } };
    const config = { schema: { type: 'object' } };
    const read = readExtraction({ config, output });
    expect(read).toEqual({ schema: config.schema, ...output });
    expect(read.value).toBe(output.value);
  });

  it('is told from a mixed one with fields of these names', () => {
    const output = { value: result('v'), metadata: result('m') };
    const { value } = readExtraction({
      config: { fields: [field('value', 'string'), field('metadata', 'string')] },
      output,
    });
    expect(value).toEqual({ value: 'v', metadata: 'm' });
  });

  it.each([[undefined], [null], [[]], ['x'], [{}]])('may be missing: %j', (output) => {
    expect(readExtraction({ output }).value ?? {}).toEqual({});
  });
});

it('anything at all is read without a throw', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (config, output) => {
      readExtraction({ config, output });
    }),
  );
});
