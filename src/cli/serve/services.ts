/**
 * The clients that a configuration describes, and the secret of the platform.
 *
 * In: where the services are, and which environment variables hold credentials. Out: clients, and
 * faults of what cannot be. No value of a variable stands in a fault.
 */
import type { Secret } from '../../adapters/tools/options.js';
import {
  ApiError,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
} from '../../bills.js';
import {
  createDocumentsClient,
  type DocumentsClient,
  type DocumentsClientOptions,
} from '../../documents.js';
import type { Io } from '../io.js';
import type { BillsPlace, DocumentsPlace, Fault, ServeConfig } from './config.js';

export interface ServedServices {
  readonly bills?: BillsClient;
  readonly documents?: DocumentsClient;
}

/** Reads environment variables, and notes those that are not set. */
export type Variables = (name: string, at: string) => string;

export function variablesOf({ env }: Io, faults: Fault[]): Variables {
  return (name, at) => {
    const value = env[name];
    if (!value) faults.push({ at, what: 'names an environment variable that is not set' });
    return value ?? '';
  };
}

export function secretOf({ secret }: ServeConfig, variable: Variables): Secret | undefined {
  if (secret === undefined) return undefined;
  const { env, header } = secret;
  const values = [env].flat().map((name) => variable(name, '/secret/env'));
  return { values, ...(header !== undefined && { header }) };
}

export function servicesOf(
  { bills, documents }: ServeConfig,
  variable: Variables,
  faults: Fault[],
): ServedServices {
  return {
    ...(bills && made('bills', faults, () => ({ bills: billsOf(bills, variable) }))),
    ...(documents &&
      made('documents', faults, () => ({ documents: documentsOf(documents, variable) }))),
  };
}

function billsOf(place: BillsPlace, variable: Variables): BillsClient {
  const { baseUrl, apiKeyEnv, apiKeyHeader, bearerEnv, clientIdEnv, clientSecretEnv, tokenUrl } =
    place;
  const named = (name: keyof BillsPlace, from: string | undefined) =>
    from === undefined ? undefined : variable(from, `/bills/${name}`);
  const auth = {
    apiKey: named('apiKeyEnv', apiKeyEnv),
    bearer: named('bearerEnv', bearerEnv),
    clientId: named('clientIdEnv', clientIdEnv),
    clientSecret: named('clientSecretEnv', clientSecretEnv),
    ...(apiKeyHeader !== undefined && { header: apiKeyHeader }),
    ...(tokenUrl !== undefined && { tokenUrl }),
  };
  // Which of them are there, and whether that is enough, the client judges.
  return createBillsClient({ baseUrl, auth } as BillsClientOptions);
}

function documentsOf({ apiKeyEnv, ...place }: DocumentsPlace, variable: Variables) {
  const apiKey = variable(apiKeyEnv, '/documents/apiKeyEnv');
  return createDocumentsClient({ ...place, apiKey } as DocumentsClientOptions);
}

const reasons: Readonly<Record<string, string>> = {
  baseUrl: 'has an address that is neither https, nor http on this machine, and nothing else',
  auth: 'has no credentials that can be sent: apiKeyEnv, bearerEnv, or clientIdEnv and clientSecretEnv',
  apiKey: 'has a key that cannot be sent',
  apiVersion: 'has a version of the API that there is not',
  vendorPrefix: 'has a vendorPrefix that cannot stand in a header',
};

/** A variable that is not set is a fault already; what follows from it is none. */
function made<Client>(name: string, faults: Fault[], make: () => Client): Client | undefined {
  const before = faults.length;
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const what = reasons[`${error.reason}`] ?? `cannot have this ${error.reason}`;
    if (faults.length === before) faults.push({ at: `/${name}`, what });
    return undefined;
  }
}
