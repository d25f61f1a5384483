/** Each rule of extraction schemas: what it allows, what it finds, and where. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../../src/adapters/documents/extraction-schema/finding.js';
import { lintExtractionSchema } from '../../../../src/adapters/documents/extraction-schema/lint.js';
import {
  array,
  currency,
  described,
  full,
  type Loose,
  nested,
  object,
  signature,
  text,
} from './schemas.js';

const codes = (schema: unknown) =>
  lintExtractionSchema(schema).map(({ code, at }) => [code.replace('extraction/', ''), at]);

/** A schema with one property `a`. */
const having = (property: unknown) => object({ a: property });

describe('a right schema has no finding', () => {
  it.each<[string, unknown]>([
    ['one of everything', full()],
    ['no properties', object({})],
    ['an object on level 5', nested(5)],
    ['arrays add no level', object({ a: array(object({ b: array(nested(3)) })) })],
    ['a property that is called like a member of every object', having(text())],
    ['annotations', { $schema: 'x', $id: 'y', $comment: 'z', title: 't', ...object({}) }],
    ['an empty currency code list of items', object({ a: array(currency()) })],
    [
      'names that objects have by themselves',
      object(
        JSON.parse(
          '{"__proto__":{"type":["string","null"],"description":"d"},"constructor":{"type":["string","null"],"description":"d"}}',
        ),
      ),
    ],
  ])('%s', (_, schema) => expect(codes(schema)).toEqual([]));

  it('with the keywords of another prefix', () => {
    expect(lintExtractionSchema(full('vendor'), { prefix: 'vendor' })).toEqual([]);
  });
});

interface Case {
  readonly rule: string;
  readonly why: string;
  readonly schema: unknown;
  readonly finds: readonly (readonly [code: string, at: string])[];
}

const deep = (at: number) => '/properties/inner'.repeat(at);

const cases: readonly Case[] = [
  { rule: '1', why: 'no object at all', schema: null, finds: [['root', '']] },
  { rule: '1', why: 'a list', schema: [object({})], finds: [['root', '']] },
  { rule: '1', why: 'a text', schema: '{"type":"object"}', finds: [['root', '']] },
  { rule: '1', why: 'an empty object', schema: {}, finds: [['root', '']] },
  { rule: '1', why: 'a scalar', schema: { type: ['string', 'null'] }, finds: [['root', '']] },
  { rule: '1', why: 'an array', schema: { type: 'array', items: text() }, finds: [['root', '']] },
  {
    rule: '1',
    why: 'properties without a type',
    schema: { properties: {}, additionalProperties: false },
    finds: [['root', '']],
  },
  ...['string', 'number', 'integer', 'boolean'].map((type) => ({
    rule: '2',
    why: `a ${type} without null`,
    schema: having({ type, ...described }),
    finds: [['not-nullable', '/properties/a/type']] as const,
  })),
  {
    rule: '2',
    why: 'a list of types without null',
    schema: having({ type: ['string'], ...described }),
    finds: [['not-nullable', '/properties/a/type']],
  },
  {
    rule: '2',
    why: 'the same in the properties of items, which are no items themselves',
    schema: having(array(object({ b: { type: 'string', ...described } }))),
    finds: [['not-nullable', '/properties/a/items/properties/b/type']],
  },
  ...[
    ['string', 'number', 'null'],
    ['null'],
    'null',
    'text',
    5,
    null,
    [],
    [['string'], 'null'],
    Array(9).fill('null'),
  ].map((type) => ({
    rule: '2',
    why: `the type ${JSON.stringify(type)}`,
    schema: having({ type, ...described }),
    finds: [['type', '/properties/a/type']] as const,
  })),
  { rule: '2', why: 'no type', schema: having(described), finds: [['type', '/properties/a']] },
  {
    rule: '3',
    why: 'an object that may be null',
    schema: having({ ...object({}), type: ['object', 'null'], ...described }),
    finds: [['nullable-container', '/properties/a/type']],
  },
  {
    rule: '3',
    why: 'a root that may be null',
    schema: object({}, { type: ['object', 'null'] }),
    finds: [['nullable-container', '/type']],
  },
  {
    rule: '3',
    why: 'an array that may be null',
    schema: having({ ...array(text()), type: ['null', 'array'] }),
    finds: [['nullable-container', '/properties/a/type']],
  },
  {
    rule: '3',
    why: 'an array of nothing known',
    schema: having({ type: 'array', ...described }),
    finds: [['items', '/properties/a']],
  },
  ...[true, null, [text()], 'string'].map((items) => ({
    rule: '3',
    why: `items that are ${JSON.stringify(items)}`,
    schema: having(array(items)),
    finds: [['items', '/properties/a/items']] as const,
  })),
  {
    rule: '3',
    why: 'an array of arrays',
    schema: having(array({ type: 'array', items: text() })),
    finds: [['items', '/properties/a/items']],
  },
  { rule: '4', why: 'level 6', schema: nested(6), finds: [['too-deep', deep(5)]] },
  { rule: '4', why: 'level 8, said once', schema: nested(8), finds: [['too-deep', deep(5)]] },
  {
    rule: '4',
    why: 'level 6 by way of arrays, on two ways down',
    schema: object({ a: array(nested(5)), b: array(nested(5)) }),
    finds: [
      ['too-deep', `/properties/a/items${deep(4)}`],
      ['too-deep', `/properties/b/items${deep(4)}`],
    ],
  },
  ...['', 'a b', 'a.b', 'é', 'a\n', 'a$', '٣'].map((name) => ({
    rule: '5',
    why: `the name ${JSON.stringify(name)}`,
    schema: object({ [name]: text() }),
    finds: [['property-name', `/properties/${name}`]] as const,
  })),
  {
    rule: '5',
    why: 'a name that a pointer has to escape',
    schema: object({ 'a/b~c': text() }),
    finds: [['property-name', '/properties/a~1b~0c']],
  },
  {
    rule: '6',
    why: 'no properties',
    schema: { type: 'object', required: [], additionalProperties: false },
    finds: [['properties', '']],
  },
  {
    rule: '6',
    why: 'properties that are a list',
    schema: { type: 'object', properties: [], additionalProperties: false },
    finds: [['properties', '/properties']],
  },
  {
    rule: '6',
    why: 'nothing required',
    schema: { type: 'object', properties: { a: text() }, additionalProperties: false },
    finds: [['required', '']],
  },
  {
    rule: '6',
    why: 'not everything required, far down',
    schema: having({ ...object({ b: text(), c: text() }), required: ['c'], ...described }),
    finds: [['required', '/properties/a/required']],
  },
  {
    rule: '6',
    why: 'required as draft 3 had it',
    schema: object({}, { required: true }),
    finds: [['malformed', '/required']],
  },
  {
    rule: '6',
    why: 'unknown, repeated and wrong names',
    schema: object({ a: text() }, { required: ['b', 'a', 'a', 7] }),
    finds: [
      ['required-unknown', '/required/0'],
      ['duplicate', '/required/2'],
      ['malformed', '/required/3'],
    ],
  },
  {
    rule: '6',
    why: 'a name that every object has by itself',
    schema: object({}, { required: ['toString'] }),
    finds: [['required-unknown', '/required/0']],
  },
  {
    rule: '6',
    why: 'open to more properties',
    schema: object({}, { additionalProperties: undefined }),
    finds: [['additional-properties', '']],
  },
  ...[true, {}, null, 'false'].map((additionalProperties) => ({
    rule: '6',
    why: `additionalProperties ${JSON.stringify(additionalProperties)}`,
    schema: object({}, { additionalProperties }),
    finds: [['additional-properties', '/additionalProperties']] as const,
  })),
  {
    rule: '7',
    why: 'choices without null',
    schema: having({ ...text(), enum: ['a', 'b'] }),
    finds: [['enum-null', '/properties/a/enum']],
  },
  {
    rule: '7',
    why: 'choices of items that may be null, without null',
    schema: having(array({ type: ['string', 'null'], enum: ['a'] })),
    finds: [['enum-null', '/properties/a/items/enum']],
  },
  {
    rule: '7',
    why: 'choices that are no texts',
    schema: having({ type: ['integer', 'null'], enum: [1, 2, null], ...described }),
    finds: [['enum-value', '/properties/a/enum/0']],
  },
  {
    rule: '7',
    why: 'texts as choices of a number',
    schema: having({ type: ['number', 'null'], enum: ['1', null], ...described }),
    finds: [['enum-type', '/properties/a/enum']],
  },
  {
    rule: '7',
    why: 'a choice twice',
    schema: having({ ...text(), enum: ['a', null, 'a', null] }),
    finds: [
      ['duplicate', '/properties/a/enum/2'],
      ['duplicate', '/properties/a/enum/3'],
    ],
  },
  {
    rule: '7',
    why: 'choices that are no list',
    schema: having({ ...text(), enum: 'a' }),
    finds: [['malformed', '/properties/a/enum']],
  },
  ...[
    ...['anyOf', 'oneOf', 'allOf', 'not', 'const', 'pattern', 'patternProperties', 'if', 'then'],
    ...['else', 'dependentSchemas', 'dependentRequired', 'dependencies', '$ref', '$defs'],
    ...['definitions', '$dynamicRef', 'prefixItems', 'contains', 'propertyNames'],
    ...['additionalItems', 'unevaluatedProperties', 'unevaluatedItems'],
  ].map((key) => ({
    rule: '8',
    why: key,
    schema: having({ ...text(), [key]: {} }),
    finds: [['unsupported', `/properties/a/${key}`]] as const,
  })),
  {
    rule: '8',
    why: 'a construct in the place of a type: one finding',
    schema: having({ anyOf: [{ type: 'string' }, { type: 'null' }], ...described }),
    finds: [['unsupported', '/properties/a/anyOf']],
  },
  {
    rule: '8',
    why: 'a keyword of nobody, and one of another service',
    schema: having({ ...text(), minLength: 2, 'extend:type': 'date', 'service:typ': 'date' }),
    finds: [
      ['unknown-keyword', '/properties/a/minLength'],
      ['foreign-keyword', '/properties/a/extend:type'],
      ['foreign-keyword', '/properties/a/service:typ'],
    ],
  },
  {
    rule: '8',
    why: 'a keyword of another type',
    schema: having({ ...text(), items: text(), properties: { b: 5 } }),
    finds: [
      ['misplaced', '/properties/a/properties'],
      ['misplaced', '/properties/a/items'],
    ],
  },
  {
    rule: '9',
    why: 'no description of fields of every type',
    schema: object({
      a: { type: ['string', 'null'] },
      b: { ...array({ type: 'string' }), description: ' ' },
      c: object({}),
    }),
    finds: [
      ['no-description', '/properties/a'],
      ['no-description', '/properties/b'],
      ['no-description', '/properties/c'],
    ],
  },
  {
    rule: '9',
    why: 'a description that is no text, of the root too',
    schema: object({ a: { type: ['string', 'null'], description: 5 } }, { description: [] }),
    finds: [
      ['malformed', '/description'],
      ['malformed', '/properties/a/description'],
    ],
  },
  ...['time', null, true, ['date']].map((type) => ({
    rule: 'service:type',
    why: `is ${JSON.stringify(type)}`,
    schema: having({ ...text(), 'service:type': type }),
    finds: [['special-type', '/properties/a/service:type']] as const,
  })),
  {
    rule: 'service:type',
    why: 'a date that is a number',
    schema: having({ type: ['number', 'null'], 'service:type': 'date', ...described }),
    finds: [['date', '/properties/a/service:type']],
  },
  ...['currency', 'signature'].map((special) => ({
    rule: 'service:type',
    why: `a ${special} that is a text`,
    schema: having({ ...text(), 'service:type': special }),
    finds: [[special, '/properties/a/service:type']] as const,
  })),
  {
    rule: 'service:type',
    why: 'a currency without its code',
    schema: having(
      object(
        { amount: { type: ['number', 'null'] } },
        { 'service:type': 'currency', ...described },
      ),
    ),
    finds: [['currency', '/properties/a/service:type']],
  },
  {
    rule: 'service:type',
    why: 'a currency whose amount is a text',
    schema: having(
      object(
        { ...currency().properties, amount: text() },
        { 'service:type': 'currency', ...described },
      ),
    ),
    finds: [['currency', '/properties/a/service:type']],
  },
  {
    rule: 'service:type',
    why: 'a signature with a property more',
    schema: having(
      object(
        { ...signature().properties, place: text() },
        { 'service:type': 'signature', ...described },
      ),
    ),
    finds: [['extra-part', '/properties/a/service:type']],
  },
  {
    rule: 'service:descriptions',
    why: 'without choices',
    schema: having({ ...text(), 'service:descriptions': [] }),
    finds: [['descriptions-alone', '/properties/a/service:descriptions']],
  },
  ...[[], ['one'], ['one', 'two', 'three']].map((descriptions) => ({
    rule: 'service:descriptions',
    why: `${descriptions.length} of them for two choices and null`,
    schema: having({ ...text(), enum: ['a', 'b', null], 'service:descriptions': descriptions }),
    finds: [['descriptions-count', '/properties/a/service:descriptions']] as const,
  })),
  ...['one', [null, 'two'], { a: 'one' }].map((descriptions) => ({
    rule: 'service:descriptions',
    why: `of the wrong kind: ${JSON.stringify(descriptions)}`,
    schema: having({ ...text(), enum: ['a', 'b', null], 'service:descriptions': descriptions }),
    finds: [['malformed', '/properties/a/service:descriptions']] as const,
  })),
  ...[5, '', '  ', null].map((name) => ({
    rule: 'service:name',
    why: `is ${JSON.stringify(name)}`,
    schema: having({ ...text(), 'service:name': name }),
    finds: [['malformed', '/properties/a/service:name']] as const,
  })),
  ...[true, 'string', null, [], 7].map((schema) => ({
    rule: 'shape',
    why: `a property that is ${JSON.stringify(schema)}`,
    schema: having(schema),
    finds: [['not-a-schema', '/properties/a']] as const,
  })),
];

describe('a rule finds', () => {
  for (const { rule, why, schema, finds } of cases) {
    it(`${rule}: ${why}`, () => expect(codes(schema)).toEqual(finds));
  }

  it('everything at once, parents before children, in the order of the document', () => {
    const schema: Loose = full();
    schema.additionalProperties = true;
    schema.properties.text.type = 'string';
    schema.properties.lines.items.properties.name.pattern = '^a';
    schema.properties.lines.items.required = [];
    expect(codes(schema)).toEqual([
      ['additional-properties', '/additionalProperties'],
      ['not-nullable', '/properties/text/type'],
      ['required', '/properties/lines/items/required'],
      ['unsupported', '/properties/lines/items/properties/name/pattern'],
    ]);
  });
});

describe('schemas of strangers', () => {
  it.each([
    ['objects', (inner: unknown) => object({ a: inner }, described)],
    ['arrays', (inner: unknown) => array(inner)],
    ['both', (inner: unknown) => object({ a: array(inner) }, described)],
  ])('is refused when it is deep: %s', (_, wrap) => {
    let schema: unknown = text();
    for (let level = 0; level < 20_000; level += 1) schema = wrap(schema);
    const findings = lintExtractionSchema(object({ a: schema }));
    expect(findings.filter(({ severity }) => severity === 'error').length).toBeGreaterThan(0);
    expect(findings.length).toBeLessThan(200);
  });

  it('takes no field from the prototype', () => {
    const schema = object({ a: Object.create(text()) });
    expect(codes(schema)).toEqual([
      ['type', '/properties/a'],
      ['no-description', '/properties/a'],
    ]);
  });

  it('shows texts of the schema short and escaped', () => {
    const name = `\u202e\u0007"${'x'.repeat(500)}`;
    const [finding] = lintExtractionSchema(object({ [name]: text() }));
    expect(finding?.message.length).toBeLessThan(200);
    expect(finding?.message).toMatch(/^[\x20-\x7e…]+$/);
    expect(finding?.at).toBe(`/properties/${name}`);
  });

  it('shows a name that looks like a pattern of replacement as it is', () => {
    const [finding] = lintExtractionSchema(object({ '$&%': text() }));
    expect(finding?.message).toContain('"$&%"');
  });
});

it('every code is provoked above, and has the weight that is said of it', () => {
  const provoked = new Set(
    cases.flatMap(({ finds }) => finds.map(([code]) => `extraction/${code}`)),
  );
  expect([...provoked].sort()).toEqual(Object.keys(catalogue).sort());
  for (const { schema } of cases) {
    for (const { code, severity } of lintExtractionSchema(schema)) {
      expect(severity).toBe(catalogue[code][0]);
    }
  }
  const light = Object.entries(catalogue).flatMap(([code, [weight]]) =>
    weight === 'info' ? code : [],
  );
  expect(light).toEqual(['extraction/unknown-keyword', 'extraction/no-description']);
});
