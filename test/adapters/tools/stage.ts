/** A handler with both services of a sandbox behind it, and messages as the platform sends them. */
import { onTestFinished } from 'vitest';
import { createSandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { createToolHandler } from '../../../src/serve/handler.js';
import type { ToolHandlerOptions } from '../../../src/serve/options.js';
import { toolDefinitions } from '../../../src/serve/table.js';
import { createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';
import type { Result } from '../../cli/fake-io.js';

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

type Options = Partial<ToolHandlerOptions>;

export type Stage = Awaited<ReturnType<typeof stage>>;

export async function stage(options: Options = {}, sandboxes: SandboxOptions = {}) {
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
  /** Another handler of the same services. */
  const another = (more: Options = {}) => {
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
    /** The results of one message, in the order of its calls. */
    const send = async (toolCallList: readonly unknown[], callId?: string) =>
      resultsOf(await handle(requestOf(messageOf(toolCallList, callId))));
    /** The result of one call, with a new id unless one is given. */
    const call = async (name: string, given: unknown = {}, id?: string): Promise<Result> => {
      calls += 1;
      return (await send([{ id: id ?? `tool-${calls}`, name, arguments: given }]))[0]!;
    };
    return { handle, send, call };
  };
  /** How often the service was asked for an operation. */
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
