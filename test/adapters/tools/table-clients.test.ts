/** Every tool can be called: its clients send it, the sandbox understands it, and something is said. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { callArguments } from '../../../src/adapters/tools/arguments.js';
import { sayValue } from '../../../src/adapters/tools/say.js';
import type { ToolDefinition } from '../../../src/adapters/tools/table.js';
import { type BillsClient, createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';
import { toolDefinitions } from '../../../src/tools.js';
import { exampleOf } from './examples.js';

const decider = 'lee@example.com';

let sandbox: Sandbox;
let bills: BillsClient;
let documents: DocumentsClient;
/** What the configuration of a tool would hold: ids of what is stored, a version that there is. */
const stored: Record<string, string> = { version: 'draft' };

beforeAll(async () => {
  sandbox = await createSandbox({
    documents: { times: { pendingMs: 0, processingMs: 0 } },
    bills: { organizations: { 'entry-1': 100 } },
  });
  bills = createBillsClient({ baseUrl: sandbox.billsUrl, auth: { apiKey: 'sandbox-key' } });
  documents = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey: 'sandbox-key' });
  const config = {};
  stored['extractorId'] = (await documents.extractors.create({ name: 'a', config })).id;
  stored['classifierId'] = (await documents.classifiers.create({ name: 'b', config })).id;
  stored['splitterId'] = (await documents.splitters.create({ name: 'c', config })).id;
  stored['workflowId'] = (await documents.workflows.create({ name: 'd' })).id;
});

afterAll(async () => {
  await bills.close();
  await documents.close();
  await sandbox.close();
});

/** A bill with a file, and a run of the kind that the tool asks after. */
async function prepare(tool: ToolDefinition): Promise<Readonly<Record<string, unknown>>> {
  const { responseData: idBill = 0 } = await bills.create('entry-1', {
    netAmount: 5,
    billDate: '2026-03-01',
    status: 20,
    frequency: 'monthly',
  });
  if (tool.operation === 'bills.setApproved') await bills.sendToApproval(idBill, [decider]);
  const filename = sandbox.bills.attach(idBill, 'a.pdf', new Uint8Array([1]));
  return { idBill, filename, id: await startedRun(tool) };
}

async function startedRun({ operation }: ToolDefinition): Promise<string | undefined> {
  const kind = /^documents\.(\w+)Runs\.get$/.exec(operation)?.[1];
  const start = toolDefinitions[`documents.${kind === 'workflow' ? 'workflowRuns.create' : kind}`];
  if (start === undefined) return undefined;
  const run = (await call(start, valuesOf(start, {}))) as { readonly id: string };
  return run.id;
}

/** Everything that can be given at once. */
function valuesOf(tool: ToolDefinition, prepared: Readonly<Record<string, unknown>>) {
  const names = tool.parameters.map(({ name }) => name);
  const instead = tool.operation === 'documents.parse' ? ['fileId'] : ['fileId', 'config'];
  return Object.fromEntries(
    names
      .filter((name) => !instead.includes(name) && name !== 'fromRecord')
      .map((name) => [name, prepared[name] ?? stored[name] ?? exampleOf(tool, name)]),
  );
}

type Method = (...given: unknown[]) => Promise<unknown>;

/** Calls the method that the operation is named after. */
function call(tool: ToolDefinition, values: Readonly<Record<string, unknown>>): Promise<unknown> {
  const clients: unknown = { bills, documents };
  const method = tool.operation
    .split('.')
    .reduce((group, name) => (group as Record<string, unknown>)[name], clients) as Method;
  return method(...callArguments(tool, values));
}

/** All values that a pointer leads to. */
function valuesAt(answer: unknown, [key, ...rest]: readonly string[]): unknown[] {
  if (key === undefined) return [answer];
  const members = answer instanceof Object ? (answer as Record<string, unknown>) : {};
  const below = key === '*' ? Object.values(members) : [members[key]];
  return below.flatMap((each) => valuesAt(each, rest));
}

describe('a tool', () => {
  it.each(Object.values(toolDefinitions))('$operation is sent, done and told of', async (tool) => {
    const answer = await call(tool, valuesOf(tool, await prepare(tool)));
    const said = tool.sayable.flatMap(({ at, as }) =>
      valuesAt(answer, at.split('/').slice(1)).filter((value) => sayValue(value, as)),
    );
    expect(said).not.toEqual([]);
    if (tool.operation === 'bills.list') expect(said).toContain('2026-03-01');
  });
});
