/**
 * The table of tools: legal names, little that a caller decides, and what the clients send, the sandbox
 * understands and the answer lets be said of each.
 */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../../src/adapters/bills/operations.js';
import { documentOperations } from '../../../src/adapters/documents/operations.js';
import { callArguments, parametersLeft } from '../../../src/adapters/tools/arguments.js';
import { sayValue } from '../../../src/adapters/tools/say.js';
import { parametersSchema, type ToolDefinition, toolDefinitions } from '../../../src/tools.js';
import { newBill, type Stage, stage } from './stage.js';

const tools = Object.values(toolDefinitions);
const tool = (operation: string) => toolDefinitions[operation] ?? expect.fail(operation);

/** A right value of every parameter; a status to look for is a text, one to set a number. */
const byName: Readonly<Record<string, unknown>> = {
  idBill: 17,
  filename: '0_invoice.pdf',
  approved: false,
  returnObject: true,
  entry: 'entry-1',
  orgId: 100,
  email: 'lee@example.com',
  users: ['lee@example.com', 'kim'],
  autocreateUser: true,
  idempotencyKey: '9f2c',
  netAmount: 125.5,
  billDate: '2026-03-01',
  dueDate: '2026-03-31',
  endDate: '2026-12-31',
  billNumber: 'INV-2026/17',
  vendorNumber: 'V-7',
  comments: 'Checked by telephone.',
  billItems: [{ itemProductName: 'Paper', itemCost: 5, itemQty: 2 }],
  mode: 1,
  frequency: 'monthly',
  accountingField1: '4711',
  terms: 'NET30',
  attachments: [{ ftype: 'pdf', filename: 'a.pdf', furl: 'https://files.example.com/a.pdf' }],
  fromRecord: 20,
  limitRecord: 5,
  rawFilters: { 'frequency(eq)': 'monthly' },
  sortBy: { field: 'dueDate', direction: 'desc' },
  fileUrl: 'https://files.example.com/a.pdf?b=c',
  fileName: 'a.pdf',
  fileId: 'file_1',
  fileSettings: { password: 'open' },
  config: { schema: { type: 'object' } },
  metadata: { call: '1' },
  extractorId: 'ex_1',
  classifierId: 'cl_1',
  splitterId: 'sp_1',
  version: '1.0',
  overrideConfig: { rules: [] },
  dataRetention: { days: 1 },
  workflowId: 'workflow_1',
  id: 'exr_1',
};

const exampleOf = ({ operation }: ToolDefinition, name: string) =>
  name === 'status' ? (operation.includes('.list') ? '20' : 1) : byName[name];

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
    const effects = ['changes', 'processes', 'reads'].map((each) =>
      tools.filter(({ effect }) => effect === each).map(({ operation }) => operation),
    );
    expect(effects.map(({ length }) => length)).toEqual([7, 5, 9]);
    expect(effects[0]?.every((operation) => operation.startsWith('bills.'))).toBe(true);
  });

  it.each(tools)('$operation: is what the operation is, in legal names', (one) => {
    const { method, path, repeat } = operations.get(one.operation) ?? expect.fail();
    expect(one).toMatchObject({ method, path, repeat });
    expect(one.name).toMatch(/^[a-z][a-z0-9_]{2,39}$/);
    expect(one.description).toMatch(/^[A-Z][^\n]{40,260}\.$/);
    expect(one.effect === 'reads' && method !== 'GET').toBe(false);
    for (const { name, description } of one.parameters) {
      expect(name).toMatch(/^[a-z][A-Za-z0-9]{1,39}$/);
      expect(description, name).toMatch(/^\S[^\n]{5,200}\.$/);
    }
    const placed = one.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
    expect(placed.sort()).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort());
    for (const names of [tools, one.parameters, one.sayable] as { name: string }[][]) {
      expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
    }
  });

  it('tells the assistant to ask before it deletes, decides or pays', () => {
    for (const operation of ['create', 'delete', 'deleteAttachment', 'setApproved']) {
      expect(tool(`bills.${operation}`).description).toMatch(/yes|clear answer/);
    }
  });

  it('lets nothing be said that people wrote, nobody\u2019s account, address or secret', () => {
    const never =
      /comment|descri|reason(?!$)|message|note|text|content|value|metadata|title|e?mail|phone|address|city|zip|user|vendor|contact|entry|org|account|bank|url|link|token|secret|key|password|config|source|custom/i;
    const all = tools.flatMap(({ sayable }) => sayable.map(({ at }) => at));
    expect(all.filter((at) => never.test(at))).toEqual([]);
  });
});

/** What a sandbox cannot have in its answers. */
const unsaid = ['failure', 'overdue', 'amountOverdue'];

/** Everything that can be given at once, but not both a thing and what replaces it. */
const valuesOf = ({ parameters }: ToolDefinition, known: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(parameters.map(({ name }) => [name, known[name]]));

describe('a tool', () => {
  type Method = (...given: unknown[]) => Promise<unknown>;

  /** Calls the method that the operation is named after. */
  const call = (on: Stage, one: ToolDefinition, values: object) => {
    const method = one.operation
      .split('.')
      .reduce<unknown>((group, name) => (group as Record<string, unknown>)[name], on) as Method;
    return method(...callArguments(one, valuesOf(one, { ...values })));
  };

  /** All values that a pointer leads to. */
  const valuesAt = (answer: unknown, [key, ...rest]: readonly string[]): unknown[] => {
    if (key === undefined) return [answer];
    const members = answer instanceof Object ? (answer as Record<string, unknown>) : {};
    const below = key === '*' ? Object.values(members) : [members[key]];
    return below.flatMap((each) => valuesAt(each, rest));
  };

  it('is sent, done and told of, with everything that can be given at once', async () => {
    const on = await stage(
      {},
      {
        documents: { times: { pendingMs: 0, processingMs: 0 } },
        bills: { organizations: { 'entry-1': 100 } },
      },
    );
    const stored: Record<string, unknown> = { version: 'draft' };
    for (const kind of ['extractor', 'classifier', 'splitter'] as const) {
      const made = await on.documents[`${kind}s`].create({ name: kind, config: {} });
      stored[`${kind}Id`] = made.id;
    }
    stored['workflowId'] = (await on.documents.workflows.create({ name: 'd' })).id;
    for (const one of tools) {
      const bill = {
        netAmount: 5,
        billDate: '2026-03-01',
        dueDate: '2026-03-02',
        endDate: '2026-03-03',
      };
      const idBill = await newBill(on, { ...bill, frequency: 'monthly' }, 'entry-1');
      await on.bills.sendToApproval(idBill, ['lee@example.com']);
      await on.bills.update(idBill, { status: 20 });
      const filename = on.sandbox.bills.attach(idBill, 'a.pdf', new Uint8Array([1]));
      const examples = one.parameters.map(({ name }) => [name, exampleOf(one, name)]);
      const instead = { fileId: undefined, fromRecord: undefined, config: undefined };
      const known = { ...Object.fromEntries(examples), ...stored, ...instead, idBill, filename };
      const run = /^documents\.(\w+)Runs\.get$/.exec(one.operation)?.[1];
      if (run !== undefined) {
        const start = tool(`documents.${run === 'workflow' ? 'workflowRuns.create' : run}`);
        const values = { ...byName, ...stored, ...instead };
        known.id = ((await call(on, start, values)) as { id: string }).id;
      }
      const answer = await call(on, one, known);
      const said = one.sayable.filter(({ at, as }) =>
        valuesAt(answer, at.split('/').slice(1)).some((value) => sayValue(value, as)),
      );
      const expected = one.sayable.filter(({ name }) => !unsaid.includes(name));
      expect([one.operation, said]).toEqual([one.operation, expected]);
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
