/**
 * The table of tools: nothing that an operation takes is forgotten, nothing is made up, a caller says
 * little of it, and of an answer nobody's words, address, account or secret is told.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../../src/adapters/bills/operations.js';
import { documentOperations } from '../../../src/adapters/documents/operations.js';
import { callArguments, parametersLeft } from '../../../src/adapters/tools/arguments.js';
import type { SaidAs, ToolDefinition, ToolParameter } from '../../../src/tools.js';
import { parametersSchema, toolDefinitions } from '../../../src/tools.js';
import { exampleOf } from './examples.js';
import {
  faultsOfBody,
  formsAt,
  formsBelow,
  formsOfSide,
  type Part,
  typesOf,
} from './service-schema.js';

const tools = Object.values(toolDefinitions);
const tool = (operation: string) => toolDefinitions[operation] ?? expect.fail(operation);
const inBody = ({ parameters }: ToolDefinition) => parameters.filter((each) => each.in === 'body');

describe('the table', () => {
  const ofDocuments = documentOperations.map((each) => ({ ...each, id: `documents.${each.id}` }));
  const ofBills = Object.values(billsOperations);
  const operations = new Map([...ofBills, ...ofDocuments].map((each) => [`${each.id}`, each]));

  it('has all bill operations, and those on documents that make sense in a call', () => {
    const processing = ['extract', 'classify', 'split', 'parse', 'workflowRuns.create'];
    const runs = ['extractRuns', 'classifyRuns', 'splitRuns', 'parseRuns', 'workflowRuns'];
    const named = [...processing, ...runs.map((each) => `${each}.get`)];
    expect(Object.keys(toolDefinitions)).toEqual([
      ...ofBills.map(({ id }) => id),
      ...named.map((each) => `documents.${each}`),
    ]);
    for (const name of ['constructor', '__proto__']) expect(toolDefinitions[name]).toBeUndefined();
  });

  it.each(tools)(
    '$operation: is what the table of operations says, and has a legal name',
    (one) => {
      const { method, path, repeat } = operations.get(one.operation) ?? expect.fail();
      expect(one).toMatchObject({ method, path, repeat });
      expect(one.name).toMatch(/^[a-z][a-z0-9_]{2,39}$/);
      expect(one.description).toMatch(/^[A-Z][^\n]{40,260}\.$/);
      expect(one.effect === 'reads' && method !== 'GET').toBe(false);
      for (const { name, description } of one.parameters) {
        expect(name).toMatch(/^[a-z][A-Za-z0-9]{1,39}$/);
        expect(description, name).toMatch(/^\S[^\n]{5,200}\.$/);
      }
    },
  );

  it('gives each tool, and in it each parameter and value, a name of its own', () => {
    const lists = [
      tools.map(({ name }) => name),
      ...tools.map(({ parameters }) => parameters.map(({ name }) => name)),
      ...tools.map(({ sayable }) => sayable.map(({ name }) => name)),
    ];
    for (const names of lists) expect(new Set(names).size).toBe(names.length);
  });

  it('says what each does to records', () => {
    const by = (effect: string) => tools.filter((each) => each.effect === effect);
    expect(by('changes').every(({ operation }) => operation.startsWith('bills.'))).toBe(true);
    expect(['changes', 'processes', 'reads'].map((each) => by(each).length)).toEqual([7, 5, 9]);
  });

  it('tells the assistant to ask before it deletes, decides or pays', () => {
    for (const operation of ['create', 'delete', 'deleteAttachment', 'setApproved']) {
      expect(tool(`bills.${operation}`).description).toMatch(/yes|clear answer/);
    }
  });
});

describe('the parameters of a tool', () => {
  /** What no tool can give: said otherwise, not to be said, or of a form that is not the specification's. */
  const leftOut = [
    ...['list', 'listByOrg'].flatMap((it) => [`bills.${it} filters`, `bills.${it} format`]),
    'bills.deleteAttachment returnObject',
    ...['parse', 'parseRuns.get'].map((it) => `documents.${it} responseType`),
    ...['extract', 'classify', 'split', 'parse'].flatMap((it) => [
      `documents.${it} /file/text`,
      `documents.${it} /priority`,
    ]),
    ...['workflow', 'file', 'outputs', 'priority', 'metadata', 'secrets'].map(
      (it) => `documents.workflowRuns.create /${it}`,
    ),
  ];

  /** Places of the body that no parameter reaches, below one that some reach. */
  function unreached(one: ToolDefinition, forms: readonly Part[], pointer: string): string[] {
    const places = inBody(one).map(({ at }) => at);
    if (places.includes(pointer)) return [];
    if (pointer !== '' && !places.some((at) => at?.startsWith(`${pointer}/`))) return [pointer];
    const keys = new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)));
    const entry = forms.some(({ items }) => items !== undefined) ? ['0'] : [];
    return [...keys, ...entry].flatMap((key) =>
      unreached(one, formsBelow(one, forms, key), `${pointer}/${key}`),
    );
  }

  it('are all that the operations take, but what is left out for a reason', () => {
    const named = (one: ToolDefinition) =>
      formsOfSide(one, 'parameters').flatMap(({ properties = {} }) => Object.keys(properties));
    const known = tools.flatMap((one) => [
      ...[...new Set(named(one))].map((name) => `${one.operation} ${name}`),
      ...unreached(one, formsOfSide(one, 'request'), '').map((at) => `${one.operation} ${at}`),
    ]);
    const given = tools.flatMap(({ operation, parameters }) =>
      parameters
        .filter((each) => each.in !== 'body' && each.at === undefined)
        .map(({ name }) => `${operation} ${name}`),
    );
    expect([...given, ...leftOut].sort()).toEqual([...known].sort());
  });

  it.each(tools)('$operation: stand where the operation has them', (one) => {
    const inPath = [...one.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const placed = one.parameters.filter((each) => each.in === 'path');
    expect(placed.map(({ name }) => name).sort()).toEqual([...inPath].sort());
    expect(placed.every(({ required }) => required)).toBe(true);
    for (const { at } of inBody(one)) {
      expect(at, 'a pointer without escapes').toMatch(/^(?:\/\w+)*$/);
      expect(formsAt(one, 'request', at ?? '?').length, at).toBeGreaterThan(0);
    }
    for (const { unless } of one.parameters) {
      const other = one.parameters.find(({ name }) => name === unless);
      if (unless) expect(other).toMatchObject({ from: 'binding', required: false });
    }
  });

  it('are never said where they are an account, its people or its settings', () => {
    const never = [
      ...['entry', 'orgId', 'users', 'email', 'autocreateUser', 'idempotencyKey'],
      ...['fromRecord', 'limitRecord', 'rawFilters', 'sortBy', 'returnObject'],
      ...['extractorId', 'classifierId', 'splitterId', 'workflowId', 'version', 'config'],
      ...['overrideConfig', 'metadata', 'dataRetention', 'fileId', 'fileSettings'],
      ...['comments', 'billItems', 'attachments', 'mode', 'frequency', 'terms', 'accountingField1'],
    ];
    const all = tools.flatMap(({ parameters }) => parameters);
    const of = (from: string) => new Set(all.filter((it) => it.from === from).map((it) => it.name));
    expect(never.filter((name) => of('caller').has(name))).toEqual([]);
    expect(of('binding')).toEqual(new Set([...never, 'status', 'vendorNumber']));
    // A status to look for, but not one to set, and a vendor for a new bill only.
    const from = (operation: string, wanted: string) =>
      tool(operation).parameters.find(({ name }) => name === wanted)?.from;
    expect(from('bills.list', 'status')).toBe('caller');
    expect(from('bills.create', 'status')).toBe('binding');
    expect(from('bills.create', 'vendorNumber')).toBe('caller');
    expect(from('bills.update', 'vendorNumber')).toBe('binding');
  });
});

describe('a body', () => {
  const withBody = tools.filter((one) => inBody(one).length > 0);
  const faultsOf = (one: ToolDefinition, wanted: (each: ToolParameter) => boolean) => {
    const chosen = one.parameters.filter(wanted).map(({ name }) => [name, exampleOf(one, name)]);
    const given = callArguments(one, Object.fromEntries(chosen));
    return faultsOfBody(one, given.at(one.path.match(/\{/g)?.length ?? 0));
  };

  it('is there where the operation has one', () => {
    expect(withBody).toEqual(tools.filter((one) => formsOfSide(one, 'request').length > 0));
  });

  it.each(withBody)('$operation: is valid by the service’s schema', (one) => {
    expect(faultsOf(one, () => true)).toEqual([]);
    for (const more of [undefined, ...one.parameters.filter(({ required }) => !required)]) {
      const isChosen = (it: ToolParameter) =>
        it === more || (it.required && (more === undefined || it.unless !== more.name));
      expect(faultsOf(one, isChosen), more?.name).toEqual([]);
    }
    // The service tells no required fields of a bill; those of the table are the assistant's.
    const needed = one.operation.startsWith('bills.') ? [] : inBody(one);
    for (const missing of needed.filter(({ required }) => required)) {
      const faults = faultsOf(one, (it) => it.required && it !== missing);
      expect(faults, missing.name).not.toEqual([]);
    }
  });
});

describe('the arguments of a method', () => {
  it.each<[string, Readonly<Record<string, unknown>>, unknown[]]>([
    ['bills.update', { idBill: 17, netAmount: undefined }, [17, {}]],
    [
      'bills.create',
      { netAmount: 1, vendorNumber: 'V-1', entry: 'e', idempotencyKey: 'k' },
      ['e', { netAmount: 1, vendor: { vendorNumber: 'V-1' } }, { idempotencyKey: 'k' }],
    ],
    ['bills.setApprovers', { idBill: 17, users: ['kim'] }, [17, ['kim']]],
    ['bills.setApproved', { approved: false, idBill: 17 }, [17, false, {}]],
    [
      'bills.getAttachment',
      { idBill: 17, filename: 'a', returnObject: false },
      [17, 'a', { returnObject: true }],
    ],
    // No caller can lift a condition of the configuration.
    [
      'bills.listByOrg',
      { orgId: 100, rawFilters: { 'status(eq)': 20, 'method(eq)': 'ach' }, status: '2' },
      [100, { rawFilters: { 'status(eq)': 20, 'method(eq)': 'ach' } }],
    ],
    [
      'documents.extract',
      { fileUrl: 'https://a.example/b', fileId: 'f', extractorId: 'ex_1', config: {} },
      [{ file: { id: 'f' }, config: {} }],
    ],
    [
      'documents.workflowRuns.create',
      { workflowId: 'w_1', fileUrl: 'https://a.example/b', fileName: 'b' },
      [{ workflowId: 'w_1', files: [{ url: 'https://a.example/b', fileName: 'b' }] }],
    ],
    [
      'bills.update',
      JSON.parse('{ "idBill": 17, "__proto__": { "netAmount": 1 }, "at": "/x", "entry": "e" }'),
      [17, {}],
    ],
  ])('%s with %j', (operation, values, expected) => {
    expect(callArguments(tool(operation), values)).toEqual(expected);
  });
});

describe('the schema of what a caller may say', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: true, unicodeRegExp: true });
  const names = (operation: string, bound: readonly string[]) =>
    Object.keys(parametersSchema(tool(operation), bound).properties);

  it.each(tools)('$operation: is closed, bounded, and takes what is right', (one) => {
    const schema = parametersSchema(one);
    const callers = one.parameters.filter(({ from }) => from === 'caller');
    expect(Object.keys(schema.properties)).toEqual(callers.map(({ name }) => name));
    const required = callers.filter((each) => each.required).map(({ name }) => name);
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false, required });
    const valid = ajv.compile(schema);
    const right = Object.fromEntries(callers.map(({ name }) => [name, exampleOf(one, name)]));
    expect(valid(right)).toBe(true);
    for (const name of ['constructor', 'entry2', 'entry']) {
      expect(valid({ ...right, [name]: 'x' })).toBe(false);
    }
    for (const { name, schema: each } of one.parameters) {
      expect(ajv.compile(each)(exampleOf(one, name)), name).toBe(true);
      expect(boundless(each), name).toEqual([]);
    }
    // One type for each value, and choices as texts: models are given no other.
    for (const { type, enum: choices = [] } of Object.values(schema.properties)) {
      expect(type).toMatch(/^(?:string|number|integer|boolean)$/);
      expect((choices as unknown[]).every((choice) => typeof choice === 'string')).toBe(true);
    }
  });

  it('has nothing that is bound, nor what a bound value stands for', () => {
    expect(parametersSchema(tool('bills.get'), ['idBill', '__proto__'])).toEqual({
      type: 'object',
      properties: {},
      required: [],
      additionalProperties: false,
    });
    expect(names('documents.extract', [])).toEqual(['fileUrl', 'fileName']);
    expect(names('documents.extract', ['fileId'])).toEqual([]);
    const left = (operation: string, bound: readonly string[]) =>
      parametersLeft(tool(operation), bound).filter(({ required }) => required);
    expect(left('documents.extract', ['fileId', 'config'])).toEqual([]);
    expect(left('bills.getAttachment', ['idBill', 'filename'])).toEqual([]);
  });
});

/** Keywords by which a value would be bounded, and is not, wherever in the schema. */
function boundless(schema: Readonly<Record<string, unknown>>): string[] {
  if ('const' in schema || 'enum' in schema) return [];
  const { type, properties = {}, anyOf = [], propertyNames = {} } = schema;
  const inner = [schema['items'], schema['additionalProperties'], ...(anyOf as object[])];
  const below = [...inner, ...Object.values(properties as object)].filter(
    (each) => each instanceof Object,
  ) as Record<string, unknown>[];
  const bounds: Readonly<Record<string, readonly string[]>> = {
    string: ['maxLength'],
    integer: ['minimum', 'maximum'],
    array: ['maxItems', 'items'],
    object: schema['additionalProperties'] === false ? [] : ['maxProperties'],
  };
  const missing = (bounds[`${type}`] ?? []).filter((key) => !(key in schema));
  const named =
    Object.keys(propertyNames as object).length > 0 && !('maxLength' in (propertyNames as object));
  return [...missing, ...(named ? ['propertyNames'] : []), ...below.flatMap(boundless)];
}

describe('every sayable value', () => {
  const all = tools.flatMap((one) => one.sayable.map((each) => ({ one, ...each })));

  /** The types of JSON that each kind of value may have, and the keys that it may stand under. */
  const expected: Readonly<Record<SaidAs, readonly [types: readonly string[], key: RegExp]>> = {
    count: [['array', 'integer'], /^(?:total\w+|[a-z]\w+|BillItems)$/],
    number: [['integer', 'number'], /^(?:startPage|endPage)$/],
    amount: [['number'], /^(?:NetAmount|TotalAmount|totalAmount|totalamount[a-z]+)$/],
    date: [['string'], /^(?:Bill|Due|End)Date$/],
    flag: [['boolean'], /./],
    status: [['integer', 'string'], /^(?:Status|status|failureReason)$/],
    // Of a deleted file the whole bill can come in the place of its number; it is not said then.
    identifier: [['integer', 'object', 'string'], /^(?:IdBill|responseData|id|type)$/],
    sign: [['string'], /^(?:BillNumber|ftype)$/],
  };
  /** Keys of free text, of people, of accounts, of addresses and of secrets, on the way or at its end. */
  const never =
    /comment|descri|reason(?!$)|message|note|text|content|value|metadata|name|title|e?mail|phone|address|city|zip|user|vendor|contact|entry|org|account|bank|routing|ein$|url|link|token|secret|key|password|config|terms|source|event|additional|custom|extra|ref(?!\/)/i;

  it.each(all)('$one.operation $name: is in the answer, as a $as', ({ one, name, at, as }) => {
    const [types, key] = expected[as];
    const found = typesOf(formsAt(one, 'response', at));
    expect(found).not.toEqual([]);
    expect(found.filter((type) => !types.includes(type))).toEqual([]);
    expect(at.split('/').at(-1)).toMatch(key);
    expect(at, 'nobody’s words, and nobody’s own').not.toMatch(never);
    expect(name).toMatch(/^[a-z][A-Za-z0-9]*$/);
  });

  it('is told with the number of a bill and the id of a run, for the next call', () => {
    for (const { operation, effect, sayable } of tools) {
      const names = sayable.map(({ name }) => name);
      expect(names.length).toBeGreaterThan(0);
      if (operation.startsWith('documents.')) expect(names, operation).toContain('runId');
      else if (effect === 'changes') expect(names, operation).toContain('idBill');
    }
  });
});

it('the handler imports nothing of Node, no client, and no compiler of schemas', async () => {
  const { metafile } = await build({
    stdin: {
      contents:
        "import { createToolHandler } from './src/tools.ts'; console.log(createToolHandler);",
      resolveDir: '.',
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    conditions: ['browser'],
    mainFields: ['module', 'main'],
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const [output] = Object.values(metafile.outputs);
  expect(output?.imports).toEqual([]);
  // What stands beside the handler and is not used falls away.
  const used = Object.entries(output?.inputs ?? {}).filter(
    ([, { bytesInOutput }]) => bytesInOutput > 0,
  );
  const inputs = used.map(([path]) => path);
  expect(inputs).toContain('src/adapters/tools/handler.ts');
  const foreign = /node_modules\/(?!lru-cache)|client|schemas\/(?!tools)/;
  expect(inputs.filter((path) => foreign.test(path))).toEqual([]);
});
