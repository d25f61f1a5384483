/**
 * What `squadc serve` needs before it listens: the configuration, the options of the handler, and
 * clients of the services or of a sandbox. The configuration is untrusted: faults are reported all
 * at once, and never repeat a value or a variable, which may be secret.
 */
import {
  ApiError,
  type BillsClient,
  type BillsClientOptions,
  createBillsClient,
} from '../bills.js';
import { faultInWords, soleFaults } from '../diagnostics/schema-fault.js';
import {
  createDocumentsClient,
  type DocumentsClient,
  type DocumentsClientOptions,
} from '../documents.js';
import { createSandbox } from '../sandbox/sandbox.js';
import { serveConfigSchema } from '../schemas/serve-config-document.generated.js';
import { validateServeConfig } from '../schemas/serve-config-validator.generated.js';
import { createToolHandler } from '../serve/handler.js';
import type { Limits, ToolHandlerOptions } from '../serve/options.js';
import { isLoopback, isNoBrowser, type ServerLimits } from '../serve/server.js';
import { toolDefinitions } from '../serve/table.js';
import { child, type JsonPointer } from '../text/pointer.js';
import type { Context } from './command.js';
import { inputName, readInput } from './files.js';
import { exitCodes, Refusal } from './io.js';

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly config?: string;
  readonly sandbox?: true;
}

/** Members that end in `Env` name environment variables; the schema says which there are. */
interface ServeConfig extends Pick<ToolHandlerOptions, 'allow' | 'tools' | 'fileHosts' | 'say'> {
  readonly secret?: { readonly env: string | readonly string[]; readonly header?: string };
  readonly bills?: Readonly<Record<string, string>>;
  readonly documents?: Readonly<Record<string, string>>;
  readonly bind?: Readonly<Record<string, unknown>>;
  /** Limits for calls. */
  readonly limits?: Partial<Limits>;
  /** Limits for connections and requests. */
  readonly server?: Partial<ServerLimits>;
}

interface Stage {
  readonly config: ServeConfig;
  readonly bills?: BillsClient | undefined;
  readonly documents?: DocumentsClient | undefined;
  /** The id of a bill to try with `get_bill`, if there is a sandbox and no tool replaces that name. */
  readonly idBill?: number | undefined;
  readonly end?: () => Promise<void>;
}

export interface Served extends Stage {
  readonly options: ToolHandlerOptions;
  close(): Promise<void>;
}

export async function prepare(flags: ServeFlags, context: Context): Promise<Served> {
  const { config: file } = flags;
  const faults: string[] = [];
  const refuseFaulty = () => {
    if (faults.length === 0) return;
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`;
    throw new Refusal([`${inputName(file!)} has ${count}:`, ...faults].join('\n  '));
  };
  const given = file === undefined ? {} : await readConfig(file, context, faults);
  refuseFaulty();
  if (given.secret === undefined && !isLoopback(flags.host)) {
    throw new Refusal(
      'a server that others can reach needs a secret\n' +
        '  help: Name the environment variable that holds it in the configuration: ' +
        '"secret": { "env": "…" }. Without one, only 127.0.0.1, ::1 and localhost are listened on.',
      exitCodes.wrongUsage,
    );
  }
  const variable = (name: string, at: JsonPointer) => {
    const value = context.io.env[name];
    if (!value) faults.push(`${at} names an environment variable that is not set`);
    return value ?? '';
  };
  const value = [given.secret?.env ?? []].flat().map((name) => variable(name, '/secret/env'));
  const stage = flags.sandbox ? await startTrial(given) : realStage(given, variable, faults);
  const { bills, documents, config, end } = stage;
  const { secret: _, server: __, ...others } = config;
  const { header } = given.secret ?? {};
  const options = {
    ...{ ...others, bills, documents },
    ...(given.secret
      ? { secret: { value, ...(header && { header }) } }
      : { authorize: isNoBrowser }),
  } as ToolHandlerOptions;
  const close = async () => {
    await Promise.all([bills?.close(), documents?.close()]);
    await end?.();
  };
  // With a variable missing, further faults would only follow from that.
  if (faults.length === 0) made('', faults, () => createToolHandler(options));
  if (faults.length > 0) await close();
  refuseFaulty();
  return { ...stage, options, close };
}

async function readConfig(
  file: string,
  { io, api }: Context,
  faults: string[],
): Promise<ServeConfig> {
  // The reader of workflows only parses, so it reads any JSON.
  const { workflow: value, diagnostics } = api.readWorkflow(await readInput(file, io));
  for (const { line, column, message } of diagnostics) {
    faults.push(`line ${line}, column ${column}: ${message}`);
  }
  if (diagnostics.length > 0 || validateServeConfig(value)) return value as ServeConfig;
  for (const fault of soleFaults(validateServeConfig.errors ?? [])) {
    const { instancePath: at, params } = fault;
    const extra = String(params['additionalProperty']);
    if (/^(?:apiKey|bearer|clientId|clientSecret)$/.test(extra)) {
      const instead = `name an environment variable in ${extra}Env`;
      faults.push(`${child(at, extra)} is not written into a file: ${instead}`);
    } else {
      const problem = faultInWords([{ ...fault, instancePath: '' }], serveConfigSchema);
      faults.push(`${at} ${problem.replace('the value ', '')}`.trim());
    }
  }
  return {};
}

/** Clients of the services, with the values of the variables that the configuration names. */
function realStage(
  config: ServeConfig,
  variable: (name: string, at: JsonPointer) => string,
  faults: string[],
): Stage {
  const valuesOf = (service: 'bills' | 'documents'): Record<string, string> => {
    const values = Object.entries(config[service]!).map(([member, text]) =>
      member.endsWith('Env')
        ? [member.slice(0, -'Env'.length), variable(text, `/${service}/${member}`)]
        : [member, text],
    );
    return Object.fromEntries(values);
  };
  const bills =
    config.bills &&
    made('/bills', faults, () => {
      const { baseUrl, apiKeyHeader: header, ...auth } = valuesOf('bills');
      // The client checks whether these are enough.
      const options: unknown = { baseUrl, auth: { ...auth, ...(header && { header }) } };
      return createBillsClient(options as BillsClientOptions);
    });
  const documents =
    config.documents &&
    made('/documents', faults, () => {
      const options: unknown = valuesOf('documents');
      return createDocumentsClient(options as DocumentsClientOptions);
    });
  return { config, bills, documents };
}

/** The message for each option that a client or the handler refuses. */
const reasons: Readonly<Record<string, string>> = {
  baseUrl: 'must be an https address, or http on this machine, without user name or query',
  auth: 'is invalid: use apiKeyEnv, bearerEnv, or clientIdEnv and clientSecretEnv',
  apiKey: 'contains characters that cannot be sent',
  secret: 'contains characters that cannot be sent, or names a header that cannot be used',
  fileHosts: 'must list host names, such as files.example.com',
  allow: 'names an unknown operation (squadc tools list), or one of a service that is not set',
  bind: 'must be bound, either here or with its tool, to a valid value',
  tools: 'names an unknown operation (squadc tools list), or binds an unknown parameter of it',
  say: 'names a field that cannot be returned to the assistant',
};

/** What `make` returns. If it refuses an option, adds a fault of that option without its value. */
function made<Made>(at: JsonPointer, faults: string[], make: () => Made): Made | undefined {
  const before = faults.length;
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [option = ''] = (error.reason ?? '').split(':');
    const what = reasons[option.split('.')[0]!] ?? 'is invalid';
    // A variable that is not set may be the only reason.
    if (faults.length === before) faults.push(`${at}/${option.replaceAll('.', '/')} ${what}`);
    return undefined;
  }
}

/**
 * Starts a sandbox in this process, with some data in it. Binds everything that tools need and that
 * the configuration does not bind.
 */
async function startTrial(given: ServeConfig): Promise<Stage> {
  const sandbox = await createSandbox();
  const apiKey = 'sandbox-key';
  const bills = createBillsClient({ baseUrl: sandbox.billsUrl, auth: { apiKey } });
  const documents = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey });
  const bind = { ...(await standIns(documents)), ...given.bind };
  const tools = Object.values(given.tools ?? {}).map((tool) => {
    return typeof tool === 'string' ? { operation: tool } : tool;
  });
  // Creates a bill for every account bound to a fixed value. The others are not known yet.
  const entries = [{ bind }, ...tools].map((each) => String(each.bind?.['entry']));
  const ids: number[] = [];
  for (const entry of new Set(entries)) {
    if (!/^[\w-]{1,100}$/.test(entry)) continue;
    const { responseData } = await bills.create(entry, {
      billNumber: 'TRIAL-1',
      billDate: '2026-01-31',
      dueDate: '2026-02-28',
      netAmount: 125.5,
    });
    ids.push(Number(responseData));
  }
  const defaults = { allow: Object.keys(toolDefinitions), fileHosts: ['files.example.com'] };
  return {
    config: { ...defaults, ...given, bind },
    bills,
    documents,
    idBill: tools.some(({ operation }) => operation === 'bills.get') ? undefined : ids[0],
    end: () => sandbox.close(),
  };
}

/** Values for the parameters that a caller never decides. */
async function standIns({ extractors, classifiers, splitters, workflows }: DocumentsClient) {
  const name = 'trial';
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const [extractor, classifier, splitter, workflow] = await Promise.all([
    extractors.create({ name, config: { schema } }),
    classifiers.create({ name, config: { classifications: [] } }),
    splitters.create({ name, config: { splitClassifications: [] } }),
    workflows.create({ name }),
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
