/** What the form lets through is what the compiler takes. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/index.js';
import type { Schema, Value } from '../../../src/report/client/answers-file.js';
import { answersFile } from '../../../src/report/client/answers-file.js';
import { faultOf } from '../../../src/report/client/check-value.js';
import { listFolders, readCase } from '../../golden/cases.js';
import { runs, seed } from '../../seed.js';

/** Every schema that the questions of the golden cases have. */
const schemas = [
  ...new Map(
    listFolders()
      .flatMap((name) => readCase(name) ?? [])
      .flatMap(({ reading, options }) => compile(reading.workflow, options).questions)
      .flatMap(({ choices }) => choices.flatMap(({ value }) => value ?? []))
      .map((schema) => [JSON.stringify(schema), schema as Schema]),
  ).values(),
];

const values: fc.Arbitrary<Value> = fc.oneof(
  fc.constantFrom<Value>('+4930123456', 'sip:a@b', 'GET', 'bills.get', 'x', '', 5, 0, 1.5, null),
  fc.constantFrom<Value>(
    { url: 'https://example.test', method: 'GET' },
    { url: 'u', method: 'GET', headers: { a: 'b' }, timeoutSeconds: 5 },
    { url: 'u', method: 'GET', headers: { a: 1 }, timeoutSeconds: 500 },
    { header: 'Authorization', secret: 'token' },
    { header: 'a b', secret: 'token' },
    { header: 'a', secret: 'b', more: 1 },
    { operation: 'bills.get' },
    { operation: 'bills.get', bind: { a: 1 } },
    { operation: 'bills.get', bind: 'text' },
    { credentialId: '' },
    { tool: 'lookup' },
    {},
    [],
    [['a', 'b'], ['a']],
    [['a', 'a']],
    [[]],
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Value>,
);

describe('the check of a value', () => {
  it('agrees with a validator of JSON Schema on every schema that questions have', () => {
    expect(schemas.length).toBeGreaterThan(10);
    const ajv = new Ajv2020({ strict: false, unicodeRegExp: true });
    for (const schema of schemas) {
      const validate = ajv.compile(schema as object);
      const own = (Array.isArray(schema.enum) ? schema.enum : []) as Value[];
      const items = schema.items as Schema | undefined;
      const ids = ((items?.items as Schema | undefined)?.enum ?? []) as Value[];
      const fitting = fc.oneof(values, fc.constantFrom<Value>('none', ...own), fc.constant([ids]));
      fc.assert(
        fc.property(fitting, (value) => {
          expect(faultOf(schema, value) === null).toBe(validate(value));
        }),
        { seed, numRuns: runs(60) },
      );
    }
  });

  it('says what is wrong, and where', () => {
    const schema = {
      type: 'object',
      properties: { url: { type: 'string', minLength: 1 } },
      required: ['url'],
    };
    expect(faultOf(schema, undefined)).toBe('a value is needed');
    expect(faultOf(schema, {})).toBe('url: a value is needed');
    expect(faultOf(schema, { url: 1 })).toBe('url: this must be a text');
    const number = { type: 'string', pattern: '^\\+', description: 'a phone number' };
    expect(faultOf(number, '030')).toBe('this is not a phone number');
  });
});

describe('the answers file', () => {
  it('names the workflow, the questions and their subjects', () => {
    const text = answersFile('clinic-00c0ffee', [
      { id: 'a', choice: 'none', value: undefined, subject: 's1' },
      { id: '__proto__', choice: 'sip', value: 'sip:a@b', subject: 's2' },
    ]);
    expect(text).toBe(`{
  "policies": {},
  "workflows": {
    "clinic-00c0ffee": {
      "answers": {
        "a": {
          "choice": "none",
          "subject": "s1"
        },
        "__proto__": {
          "choice": "sip",
          "value": "sip:a@b",
          "subject": "s2"
        }
      }
    }
  }
}
`);
  });
});
