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

/** A handler, and how it is asked. */
export interface Line {
  readonly handle: (request: Request) => Promise<Response>;
  /** The results of one message, in the order of its calls. */
  readonly send: (calls: readonly unknown[], callId?: string) => Promise<Result[]>;
  /** The result of one call, with a new id unless one is given. */
  readonly call: (name: string, given?: unknown, id?: string) => Promise<Result>;
}

type Options = Partial<ToolHandlerOptions>;

export interface Stage extends Line {
  readonly sandbox: Sandbox;
  readonly bills: BillsClient;
  readonly documents: DocumentsClient;
  /** Another handler of the same services. */
  readonly another: (options?: Options) => Line;
  /** How often the service was asked for an operation. */
  readonly asked: (operation: string) => number;
}

export async function stage(options: Options = {}, sandboxes: SandboxOptions = {}): Promise<Stage> {
  const sandbox = await createSandbox(sandboxes);
  const apiKey = 'sandbox-key';
  const retry = { baseMs: 1 };
  const bills = createBillsClient({ baseUrl: sandbox.billsUrl, auth: { apiKey }, retry });
  const documents = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey, retry });
  onTestFinished(async () => {
    await Promise.all([bills.close(), documents.close()]);
    await sandbox.close();
  });
  let calls = 0;
  const another: Stage['another'] = (more = {}) => {
    const handle = createToolHandler({
      bills,
      documents,
      secret: { value: secret },
      allow: Object.keys(toolDefinitions),
      bind,
      fileHosts: ['files.example.com'],
      ...options,
      ...more,
    } as ToolHandlerOptions);
    const send: Line['send'] = async (toolCallList, callId) =>
      resultsOf(await handle(requestOf(messageOf(toolCallList, callId))));
    return {
      handle,
      send,
      async call(name, given = {}, id) {
        calls += 1;
        const [result] = await send([{ id: id ?? `tool-${calls}`, name, arguments: given }]);
        return result as Result;
      },
    };
  };
  const asked = (wanted: string) =>
    sandbox.requests.filter(({ operation }) => operation === wanted).length;
  return { sandbox, bills, documents, another, asked, ...another() };
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
