/** Each rule of extraction schemas: what it allows, what it finds, and where. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lintExtractionSchema } from '../../../src/documents-schemas.js';

// biome-ignore lint/suspicious/noExplicitAny: tests put every kind of value everywhere.
type Loose = any;

const text = { type: ['string', 'null'], description: 'A text.' };

function object(properties: object, more: object = {}): Loose {
  const required = Object.keys(properties);
  return { type: 'object', properties, required, additionalProperties: false, ...more };
}

const scalar = (type: string) => ({ type: [type, 'null'] });
const amounts = { amount: scalar('number'), iso_4217_currency_code: scalar('string') };
const currency = object(amounts, { 'service:type': 'currency', description: 'd' });
const signature = object(
  {
    printed_name: scalar('string'),
    signature_date: { ...scalar('string'), 'service:type': 'date' },
    is_signed: scalar('boolean'),
    title_or_role: scalar('string'),
  },
  { 'service:type': 'signature', description: 'd' },
);

/** An object in `levels - 1` others. */
const nested = (levels: number): Loose =>
  object(levels > 1 ? { inner: { description: 'd', ...nested(levels - 1) } } : { leaf: text });

const array = (items: unknown) => ({ type: 'array', items, description: 'd' });

/** What a text in a case stands for. */
const shorthands = new Map<unknown, unknown>([
  ['@text', text],
  ['@currency', currency],
  ['@signature', signature],
  ['@amount', amounts.amount],
  ['@amounts', { ...amounts, amount: text }],
  ['@cents', object({ ...amounts, amount: scalar('integer') }, { 'service:type': 'currency' })],
]);

/**
 * Schemas, each with the same findings as `code /place`; none where there is nothing behind the
 * arrow. `a:` is a property a of that schema, with a description; `object:` the properties of an
 * object; `root:` an object with a property a, and what is different of it.
 */
const cases = `
null | [] | "{}" | {} | {"type":["string","null"]} => root
{"type":"array","items":"@text"} | {"properties":{},"additionalProperties":false} => root
object: {} | {"a":"@currency"} | {"a-2_":"@signature"} | {"a":{"type":["null","integer"],"description":"d"}} =>
a: {"type":"array","items":"@currency"} | {"type":"array","items":"@cents"} | {"type":"array","items":{"type":["string","null"]}} | {"type":["boolean","null"]} =>
a: {"type":["string","null"],"enum":["a","b",null],"service:descriptions":["x","y"],"service:name":"Kind"} =>
root: {"$schema":"x","$id":"y","$comment":"z","title":"t"} =>
a: {"type":"string"} | {"type":"integer"} | {"type":["boolean"]} => not-nullable /properties/a/type
a: {"type":["string","number","null"]} | {"type":["null"]} | {"type":"null"} => type /properties/a/type
a: {"type":"text"} | {"type":5} | {"type":null} | {"type":[["string"],"null"]} => type /properties/a/type
a: {} => type /properties/a
a: {"type":["object","null"],"properties":{},"additionalProperties":false} => nullable-container /properties/a/type
a: {"type":["array","null"],"items":"@text"} => nullable-container /properties/a/type
root: {"type":["object","null"]} => nullable-container /type
a: {"type":"array"} => items /properties/a
a: {"type":"array","items":true} | {"type":"array","items":["@text"]} => items /properties/a/items
a: {"type":"array","items":{"type":"array","items":"@text"}} => items /properties/a/items
object: {"a b":"@text"} => property-name /properties/a b
object: {"":"@text"} => property-name /properties/
object: {"é":"@text"} => property-name /properties/é
object: {"a\\n":"@text"} => property-name /properties/a\\n
object: {"a/b~c":"@text"} => property-name /properties/a~1b~0c
{"type":"object","required":[],"additionalProperties":false} => properties
root: {"properties":[],"required":[]} => malformed /properties
{"type":"object","properties":{"a":"@text"},"additionalProperties":false} => required /properties/a
root: {"properties":{"a":"@text","b":"@text"}} => required /properties/b
root: {"required":true} => malformed /required, required /properties/a
root: {"required":["a",7]} => malformed /required, required-names /required
root: {"required":["a","a"]} | {"required":["a","b"]} | {"required":["a","toString"]} => required-names /required
{"type":"object","properties":{}} => additional-properties
root: {"additionalProperties":true} | {"additionalProperties":"false"} => additional-properties /additionalProperties
a: {"type":["string","null"],"enum":["a","b"]} => enum-null /properties/a/enum
a: {"type":"array","items":{"type":["string","null"],"enum":["a"]}} => enum-null /properties/a/items/enum
a: {"type":"array","items":{"type":"number"}} => not-nullable /properties/a/items/type
a: {"type":"array","items":{"type":"string","enum":["a"]}} => not-nullable /properties/a/items/type, enum-null /properties/a/items/enum
a: {"type":["string","null"],"enum":["1",2,null]} => enum-value /properties/a/enum/1
a: {"type":["number","null"],"enum":["1",null]} => enum-type /properties/a/enum
a: {"enum":"a"} => malformed /properties/a/enum
a: {"anyOf":[{"type":"string"},{"type":"null"}]} => type /properties/a, unsupported /properties/a/anyOf
object: {"a":{"type":["string","null"]},"b":{"type":"array","items":"@text","description":" "}} => no-description /properties/a, no-description /properties/b
object: {"a":{"type":["string","null"],"description":5}} => malformed /properties/a/description
root: {"description":[]} => malformed /description
a: {"type":["string","null"],"service:type":"time"} => special-type /properties/a/service:type
a: {"type":["string","null"],"service:type":["date"]} => special-type /properties/a/service:type
a: {"type":["number","null"],"service:type":"date"} => date /properties/a/service:type
a: {"type":["string","null"],"service:type":"currency"} => currency /properties/a/service:type
a: {"type":["string","null"],"service:type":"signature"} => signature /properties/a/service:type
a: {"type":"object","properties":{"amount":"@amount"},"required":["amount"],"additionalProperties":false,"service:type":"currency"} => currency /properties/a/service:type
a: {"type":"object","properties":"@amounts","required":["amount","iso_4217_currency_code"],"additionalProperties":false,"service:type":"currency"} => currency /properties/a/service:type
a: {"enum":["a","b",null],"service:descriptions":["one","two"]} =>
a: {"type":["string","null"],"service:descriptions":["one"]} => descriptions-count /properties/a/service:descriptions
a: {"enum":["a","b",null],"service:descriptions":["one"]} => descriptions-count /properties/a/service:descriptions
a: {"enum":["a","b",null],"service:descriptions":"one"} => malformed /properties/a/service:descriptions
a: {"enum":["a","b",null],"service:descriptions":[null,"two"]} => malformed /properties/a/service:descriptions
a: {"type":["string","null"],"service:name":5} => malformed /properties/a/service:name
a: {"type":["string","null"],"service:name":" "} => malformed /properties/a/service:name
object: {"a":true} | {"a":"string"} | {"a":null} | {"a":[]} => not-a-schema /properties/a
`
  .trim()
  .split('\n')
  .flatMap((line) => {
    const [, form = '', schemas = '', finds = ''] = /^(\w+: )?(.*) =>(.*)$/.exec(line) ?? [];
    return schemas.split(' | ').map((schema) => [form + schema, finds.trim()] as const);
  });

function schemaOf(written: string): unknown {
  const [, form, json = ''] = /^(?:(a|object|root): )?(.*)$/.exec(written) ?? [];
  const value: Loose = JSON.parse(json, (_, each) => shorthands.get(each) ?? each);
  if (form === 'a') return object({ a: { description: 'd', ...value } });
  if (form === 'object') return object(value);
  return form === 'root' ? object({ a: text }, value) : value;
}

const findingsIn = (schema: unknown) =>
  lintExtractionSchema(schema).map(({ code, at }) => {
    const place = at.replaceAll('\n', '\\n');
    return `${code.replace('extraction/', '')} ${place}`.trim();
  });

it.each(cases)('%s finds %s', (written, finds) => {
  expect(findingsIn(schemaOf(written)).join(', ')).toBe(finds);
});

it.each([
  ...['anyOf', 'oneOf', 'allOf', 'not', 'const', 'pattern', 'patternProperties', 'if', '$ref'],
  ...['then', 'else', '$defs', 'definitions', 'prefixItems', 'contains', 'propertyNames'],
])('%s is not supported', (key) => {
  const schema = object({ a: { ...text, [key]: {} } });
  expect(findingsIn(schema)).toEqual([`unsupported /properties/a/${key}`]);
});

it('keywords of the service have its prefix', () => {
  const schema = JSON.parse(JSON.stringify(object({ a: currency })).replaceAll('service:', 'v:'));
  expect(lintExtractionSchema(schema, { prefix: 'v' })).toEqual([]);
  const wrong = object({ a: { ...text, 'v:type': 'currency', 'v:name': '' } });
  const codes = lintExtractionSchema(wrong, { prefix: 'v' }).map(({ at }) => at);
  expect(codes).toEqual(['/properties/a/v:name', '/properties/a/v:type']);
});

it('objects are allowed down to level 5, arrays add no level, and deeper ones give one finding', () => {
  const deep = '/properties/inner';
  expect(findingsIn(nested(5))).toEqual([]);
  expect(findingsIn(object({ a: array(object({ b: array(nested(3)) })) }))).toEqual([]);
  expect(findingsIn(nested(6))).toEqual([`too-deep ${deep.repeat(5)}`]);
  expect(findingsIn(nested(8))).toEqual([`too-deep ${deep.repeat(5)}`]);
  expect(findingsIn(object({ a: array(nested(5)), b: array(nested(5)) }))).toEqual([
    `too-deep /properties/a/items${deep.repeat(4)}`,
    `too-deep /properties/b/items${deep.repeat(4)}`,
  ]);
});

describe('untrusted schemas', () => {
  it('are refused if they are too deep', () => {
    let schema: unknown = text;
    for (let level = 0; level < 20_000; level += 1) schema = object({ a: array(schema) });
    const codes = lintExtractionSchema(schema).map(({ code }) => code);
    expect(codes).toContain('extraction/too-deep');
    expect(codes.length).toBeLessThan(200);
  });

  it('are quoted short and escaped, and replacement patterns have no effect', () => {
    const name = `\u202e\u0007"$&%${'x'.repeat(500)}`;
    const [finding] = lintExtractionSchema(object({ [name]: text }));
    expect(finding?.message.length).toBeLessThan(200);
    expect(finding?.message).toMatch(/^[\x20-\x7e…]+$/);
    expect(finding?.message).toContain('$&%');
    expect(finding?.at).toBe(`/properties/${name}`);
  });

  it('are read to the end, whatever their keywords contain', () => {
    const keys = fc.constantFrom(
      ...['type', 'properties', 'items', 'enum', 'required', 'description'],
      ...['service:type', 'service:descriptions', 'service:name'],
    );
    const words = fc.constantFrom('object', 'array', 'string', 'null', 'currency', 'date');
    const schemas = fc.object({ key: keys, values: [words, fc.anything()], maxDepth: 5 });
    fc.assert(
      fc.property(fc.oneof(schemas, fc.anything()), (schema) => {
        for (const { at } of lintExtractionSchema(schema)) expect(at).toMatch(/^(?:\/|$)/);
      }),
      { numRuns: 100 },
    );
  });
});

it('every finding except a missing description is an error', () => {
  const findings = cases.flatMap(([written]) => lintExtractionSchema(schemaOf(written)));
  const lighter = findings.filter(({ severity }) => severity !== 'error');
  expect([...new Set(lighter.map(({ code }) => code))]).toEqual(['extraction/no-description']);
});
