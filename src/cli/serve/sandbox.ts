/**
 * The sandbox behind `squadc serve --sandbox`: services for a trial, with something in them.
 *
 * In: the configuration, if there is one. Out: clients of a sandbox in this process, and a
 * configuration in which everything is bound that tools need and that is not bound yet.
 */
import type { Sandbox } from '../../adapters/sandbox/sandbox.js';
import { toolDefinitions } from '../../adapters/tools/table.js';
import { createBillsClient } from '../../bills.js';
import { createDocumentsClient } from '../../documents.js';
import type { ServeConfig } from './config.js';
import type { ServedServices } from './services.js';

export interface Trial {
  readonly config: ServeConfig;
  readonly services: Required<ServedServices>;
  /** Of a bill that is there. */
  readonly idBill: number | undefined;
  end(): Promise<void>;
}

export async function startTrial(given: ServeConfig): Promise<Trial> {
  const { createSandbox } = await import('../../adapters/sandbox/sandbox.js');
  // Nobody looks at the requests here.
  const sandbox = await createSandbox({ keepRequests: 0 });
  const services = clientsOf(sandbox);
  const { bind, entries } = await bindingsFor(given, services);
  const ids: number[] = [];
  for (const entry of entries) ids.push(await newBill(services, entry));
  return {
    config: {
      ...given,
      allow: given.allow ?? Object.keys(toolDefinitions),
      fileHosts: given.fileHosts ?? ['files.example.com'],
      bind,
    },
    services,
    idBill: ids[0],
    end: () => sandbox.close(),
  };
}

function clientsOf({ billsUrl, documentsUrl }: Sandbox): Required<ServedServices> {
  return {
    bills: createBillsClient({ baseUrl: billsUrl, auth: { apiKey: 'sandbox-key' } }),
    documents: createDocumentsClient({ baseUrl: documentsUrl, apiKey: 'sandbox-key' }),
  };
}

/** What is bound already goes first; all entries that are bound somewhere get a bill. */
async function bindingsFor({ bind = {}, tools = {} }: ServeConfig, services: Trial['services']) {
  const shared = { ...(await standIns(services)), ...bind };
  const own = Object.values(tools).map((tool) => typeof tool !== 'string' && tool.bind?.['entry']);
  const entries = [shared.entry, ...own].filter(isPlain);
  return { bind: shared, entries: new Set(entries) };
}

/** One that the platform fills in is not known here, and a wrong one is refused elsewhere. */
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && /^[\w-]{1,100}$/.test(value);
}

async function standIns({ documents }: Trial['services']) {
  const named = { name: 'trial' };
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const made = await Promise.all([
    documents.extractors.create({ ...named, config: { schema } }),
    documents.classifiers.create({ ...named, config: { classifications: [] } }),
    documents.splitters.create({ ...named, config: { splitClassifications: [] } }),
    documents.workflows.create(named),
  ]);
  const [extractorId, classifierId, splitterId, workflowId] = made.map(({ id }) => id);
  const users = ['approver@example.com'];
  return { entry: 'shop', orgId: 100, users, extractorId, classifierId, splitterId, workflowId };
}

async function newBill({ bills }: Trial['services'], entry: string): Promise<number> {
  const { responseData } = await bills.create(entry, {
    billNumber: 'TRIAL-1',
    billDate: '2026-01-31',
    dueDate: '2026-02-28',
    netAmount: 125.5,
    vendor: { vendorNumber: 'V-1' },
  });
  return Number(responseData);
}
