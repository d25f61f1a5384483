/** Each rule of extraction schemas: what it allows, what it finds, and where. */
import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../../src/adapters/documents/extraction-schema/finding.js';
import { lintExtractionSchema } from '../../../../src/documents-schemas.js';
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

type Finds = readonly (readonly [code: string, at: string])[];

/** The rule and why it is broken, a schema, and what is found. */
type Case = readonly [why: string, schema: unknown, finds: Finds];

const named = (...each: Case): Case => each;

const deep = (at: number) => '/properties/inner'.repeat(at);

const cases: readonly Case[] = [
  ['1: no object at all', null, [['root', '']]],
  ['1: a list', [object({})], [['root', '']]],
  ['1: a text', '{"type":"object"}', [['root', '']]],
  ['1: an empty object', {}, [['root', '']]],
  ['1: a scalar', { type: ['string', 'null'] }, [['root', '']]],
  ['1: an array', { type: 'array', items: text() }, [['root', '']]],
  ['1: properties without a type', { properties: {}, additionalProperties: false }, [['root', '']]],
  ...['string', 'number', 'integer', 'boolean'].map((type) =>
    named(`2: a ${type} without null`, having({ type, ...described }), [
      ['not-nullable', '/properties/a/type'],
    ]),
  ),
  [
    '2: a list of types without null',
    having({ type: ['string'], ...described }),
    [['not-nullable', '/properties/a/type']],
  ],
  [
    '2: the same in the properties of items, which are no items themselves',
    having(array(object({ b: { type: 'string', ...described } }))),
    [['not-nullable', '/properties/a/items/properties/b/type']],
  ],
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
  ].map((type) =>
    named(`2: the type ${JSON.stringify(type)}`, having({ type, ...described }), [
      ['type', '/properties/a/type'],
    ]),
  ),
  ['2: no type', having(described), [['type', '/properties/a']]],
  [
    '3: an object that may be null',
    having({ ...object({}), type: ['object', 'null'], ...described }),
    [['nullable-container', '/properties/a/type']],
  ],
  [
    '3: a root that may be null',
    object({}, { type: ['object', 'null'] }),
    [['nullable-container', '/type']],
  ],
  [
    '3: an array that may be null',
    having({ ...array(text()), type: ['null', 'array'] }),
    [['nullable-container', '/properties/a/type']],
  ],
  [
    '3: an array of nothing known',
    having({ type: 'array', ...described }),
    [['items', '/properties/a']],
  ],
  ...[true, null, [text()], 'string'].map((items) =>
    named(`3: items that are ${JSON.stringify(items)}`, having(array(items)), [
      ['items', '/properties/a/items'],
    ]),
  ),
  [
    '3: an array of arrays',
    having(array({ type: 'array', items: text() })),
    [['items', '/properties/a/items']],
  ],
  ['4: level 6', nested(6), [['too-deep', deep(5)]]],
  ['4: level 8, said once', nested(8), [['too-deep', deep(5)]]],
  [
    '4: level 6 by way of arrays, on two ways down',
    object({ a: array(nested(5)), b: array(nested(5)) }),
    [
      ['too-deep', `/properties/a/items${deep(4)}`],
      ['too-deep', `/properties/b/items${deep(4)}`],
    ],
  ],
  ...['', 'a b', 'a.b', 'é', 'a\n', 'a$', '٣'].map((name) =>
    named(`5: the name ${JSON.stringify(name)}`, object({ [name]: text() }), [
      ['property-name', `/properties/${name}`],
    ]),
  ),
  [
    '5: a name that a pointer has to escape',
    object({ 'a/b~c': text() }),
    [['property-name', '/properties/a~1b~0c']],
  ],
  [
    '6: no properties',
    { type: 'object', required: [], additionalProperties: false },
    [['properties', '']],
  ],
  [
    '6: properties that are a list',
    { type: 'object', properties: [], additionalProperties: false },
    [['properties', '/properties']],
  ],
  [
    '6: nothing required',
    { type: 'object', properties: { a: text() }, additionalProperties: false },
    [['required', '']],
  ],
  [
    '6: not everything required, far down',
    having({ ...object({ b: text(), c: text() }), required: ['c'], ...described }),
    [['required', '/properties/a/required']],
  ],
  ['6: required as draft 3 had it', object({}, { required: true }), [['malformed', '/required']]],
  [
    '6: unknown, repeated and wrong names',
    object({ a: text() }, { required: ['b', 'a', 'a', 7] }),
    [
      ['required-unknown', '/required/0'],
      ['duplicate', '/required/2'],
      ['malformed', '/required/3'],
    ],
  ],
  [
    '6: a name that every object has by itself',
    object({}, { required: ['toString'] }),
    [['required-unknown', '/required/0']],
  ],
  [
    '6: open to more properties',
    object({}, { additionalProperties: undefined }),
    [['additional-properties', '']],
  ],
  ...[true, {}, null, 'false'].map((additionalProperties) =>
    named(
      `6: additionalProperties ${JSON.stringify(additionalProperties)}`,
      object({}, { additionalProperties }),
      [['additional-properties', '/additionalProperties']],
    ),
  ),
  [
    '7: choices without null',
    having({ ...text(), enum: ['a', 'b'] }),
    [['enum-null', '/properties/a/enum']],
  ],
  [
    '7: choices of items that may be null, without null',
    having(array({ type: ['string', 'null'], enum: ['a'] })),
    [['enum-null', '/properties/a/items/enum']],
  ],
  [
    '7: choices that are no texts',
    having({ type: ['integer', 'null'], enum: [1, 2, null], ...described }),
    [['enum-value', '/properties/a/enum/0']],
  ],
  [
    '7: texts as choices of a number',
    having({ type: ['number', 'null'], enum: ['1', null], ...described }),
    [['enum-type', '/properties/a/enum']],
  ],
  [
    '7: a choice twice',
    having({ ...text(), enum: ['a', null, 'a', null] }),
    [
      ['duplicate', '/properties/a/enum/2'],
      ['duplicate', '/properties/a/enum/3'],
    ],
  ],
  [
    '7: choices that are no list',
    having({ ...text(), enum: 'a' }),
    [['malformed', '/properties/a/enum']],
  ],
  ...[
    ...['anyOf', 'oneOf', 'allOf', 'not', 'const', 'pattern', 'patternProperties', 'if', 'then'],
    ...['else', 'dependentSchemas', 'dependentRequired', 'dependencies', '$ref', '$defs'],
    ...['definitions', '$dynamicRef', 'prefixItems', 'contains', 'propertyNames'],
    ...['additionalItems', 'unevaluatedProperties', 'unevaluatedItems'],
  ].map((key) =>
    named(`8: ${key}`, having({ ...text(), [key]: {} }), [['unsupported', `/properties/a/${key}`]]),
  ),
  [
    '8: a construct in the place of a type: one finding',
    having({ anyOf: [{ type: 'string' }, { type: 'null' }], ...described }),
    [['unsupported', '/properties/a/anyOf']],
  ],
  [
    '8: a keyword of nobody, and one of another service',
    having({ ...text(), minLength: 2, 'extend:type': 'date', 'service:typ': 'date' }),
    [
      ['unknown-keyword', '/properties/a/minLength'],
      ['foreign-keyword', '/properties/a/extend:type'],
      ['foreign-keyword', '/properties/a/service:typ'],
    ],
  ],
  [
    '8: a keyword of another type',
    having({ ...text(), items: text(), properties: { b: 5 } }),
    [
      ['misplaced', '/properties/a/properties'],
      ['misplaced', '/properties/a/items'],
    ],
  ],
  [
    '9: no description of fields of every type',
    object({
      a: { type: ['string', 'null'] },
      b: { ...array({ type: 'string' }), description: ' ' },
      c: object({}),
    }),
    [
      ['no-description', '/properties/a'],
      ['no-description', '/properties/b'],
      ['no-description', '/properties/c'],
    ],
  ],
  [
    '9: a description that is no text, of the root too',
    object({ a: { type: ['string', 'null'], description: 5 } }, { description: [] }),
    [
      ['malformed', '/description'],
      ['malformed', '/properties/a/description'],
    ],
  ],
  ...['time', null, true, ['date']].map((type) =>
    named(`service:type: is ${JSON.stringify(type)}`, having({ ...text(), 'service:type': type }), [
      ['special-type', '/properties/a/service:type'],
    ]),
  ),
  [
    'service:type: a date that is a number',
    having({ type: ['number', 'null'], 'service:type': 'date', ...described }),
    [['date', '/properties/a/service:type']],
  ],
  ...['currency', 'signature'].map((special) =>
    named(
      `service:type: a ${special} that is a text`,
      having({ ...text(), 'service:type': special }),
      [[special, '/properties/a/service:type']],
    ),
  ),
  [
    'service:type: a currency without its code',
    having(
      object(
        { amount: { type: ['number', 'null'] } },
        { 'service:type': 'currency', ...described },
      ),
    ),
    [['currency', '/properties/a/service:type']],
  ],
  [
    'service:type: a currency whose amount is a text',
    having(
      object(
        { ...currency().properties, amount: text() },
        { 'service:type': 'currency', ...described },
      ),
    ),
    [['currency', '/properties/a/service:type']],
  ],
  [
    'service:type: a signature with a property more',
    having(
      object(
        { ...signature().properties, place: text() },
        { 'service:type': 'signature', ...described },
      ),
    ),
    [['extra-part', '/properties/a/service:type']],
  ],
  [
    'service:descriptions: without choices',
    having({ ...text(), 'service:descriptions': [] }),
    [['descriptions-alone', '/properties/a/service:descriptions']],
  ],
  ...[[], ['one'], ['one', 'two', 'three']].map((descriptions) =>
    named(
      `service:descriptions: ${descriptions.length} of them for two choices and null`,
      having({ ...text(), enum: ['a', 'b', null], 'service:descriptions': descriptions }),
      [['descriptions-count', '/properties/a/service:descriptions']],
    ),
  ),
  ...['one', [null, 'two'], { a: 'one' }].map((descriptions) =>
    named(
      `service:descriptions: of the wrong kind: ${JSON.stringify(descriptions)}`,
      having({ ...text(), enum: ['a', 'b', null], 'service:descriptions': descriptions }),
      [['malformed', '/properties/a/service:descriptions']],
    ),
  ),
  ...[5, '', '  ', null].map((name) =>
    named(`service:name: is ${JSON.stringify(name)}`, having({ ...text(), 'service:name': name }), [
      ['malformed', '/properties/a/service:name'],
    ]),
  ),
  ...[true, 'string', null, [], 7].map((schema) =>
    named(`shape: a property that is ${JSON.stringify(schema)}`, having(schema), [
      ['not-a-schema', '/properties/a'],
    ]),
  ),
];

describe('a rule finds', () => {
  it.each(cases)('%s', (_, schema, finds) => expect(codes(schema)).toEqual(finds));

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
    cases.flatMap(([, , finds]) => finds.map(([code]) => `extraction/${code}`)),
  );
  expect([...provoked].sort()).toEqual(Object.keys(catalogue).sort());
  for (const [, schema] of cases) {
    for (const { code, severity } of lintExtractionSchema(schema)) {
      expect(severity).toBe(catalogue[code][0]);
    }
  }
  const light = Object.entries(catalogue).flatMap(([code, [weight]]) =>
    weight === 'info' ? code : [],
  );
  expect(light).toEqual(['extraction/unknown-keyword', 'extraction/no-description']);
});
