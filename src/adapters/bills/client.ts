/**
 * The bills client: methods made from the table of operations.
 *
 * In: address, credentials, options of the request core. Out: a client whose methods check what they
 * are given, send one call, and resolve to the body as the service sent it.
 */
import { invalidArgument } from '../http/api-error.js';
import type { CallOptions } from '../http/options.js';
import { createSender, type Sender, type SenderOptions } from '../http/send.js';
import { checkDates, writeParameters } from './arguments.js';
import type { BillsClient } from './client-type.js';
import { authOf, type BillsCredentials } from './credentials.js';
import type { BillQuery } from './list-query.js';
import { membersOf } from './members.js';
import { type BillsOperation, billsOperations } from './operations.js';
import { billsDialect } from './service-error.js';
import { type FetchPage, walkPages } from './walk-pages.js';

/**
 * Beside those of the request core: `baseUrl` ends where the paths of the specification begin (the
 * service's own with `/api`).
 */
export interface BillsClientOptions extends Omit<SenderOptions, 'auth' | 'dialect'> {
  readonly auth: BillsCredentials;
}

/** Throws an ApiError (`api/invalid-option`) for options that cannot be. */
export function createBillsClient(options: BillsClientOptions): BillsClient {
  const { clientSecret = '' } = membersOf(options.auth);
  const secrets = [...(options.secrets ?? []), `${clientSecret}`];
  const shared = { ...options, secrets, dialect: billsDialect };
  const sender = createSender({ ...shared, auth: authOf(shared) });
  const client: Record<string, unknown> = { close: sender.close };
  for (const [name, operation] of Object.entries(billsOperations)) {
    const call = methodOf(sender, operation, false);
    client[name] = call;
    if (!operation.filters) continue;
    client[name.replace('list', 'export')] = methodOf(sender, operation, true);
    client[name.replace('list', 'iterate')] = (...given: [unknown, BillQuery?, unknown?]) =>
      walkPages(operation.id, call as FetchPage, ...given);
  }
  return client as unknown as BillsClient;
}

/** Path, body if there is one, parameters if there are some, call options. */
function methodOf(sender: Sender, operation: BillsOperation, exported: boolean) {
  const { id, path, body, query, key, answer, filters } = operation;
  const names = path.match(/\w+(?=})/g) ?? [];
  return async (...given: unknown[]) => {
    const call = {
      path: names.map((name) => segmentOf(name, given.shift())),
      body: body && given.shift(),
      ...((query || key) && writeParameters(operation, given.shift())),
    };
    if (body) checkDates(id, call.body);
    const { exportFormat, returnObject } = call.query ?? {};
    if (!exportFormat === exported) throw invalidArgument(id, 'format');
    const file = answer && (filters ? exported : `${returnObject}` !== 'true');
    return sender[file ? 'sendForFile' : 'send'](operation, call, given[0] as CallOptions);
  };
}

/** All are texts and numbers but one, of which a text is made. */
const segmentOf = (name: string, value: unknown) =>
  name === 'approved' ? typeof value === 'boolean' && `${value}` : value;
