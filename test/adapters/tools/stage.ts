/** A handler with both services of a sandbox behind it, and messages as the platform sends them. */
import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../../../src/adapters/sandbox/sandbox.js';
import { createSandbox, type Sandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { createToolHandler } from '../../../src/adapters/tools/handler.js';
import type { ToolHandlerOptions } from '../../../src/adapters/tools/options.js';
import { toolDefinitions } from '../../../src/adapters/tools/table.js';
import { type BillsClient, createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../../src/documents.js';

export const secret = 'a-secret-of-the-platform';
export const address = 'https://tools.example/calls';

/** Everything that a definition needs bound, for the account `shop` of organization 100. */
export const bind = {
  entry: 'shop',
  orgId: 100,
  users: ['ann@example.com'],
  extractorId: 'ex_none',
  classifierId: 'cl_none',
  splitterId: 'sp_none',
  workflowId: 'workflow_none',
};

export interface Result {
  readonly toolCallId: string;
  readonly name: string;
  readonly result?: string;
  readonly error?: string;
}

export interface Stage {
  readonly sandbox: Sandbox;
  readonly bills: BillsClient;
  readonly documents: DocumentsClient;
  readonly handle: (request: Request) => Promise<Response>;
  /** A further handler of the same services. */
  readonly another: (options?: Partial<ToolHandlerOptions>) => (r: Request) => Promise<Response>;
  /** The results of one message, by the order of its calls. */
  readonly send: (calls: readonly unknown[], callId?: string) => Promise<Result[]>;
  /** The result of one call, with an id of its own unless it is given. */
  readonly call: (name: string, given?: unknown, id?: string) => Promise<Result>;
}

type Options = Partial<ToolHandlerOptions>;

export async function stage(options: Options = {}, sandboxes: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await createSandbox(sandboxes);
  const retry = { baseMs: 1 };
  const bills = createBillsClient({
    baseUrl: sandbox.billsUrl,
    auth: { apiKey: 'sandbox-key' },
    retry,
  });
  const documents = createDocumentsClient({
    baseUrl: sandbox.documentsUrl,
    apiKey: 'sandbox-key',
    retry,
  });
  onTestFinished(async () => {
    await Promise.all([bills.close(), documents.close()]);
    await sandbox.close();
  });
  const another: Stage['another'] = (more = {}) =>
    createToolHandler({
      bills,
      documents,
      secret: { value: secret },
      allow: Object.keys(toolDefinitions),
      bind,
      fileHosts: ['files.example.com'],
      ...options,
      ...more,
    } as ToolHandlerOptions);
  const handle = another();
  let calls = 0;
  const send: Stage['send'] = async (toolCallList, callId = 'call-1') =>
    resultsOf(await handle(requestOf(messageOf(toolCallList, callId))));
  return {
    sandbox,
    bills,
    documents,
    handle,
    another,
    send,
    async call(name, given = {}, id) {
      calls += 1;
      const [result] = await send([{ id: id ?? `tool-${calls}`, name, arguments: given }]);
      return result as Result;
    },
  };
}

export function messageOf(toolCallList: readonly unknown[], callId = 'call-1'): object {
  return { message: { type: 'tool-calls', call: { id: callId }, toolCallList } };
}

export function requestOf(body: unknown, init: RequestInit = {}): Request {
  return new Request(address, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
  });
}

export async function resultsOf(response: Response): Promise<Result[]> {
  const { results } = (await response.json()) as { results: Result[] };
  return results;
}

/** A bill of the account, or of the entry that is given. */
export async function newBill({ bills }: Stage, more: object = {}, entry = 'shop') {
  const bill = { netAmount: 1250.5, billDate: '2026-03-01', billNumber: 'B-1', ...more };
  const { responseData } = await bills.create(entry, bill);
  return responseData ?? 0;
}

/** A stored processor that classifies, extracts or splits. */
export async function newProcessor({ documents }: Stage, kind: 'extractors' | 'classifiers') {
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const config = kind === 'extractors' ? { schema } : { classifications: [] };
  const { id } = await documents[kind].create({ name: 'p', config } as { name: string });
  return id;
}
