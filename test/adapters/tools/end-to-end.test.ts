/** From a workflow to what the services hold, by way of everything in between. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/adapters/sandbox/sandbox.js';
import {
  type BoundOptions,
  type BoundResult,
  bindFor,
  compileBound,
} from '../../../src/adapters/tools/compile-bound.js';
import { createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';
import { compile, verify } from '../../../src/index.js';
import type { Result } from '../../cli/fake-io.js';
import {
  argumentsOf,
  filledIn,
  messageOf,
  type Shape,
  toolsOf,
  type Variables,
  variablesFrom,
} from './platform.js';
import { bindingsWith, enquiry, rentOffice } from './rent-office.js';
import { authorized, serveTools } from './serve-tools.js';

type Target = 'squad' | 'vapi';

const toolServer = { url: 'https://tools.example.com/calls', credentialId: 'tool-calls' };
const dynamicVariables = ['pay_token'];

async function startSandbox() {
  const sandbox = await createSandbox();
  const documents = createDocumentsClient({
    baseUrl: sandbox.documentsUrl,
    apiKey: 'sandbox-key',
  });
  const { id: workflowId } = await documents.workflows.create({ name: 'Scans' });
  await documents.close();
  onTestFinished(() => sandbox.close());
  return { sandbox, workflowId };
}

function compiled(workflow: object, options: BoundOptions): BoundResult {
  const settled = { dynamicVariables, ...options };
  const result = compileBound(compile, workflow, settled);
  const { status, questions, diagnostics, output } = result;
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect({ status, questions, errors }).toEqual({ status: 'complete', questions: [], errors: [] });
  const bound = bindFor(workflow, settled);
  expect(verify(bound.workflow, output, bound.options)).toMatchObject({ holds: true });
  return result;
}

/** A call on the platform with this squad. */
function phoneCall(document: unknown, server: string, callId = 'call-1') {
  const tools = toolsOf(document);
  const bag: Record<string, unknown> = {};
  const ajv = new Ajv2020({ strict: false });
  let calls = 0;
  return {
    bag,
    tells: (variables: Variables) => Object.assign(bag, variables),
    async calls(name: string, said: object = {}, shape: Shape = 'arguments'): Promise<Result> {
      const tool = tools.get(name) ?? expect.fail(`no tool ${name}`);
      // The model is held to the schema of the tool, and the tool leads to the server.
      expect(ajv.validate(tool.function?.parameters ?? {}, said)).toBe(true);
      expect(tool.server).toEqual(toolServer);
      calls += 1;
      const message = messageOf(`tool-${calls}`, name, argumentsOf(tool, said, bag), shape, callId);

      const init = { method: 'POST', headers: { ...authorized }, body: JSON.stringify(message) };
      const response = await fetch(server, init);
      const { results } = (await response.json()) as { results: Result[] };
      expect([response.status, results.length]).toEqual([200, 1]);
      const [answer] = results as [Result];
      if (answer.result?.startsWith('{')) {
        Object.assign(bag, variablesFrom(tool, JSON.parse(answer.result)));
      }
      return answer;
    },
  };
}

describe.each<Target>(['squad', 'vapi'])('a migrated squad (target %s)', (target) => {
  it('does in the services what its calls mean', async () => {
    const { sandbox, workflowId } = await startSandbox();
    const result = compiled(rentOffice, {
      target,
      toolServer,
      bindings: bindingsWith(workflowId),
    });
    const call = phoneCall(result.output, await serveTools(sandbox, result.toolBindings ?? {}));

    // What the caller has just said the model fills in.
    const heard = { vendorNumber: 'V-7', billNumber: '2026/17', billDate: '2026-03-01' };
    const said = { ...heard, netAmount: 1250.5, dueDate: '2026-03-31' };
    await call.calls('enter-bill', said, 'arguments');
    const [bill] = sandbox.bills.all();
    expect(bill).toMatchObject({
      BillNumber: '2026/17',
      NetAmount: 1250.5,
      DueDate: expect.stringContaining('2026-03-31'),
      Comments: 'By telephone',
      Terms: 'NET30',
      PaypointEntryname: 'shop',
      Vendor: expect.objectContaining({ VendorNumber: 'V-7' }),
      Status: 1,
    });
    expect(call.bag['bill_id']).toBe(bill?.IdBill);

    expect((await call.calls('look-up', {}, 'function')).result).toContain('net amount 1,250.50');
    expect(call.bag['amount']).toBe(1250.5);

    await call.calls('submit', {}, 'with-tool');
    const approvers = sandbox.bills
      .all()[0]
      ?.billApprovals?.map(({ approved, email }) => [email, approved]);
    expect(sandbox.bills.all()[0]).toMatchObject({ Status: 2 });
    expect(approvers).toEqual([['ann@example.com', expect.anything()]]);

    const fileUrl = 'https://files.example.com/lease.pdf';
    const scan = await call.calls('scan', { fileUrl }, 'parameters');
    expect(scan.result).toMatch(/Run ID workflow_run_/);
    const started = sandbox.requests.filter(({ operation }) => operation === 'workflowRuns.create');
    expect(started.map(({ status }) => status)).toEqual([200]);
    expect(sandbox.bills.all()).toHaveLength(1);
  });

  it('cannot be talked into the bill of another account', async () => {
    const { sandbox, workflowId } = await startSandbox();
    const client = createBillsClient({
      baseUrl: sandbox.billsUrl,
      auth: { apiKey: 'sandbox-key' },
    });
    const { responseData: bill_id } = await client.create('other', {
      netAmount: 5,
      billDate: '2026-03-01',
    });
    await client.close();
    const before = JSON.stringify(sandbox.bills.all());
    const result = compiled(rentOffice, {
      target,
      toolServer,
      bindings: bindingsWith(workflowId),
    });
    const call = phoneCall(result.output, await serveTools(sandbox, result.toolBindings ?? {}));
    for (const told of [bill_id, `${bill_id}/../1`, '', '1e3', '{{bill_id}}']) {
      call.tells({ bill_id: told });
      for (const tool of ['look-up', 'submit']) {
        expect(await call.calls(tool), `${told}`).toHaveProperty('error');
      }
    }
    expect(JSON.stringify(sandbox.bills.all())).toBe(before);
  });

  it('reads from the service without a server, where it is compiled so', async () => {
    const { sandbox } = await startSandbox();
    const client = createBillsClient({
      baseUrl: sandbox.billsUrl,
      auth: { apiKey: 'sandbox-key' },
    });
    const { responseData } = await client.create('shop', { netAmount: 5, billDate: '2026-03-01' });
    await client.close();
    const result = compiled(enquiry, {
      target,
      tools: 'direct',
      bindings: { 'look-up': { operation: 'bills.get', bind: { idBill: '{{bill_id}}' } } },
      serviceUrls: { bills: 'https://pay.example.com/api' },
      answers: { policies: { 'read-too-early': 'keep-split' } },
    });
    expect(result.toolBindings).toBeUndefined();
    const tool = toolsOf(result.output).get('look-up') ?? expect.fail('no tool');
    const variables = { bill_id: responseData, pay_token: 'sandbox-key' };
    const address = `${filledIn(tool.url, variables)}`;
    expect(address.startsWith('https://pay.example.com/api/')).toBe(true);
    const here = address.replace('https://pay.example.com/api', sandbox.billsUrl);
    const response = await fetch(here, {
      method: tool.method ?? '',
      headers: { requestToken: 'sandbox-key' },
    });
    expect(variablesFrom(tool, await response.json())).toEqual({ amount: 5 });
    // What a caller says stays one segment of the address.
    const hostile = `${filledIn(tool.url, { ...variables, bill_id: '../Query/bills/other?x=' })}`;
    expect(new URL(hostile).pathname).toBe('/api/Bill/..%2FQuery%2Fbills%2Fother%3Fx%3D');
  });
});
