/**
 * The bills client: methods made from the table of operations.
 *
 * In: address, credentials, options of the request core. Out: a client whose methods check what they
 * are given, send one call, and resolve to the body as the service sent it.
 */
import type { Operation } from '../http/operation.js';
import type { CallOptions } from '../http/options.js';
import { createSender, type Sender, type SenderOptions } from '../http/send.js';
import { checkArguments, checkDates } from './arguments.js';
import type { BillListResponse } from './bill-record.js';
import type { BillsClient } from './client-type.js';
import { type BillsCredentials, readCredentials } from './credentials.js';
import { type BillQuery, listParameters } from './list-query.js';
import { type BillsOperation, billsOperations } from './operations.js';
import { billsDialect } from './service-error.js';
import { walkPages } from './walk-pages.js';

export interface BillsClientOptions extends Omit<SenderOptions, 'auth' | 'dialect'> {
  readonly auth: BillsCredentials;
}

type Call = (...given: unknown[]) => Promise<unknown>;

const { list, listByOrg, ...plain } = billsOperations;

const pageSize = 100;

/** Throws an ApiError (`api/invalid-option`) for options that cannot be. */
export function createBillsClient({ auth, ...options }: BillsClientOptions): BillsClient {
  const shared = { ...options, dialect: billsDialect };
  const credentials = readCredentials(auth, shared);
  const sender = createSender({ ...shared, auth: credentials.auth });
  const client: Record<string, unknown> = {
    close: async () => {
      await Promise.all([sender.close(), credentials.close?.()]);
    },
  };
  for (const [name, operation] of Object.entries(plain)) client[name] = callOf(sender, operation);
  addLists(client, sender, list, '');
  addLists(client, sender, listByOrg, 'ByOrg');
  return client as unknown as BillsClient;
}

/** Path, body if there is one, parameters if there are some, call options. */
function callOf(sender: Sender, operation: Operation): Call {
  const { id, path, body, query = [], headers = [], answer } = operation;
  const inPath = path.match(/\w+(?=})/g) ?? [];
  const names = [...query, ...headers];
  return async (...given) => {
    const call: Record<string, unknown> = { path: inPath.map((name) => inPathOf(id, name, given)) };
    if (body) {
      call['body'] = given.shift();
      checkDates(id, call['body']);
    }
    let file = answer !== undefined;
    if (names.length > 0) {
      const { idempotencyKey, ...others } = checkArguments(id, given.shift(), names);
      call['query'] = others;
      if (idempotencyKey) call['headers'] = { idempotencyKey };
      file &&= others['returnObject'] !== true;
    }
    return sender[file ? 'sendForFile' : 'send'](operation, call, given[0] as CallOptions);
  };
}

/** All are texts and numbers but one, of which a text is made. */
function inPathOf(id: string, name: string, given: unknown[]): unknown {
  const value = given.shift();
  return name === 'approved'
    ? `${checkArguments(id, { approved: value }, [], [name])[name]}`
    : value;
}

/** `list`, `export` and `iterate`, each with the suffix. */
function addLists(
  client: Record<string, unknown>,
  sender: Sender,
  operation: BillsOperation,
  suffix: string,
): void {
  const callFor =
    (exported: boolean) => async (place: unknown, given: unknown, options?: CallOptions) => {
      const query = listParameters(operation, given, exported);
      return sender[exported ? 'sendForFile' : 'send'](
        operation,
        { path: [place], query },
        options,
      );
    };
  const page = callFor(false);
  client[`list${suffix}`] = page;
  client[`export${suffix}`] = callFor(true);
  client[`iterate${suffix}`] = (place: unknown, query?: BillQuery, options?: CallOptions) => {
    const { fromRecord: start = 0, limitRecord: size = pageSize } = query ?? {};
    const fetchPage = (fromRecord: number, limitRecord: number) =>
      page(place, { ...query, fromRecord, limitRecord }, options) as Promise<BillListResponse>;
    return walkPages(operation.id, fetchPage, start, size);
  };
}
