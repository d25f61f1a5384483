/** The schemas that models and the handler get: right, closed, bounded, and free of what is bound. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parametersLeft } from '../../../src/adapters/tools/table.js';
import type { ToolDefinition } from '../../../src/adapters/tools/tool.js';
import { parametersSchema, toolDefinitions } from '../../../src/tools.js';
import { exampleOf } from './examples.js';

const tools = Object.values(toolDefinitions);
const tool = (operation: string) => toolDefinitions[operation] ?? expect.fail(operation);

const ajv = new Ajv2020({ strict: true, strictRequired: true, unicodeRegExp: true });
const validator = (schema: object) => ajv.compile(schema);

const accepts = (operation: string, value: unknown, bound: readonly string[] = []) =>
  validator(parametersSchema(tool(operation), bound))(value);

const callers = ({ parameters }: ToolDefinition) =>
  parameters.filter(({ from }) => from === 'caller').map(({ name }) => name);

const examples = (definition: ToolDefinition, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, exampleOf(definition, name)]));

describe('the schema of a tool', () => {
  it.each(tools)('$operation: has what a caller may say, and no more', (definition) => {
    const schema = parametersSchema(definition);
    expect(Object.keys(schema.properties)).toEqual(callers(definition));
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema.required).toEqual(
      definition.parameters
        .filter(({ from, required }) => from === 'caller' && required)
        .map(({ name }) => name),
    );
    expect(validator(schema)(examples(definition, callers(definition)))).toBe(true);
  });

  it.each(tools)('$operation: refuses what is bound, unknown or of the prototype', (definition) => {
    const valid = validator(parametersSchema(definition));
    const right = examples(definition, callers(definition));
    expect(valid(right)).toBe(true);
    const foreign = definition.parameters.filter(({ from }) => from === 'binding');
    for (const { name } of foreign) expect(valid({ ...right, [name]: 'x' }), name).toBe(false);
    for (const name of ['__proto__', 'constructor', 'toString', 'entry2']) {
      const hostile: object = JSON.parse(`{ ${JSON.stringify(name)}: 1 }`);
      expect(
        valid(Object.defineProperties({ ...right }, Object.getOwnPropertyDescriptors(hostile))),
        name,
      ).toBe(false);
    }
  });

  it.each(tools)('$operation: bounds every value, bound ones too', ({ parameters }) => {
    for (const { name, schema } of parameters) {
      expect(boundless(schema), name).toEqual([]);
      expect(() => validator(schema), name).not.toThrow();
    }
  });

  it.each(tools)('$operation: takes only values that the whole table calls right', (definition) => {
    for (const { name, schema } of definition.parameters) {
      expect(validator(schema)(exampleOf(definition, name)), name).toBe(true);
    }
  });

  it('has one type for each value, and choices as texts: models are given no other', () => {
    for (const definition of tools) {
      for (const property of Object.values(parametersSchema(definition).properties)) {
        expect(property['type']).toMatch(/^(?:string|number|integer|boolean)$/);
        const choices = (property['enum'] ?? []) as readonly unknown[];
        expect(choices.every((choice) => typeof choice === 'string')).toBe(true);
        expect(property['description']).toMatch(/\.$/);
      }
    }
  });
});

/** Places of a schema where a value may be as long, as many or as great as it likes. */
function boundless(schema: Readonly<Record<string, unknown>>, at = ''): string[] {
  if ('const' in schema || 'enum' in schema) return [];
  const below = ['items', 'propertyNames', 'additionalProperties'].flatMap((key) => {
    const inner = schema[key];
    return inner instanceof Object
      ? boundless(
          { type: key === 'propertyNames' ? 'string' : undefined, ...inner },
          `${at}/${key}`,
        )
      : [];
  });
  const choices = ((schema['anyOf'] ?? []) as Record<string, unknown>[]).flatMap((each, index) =>
    boundless(each, `${at}/anyOf/${index}`),
  );
  const named = Object.entries(
    (schema['properties'] ?? {}) as Record<string, Record<string, unknown>>,
  );
  const members = named.flatMap(([key, each]) => boundless(each, `${at}/${key}`));
  const bound = bounds[`${schema['type']}`];
  const missing = bound?.filter((key) => !(key in schema)) ?? [];
  const open = schema['type'] === 'object' && schema['additionalProperties'] !== false;
  return [
    ...(schema['type'] !== 'object' || open ? missing.map((key) => `${at} ${key}`) : []),
    ...below,
    ...choices,
    ...members,
  ];
}

const bounds: Readonly<Record<string, readonly string[]>> = {
  string: ['maxLength'],
  integer: ['minimum', 'maximum'],
  array: ['maxItems', 'items'],
  object: ['maxProperties'],
};

describe('a value out of a hostile model', () => {
  const bill = { netAmount: 1, billDate: '2026-03-01', vendorNumber: 'V-1' };
  it.each<[string, unknown]>([
    ['bills.get', {}],
    ['bills.get', { idBill: '17' }],
    ['bills.get', { idBill: 0 }],
    ['bills.get', { idBill: 1.5 }],
    ['bills.get', { idBill: 2 ** 53 }],
    ['bills.get', { idBill: [17] }],
    ['bills.get', [17]],
    ['bills.get', null],
    ['bills.create', { ...bill, netAmount: 0 }],
    ['bills.create', { ...bill, netAmount: -5 }],
    ['bills.create', { ...bill, netAmount: 1e12 }],
    ['bills.create', { ...bill, billDate: '01.03.2026' }],
    ['bills.create', { ...bill, billDate: '2026-13-01' }],
    ['bills.create', { ...bill, billDate: '2026-03-01\n' }],
    ['bills.create', { ...bill, billNumber: 'x'.repeat(1_000_000) }],
    ['bills.create', { ...bill, billNumber: '../1' }],
    ['bills.create', { ...bill, vendorNumber: '<b>' }],
    ['bills.create', { ...bill, status: 100 }],
    ['bills.setApproved', { idBill: 17, approved: 'yes' }],
    ['bills.setApproved', { idBill: 17 }],
    ['bills.list', { status: 2 }],
    ['bills.list', { status: '2)=1&entry=' }],
    ...[
      '',
      '.',
      '..',
      '../a.pdf',
      'a/b.pdf',
      'a\\b.pdf',
      '.env',
      'a\u0000.pdf',
      'x'.repeat(201),
    ].map((filename): [string, unknown] => ['bills.deleteAttachment', { idBill: 17, filename }]),
    ...[
      'http://files.example.com/a.pdf',
      'file:///etc/passwd',
      'https://',
      'https://a@b/c',
      'https://files.example.com\\@evil.example/a',
      'https://a b/c',
      ' https://files.example.com/a.pdf',
      `https://a/${'x'.repeat(2000)}`,
    ].map((fileUrl): [string, unknown] => ['documents.parse', { fileUrl }]),
    ...['', '..', '../files', 'a/b', 'a?b', 'a#b', 'exr_1 ', 'x'.repeat(101)].map(
      (id): [string, unknown] => ['documents.extractRuns.get', { id }],
    ),
  ])('%s refuses %j', (operation, value) => expect(accepts(operation, value)).toBe(false));
});

describe('what is bound', () => {
  const names = (operation: string, bound: readonly string[]) =>
    Object.keys(parametersSchema(tool(operation), bound).properties);

  it('is no parameter any more, and not required', () => {
    const schema = parametersSchema(tool('bills.get'), ['idBill']);
    expect(schema).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
    expect(accepts('bills.list', {}, ['status', 'entry'])).toBe(true);
    expect(accepts('bills.list', { status: '2' }, ['status', 'entry'])).toBe(false);
  });

  it('takes the place of what it stands for', () => {
    expect(names('documents.extract', [])).toEqual(['fileUrl', 'fileName']);
    expect(names('documents.extract', ['fileId'])).toEqual([]);
    const left = (bound: readonly string[]) =>
      parametersLeft(tool('documents.extract'), bound)
        .filter(({ required }) => required)
        .map(({ name }) => name);
    expect(left([])).toEqual(['fileUrl', 'extractorId']);
    expect(left(['fileId', 'config'])).toEqual([]);
    expect(left(['fileUrl', 'extractorId'])).toEqual([]);
  });

  it('may have names of nobody: they change nothing', () => {
    expect(parametersSchema(tool('bills.get'), ['entry', '__proto__'])).toEqual(
      parametersSchema(tool('bills.get')),
    );
  });

  it('is never asked for where there is no choice', () => {
    expect(parametersLeft(tool('bills.getAttachment'), []).map(({ name }) => name)).toEqual([
      'idBill',
      'filename',
    ]);
  });
});
