/** The table of tools: names, parameters, and what the clients send and the answers tell. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { billsOperations } from '../../../src/clients/bills/operations.js';
import { callArguments, parametersLeft } from '../../../src/serve/arguments.js';
import { results, sayAnswer } from '../../../src/serve/say.js';
import { parametersSchema, type ToolDefinition, toolDefinitions } from '../../../src/tools.js';
import { newBill, type Stage, stage } from './stage.js';

const tools = Object.values(toolDefinitions);
const tool = (operation: string) => toolDefinitions[operation] ?? expect.fail(operation);

/** A valid value of every parameter; a status to look for is a text, one to set is a number. */
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

/** What each tool is like stands in TOOLS.md, which is generated and reviewed. */
describe('the table', () => {
  it('has all bill operations, and those on documents that make sense in a call', () => {
    const [bills, documents] = ['bills.', 'documents.'].map((service) =>
      tools.filter(({ operation }) => operation.startsWith(service)),
    );
    expect(bills!.map(({ operation }) => operation)).toEqual(
      Object.values(billsOperations).map(({ id }) => id),
    );
    expect(documents).toHaveLength(10);
    expect(documents!.filter(({ effect }) => effect === 'changes')).toEqual([]);
    for (const name of ['constructor', '__proto__']) expect(toolDefinitions[name]).toBeUndefined();
  });

  it.each(tools)('$operation: has legal names, and sentences', (one) => {
    expect(one.name).toMatch(/^[a-z][a-z0-9_]{2,39}$/);
    expect(one.description).toMatch(/^[A-Z][^\n]{40,260}\.$/);
    expect(one.effect === 'reads' && one.method !== 'GET').toBe(false);
    for (const { name, description } of one.parameters) {
      expect(name).toMatch(/^[a-z][A-Za-z0-9]{1,39}$/);
      expect(description, name).toMatch(/^\S[^\n]{5,200}\.$/);
    }
    for (const names of [tools, one.parameters, one.sayable] as { name: string }[][]) {
      expect(new Set(names.map(({ name }) => name)).size).toBe(names.length);
    }
  });

  it('tells the assistant to ask before it deletes, decides or pays', () => {
    for (const operation of ['create', 'delete', 'deleteAttachment', 'setApproved']) {
      expect(tool(`bills.${operation}`).description).toMatch(/yes|clear answer/);
    }
  });

  it('never tells what people wrote, or an account, an address or a secret', () => {
    const never =
      /comment|descri|reason(?!$)|message|note|text|content|value|metadata|title|e?mail|phone|address|city|zip|user|vendor|contact|entry|org|account|bank|url|link|token|secret|key|password|config|source|custom/i;
    const all = tools.flatMap(({ sayable }) => sayable.map(({ at }) => at));
    expect(all.filter((at) => never.test(at))).toEqual([]);
  });
});

/** Facts that the answers of the sandbox do not have. */
const unsaid = ['failure', 'overdue', 'amountOverdue'];

describe('a tool', () => {
  /** Calls the method that the operation is named after. */
  const call = (on: Stage, one: ToolDefinition, known: Readonly<Record<string, unknown>>) => {
    const path = one.operation.split('.');
    const method = path.reduce((group: unknown, name) => Object(group)[name], on) as Method;
    const values = one.parameters.map(({ name }) => [name, known[name]]);
    return method(...callArguments(one, Object.fromEntries(values)));
  };
  type Method = (...given: unknown[]) => Promise<unknown>;

  it('sends every value that can be given at once, and tells everything that may be told', async () => {
    const on = await stage({}, { documents: { times: { pendingMs: 0, processingMs: 0 } } });
    const stored: Record<string, unknown> = { version: 'draft' };
    for (const kind of ['extractor', 'classifier', 'splitter'] as const) {
      const made = await on.documents[`${kind}s`].create({ name: kind, config: {} });
      stored[`${kind}Id`] = made.id;
    }
    stored['workflowId'] = (await on.documents.workflows.create({ name: 'd' })).id;
    for (const one of tools) {
      const days = { dueDate: '2026-03-02', endDate: '2026-03-03' };
      const idBill = await newBill(on, { ...days, frequency: 'monthly' }, 'entry-1');
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
      const { line } = sayAnswer(answer, one.sayable, one.effect, results.done, 5000);
      const told = line.startsWith('{') ? Object.keys(JSON.parse(line)).slice(1) : [];
      const names = one.sayable.map(({ name }) => name);
      expect([one.operation, ...told].sort()).toEqual(
        [one.operation, ...names.filter((name) => !unsaid.includes(name))].sort(),
      );
    }
  });
});

/** The values of a call, and the arguments of the method. No caller can lift a bound condition. */
const argumentsOf = `
  bills.update {"idBill":17} => [17,{}]
  bills.update {"idBill":17,"__proto__":{"netAmount":1},"at":"/x","entry":"e"} => [17,{}]
  bills.create {"netAmount":1,"vendorNumber":"V-1","entry":"e","idempotencyKey":"k"} => ["e",{"netAmount":1,"vendor":{"vendorNumber":"V-1"}},{"idempotencyKey":"k"}]
  bills.getAttachment {"idBill":17,"filename":"a","returnObject":false} => [17,"a",{"returnObject":true}]
  bills.list {"entry":"e","status":"2"} => ["e",{"rawFilters":{"status(eq)":"2"}}]
  bills.listByOrg {"orgId":100,"rawFilters":{"status(eq)":20,"x":1},"status":"2"} => [100,{"rawFilters":{"status(eq)":20,"x":1}}]
  documents.extract {"fileUrl":"u","fileId":"f","extractorId":"e","config":{}} => [{"file":{"id":"f"},"config":{}}]`;

it.each(argumentsOf.trim().split(/\n */))('%s', (line) => {
  const [, operation = '', values = '', expected = ''] = /^(\S+) (.+) => (.+)$/.exec(line) ?? [];
  expect(callArguments(tool(operation), JSON.parse(values))).toEqual(JSON.parse(expected));
});

describe('the schema of the parameters', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: true, unicodeRegExp: true });
  const names = (operation: string, bound: readonly string[]) =>
    Object.keys(parametersSchema(tool(operation), bound).properties);

  it.each(tools)('$operation: is closed, and accepts valid values', (one) => {
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

  it('leaves out bound parameters, and those that a bound one replaces', () => {
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
