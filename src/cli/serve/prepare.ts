/**
 * Turns flags and configuration into the options of the handler, with clients of the services or of
 * a sandbox. Tries everything before the server listens. Messages never hold the value of a
 * variable.
 */

import { createToolHandler } from '../../adapters/tools/handler.js';
import type { ToolHandlerOptions } from '../../adapters/tools/options.js';
import { isLoopback, isNoBrowser } from '../../adapters/tools/server.js';
import { toolDefinitions } from '../../adapters/tools/table.js';
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
import type { Context } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import {
  type Fault,
  readConfig,
  refuseFaulty,
  type ServeConfig,
  type ServicePlace,
} from './config.js';

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly config?: string;
  readonly sandbox?: true;
}

/** The clients that calls go to, and the configuration. */
export interface Stage {
  readonly config: ServeConfig;
  readonly bills?: BillsClient | undefined;
  readonly documents?: DocumentsClient | undefined;
  /** The id of a bill to try, if there is a sandbox. */
  readonly idBill?: number | undefined;
  readonly end?: () => Promise<void>;
}

export interface Served extends Stage {
  readonly options: ToolHandlerOptions;
  close(): Promise<void>;
}

/** The value of an environment variable; `at` points to its name in the configuration. */
type Variable = (name: string, at: string) => string;

export async function prepare(flags: ServeFlags, context: Context): Promise<Served> {
  const { io } = context;
  const file = flags.config;
  const given = file === undefined ? {} : await readConfig(file, context);
  if (given.secret === undefined && !isLoopback(flags.host)) {
    throw new Refusal(
      'a server that others can reach needs a secret\n' +
        '  help: Name the environment variable that holds it in the configuration: ' +
        '"secret": { "env": "…" }. Without one, only 127.0.0.1, ::1 and localhost are listened on.',
      exitCodes.wrongUsage,
    );
  }
  const faults: Fault[] = [];
  const variable: Variable = (name, at) => {
    const value = io.env[name];
    if (!value) faults.push({ at, what: 'names an environment variable that is not set' });
    return value ?? '';
  };
  const { secret: door } = given;
  const value = [door?.env ?? []].flat().map((name) => variable(name, '/secret/env'));
  const secret = door && { value, ...(door.header !== undefined && { header: door.header }) };
  const stage = flags.sandbox ? await startTrial(given) : realOf(given, variable, faults);
  const { bills, documents, config, end } = stage;
  const close = async () => {
    await Promise.all([bills?.close(), documents?.close()]);
    await end?.();
  };
  const { allow, bind, tools, fileHosts, say, limits } = config;
  const parts = Object.entries({ bills, documents, allow, bind, tools, fileHosts, say, limits });
  const options = {
    ...Object.fromEntries(parts.filter(([, part]) => part !== undefined)),
    ...(secret ? { secret } : { authorize: isNoBrowser }),
  } as ToolHandlerOptions;
  // With a variable missing, further faults would only follow from that.
  if (faults.length === 0) made('', faults, () => createToolHandler(options));
  if (faults.length > 0) await close();
  refuseFaulty(file ?? 'the configuration', faults);
  return { ...stage, options, close };
}

function realOf(config: ServeConfig, variable: Variable, faults: Fault[]): Stage {
  const bills =
    config.bills &&
    made('/bills', faults, () => {
      const { baseUrl, apiKeyHeader, ...auth } = valuesOf(config.bills!, '/bills', variable);
      // The client checks whether these are enough.
      const header = apiKeyHeader === undefined ? {} : { header: apiKeyHeader };
      return createBillsClient({ baseUrl, auth: { ...auth, ...header } } as BillsClientOptions);
    });
  const documents =
    config.documents &&
    made('/documents', faults, () => {
      const values: unknown = valuesOf(config.documents!, '/documents', variable);
      return createDocumentsClient(values as DocumentsClientOptions);
    });
  return { config, bills, documents };
}

/** The members of a service, with the values of the variables that they name. */
function valuesOf(place: ServicePlace, at: string, variable: Variable): Record<string, string> {
  const values = Object.entries(place).map(([member, text]) =>
    member.endsWith('Env')
      ? [member.slice(0, -'Env'.length), variable(text, `${at}/${member}`)]
      : [member, text],
  );
  return Object.fromEntries(values);
}

/** The message for each option that a client or the handler refuses. */
const reasons: Readonly<Record<string, string>> = {
  baseUrl: 'is neither https, nor http on this machine, and nothing else',
  auth: 'cannot be sent: it takes apiKeyEnv, bearerEnv, or clientIdEnv and clientSecretEnv',
  apiKey: 'cannot be sent',
  secret: 'cannot be sent in a header, or not in this one',
  fileHosts: 'has to hold hosts, such as files.example.com',
  allow: 'names an operation that there is not (squadc tools list), or one without its service',
  bind: 'has to be bound, here or with its tool, and not otherwise',
  tools: 'names an operation that there is not (squadc tools list), or binds what it cannot',
  say: 'cannot be said',
};

/** Calls `make`. If it refuses, adds a fault that names the option but never its value. */
function made<Made>(at: string, faults: Fault[], make: () => Made): Made | undefined {
  const before = faults.length;
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [option = ''] = (error.reason ?? '').split(':');
    const what = reasons[option.split('.')[0]!] ?? 'cannot be';
    if (faults.length === before) faults.push({ at: `${at}/${option.replaceAll('.', '/')}`, what });
    return undefined;
  }
}

/**
 * Starts a sandbox in this process, with some data in it. Binds everything that tools need and that
 * the configuration does not bind.
 */
async function startTrial(given: ServeConfig): Promise<Stage> {
  const { createSandbox } = await import('../../adapters/sandbox/sandbox.js');
  const sandbox = await createSandbox();
  const apiKey = 'sandbox-key';
  const bills = createBillsClient({ baseUrl: sandbox.billsUrl, auth: { apiKey } });
  const documents = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey });
  const bind = { ...(await standIns(documents)), ...given.bind };
  // Creates a bill for every account bound to a fixed value. The others are not known yet.
  const own = Object.values(given.tools ?? {}).map(
    (tool) => typeof tool !== 'string' && tool.bind?.['entry'],
  );
  const entries = new Set([bind.entry, ...own].map(String));
  const ids: number[] = [];
  for (const entry of entries) {
    if (!/^[\w-]{1,100}$/.test(entry)) continue;
    const { responseData } = await bills.create(entry, {
      billNumber: 'TRIAL-1',
      billDate: '2026-01-31',
      dueDate: '2026-02-28',
      netAmount: 125.5,
      vendor: { vendorNumber: 'V-1' },
    });
    ids.push(Number(responseData));
  }
  return {
    config: {
      ...given,
      allow: given.allow ?? Object.keys(toolDefinitions),
      fileHosts: given.fileHosts ?? ['files.example.com'],
      bind,
    },
    bills,
    documents,
    idBill: ids[0],
    end: () => sandbox.close(),
  };
}

/** Values for the parameters that a caller never decides. */
async function standIns({ extractors, classifiers, splitters, workflows }: DocumentsClient) {
  const named = { name: 'trial' };
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const [extractor, classifier, splitter, workflow] = await Promise.all([
    extractors.create({ ...named, config: { schema } }),
    classifiers.create({ ...named, config: { classifications: [] } }),
    splitters.create({ ...named, config: { splitClassifications: [] } }),
    workflows.create(named),
  ]);
  return {
    entry: 'shop',
    orgId: 100,
    users: ['approver@example.com'],
    extractorId: extractor.id,
    classifierId: classifier.id,
    splitterId: splitter.id,
    workflowId: workflow.id,
  };
}
