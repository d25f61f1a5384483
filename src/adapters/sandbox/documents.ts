/**
 * The documents API: who may call, and which operations there are. What each does stands in
 * document-acts.ts, or is the same for every kind of resource and stands here.
 */
import { apiVersions, currentForms, documentOperations } from '../documents/operations.js';
import { documentsValidators } from '../documents/schemas.js';
import type { RunStatus } from '../documents/types.js';
import { type Call, headerOf, jsonAnswer, Refused, type ServedOperation } from './call.js';
import type { Clock } from './clock.js';
import { documentActs, type Shop } from './document-acts.js';
import { type OutcomeSwitches, Runs, type RunTimes, type RunVerb } from './runs.js';
import type { Api } from './server.js';
import { type Kind, Store } from './store.js';
import { type Delivery, type WebhookOptions, Webhooks } from './webhooks.js';

export interface DocumentsOptions {
  /** What vendor headers begin with after `x-`; `service` if it is not said. */
  readonly vendorPrefix?: string;
  /** How long runs take; half a second if it is not said. */
  readonly times?: Partial<RunTimes>;
  readonly webhooks?: WebhookOptions;
}

/** The documents as a test sees them. */
export interface DocumentsState {
  /** The status of every run, by id. */
  runs(): ReadonlyMap<string, RunStatus>;
  readonly outcomes: OutcomeSwitches;
  /** Webhooks that were sent and answered. */
  readonly deliveries: readonly Delivery[];
  /** Ends when every webhook so far has been answered. */
  webhooksSettled(): Promise<void>;
}

const apiKey = 'sandbox-key';

export function createDocumentsApi(
  { vendorPrefix = 'service', ...options }: DocumentsOptions,
  clock: Clock,
  seed: number,
  origin: () => string,
) {
  if (!/^[\w-]+$/.test(vendorPrefix)) {
    const why = 'The vendor prefix may only contain letters, digits, hyphens and underscores';
    throw new RangeError(why);
  }
  const store = new Store(clock, seed, origin);
  const webhooks = new Webhooks(options.webhooks, vendorPrefix, store);
  const times = { pendingMs: 100, processingMs: 400, cancellingMs: 0, ...options.times };
  const runs = new Runs(store, times, webhooks);
  const shop: Shop = { store, runs, webhooks };
  const api: Api = {
    prefix: '/documents',
    operations,
    validators: documentsValidators,
    act(call) {
      if (call.operation.id === 'downloads.get') return store.download(call.path[0] ?? '');
      return jsonAnswer(200, act(shop, call));
    },
    admit(arrived, operation) {
      // Its address is signed.
      if (operation === 'downloads.get') return;
      if (headerOf(arrived, 'authorization') !== `Bearer ${apiKey}`) {
        throw new Refused(401, 'The API key is missing or not valid');
      }
      const versions: readonly string[] = apiVersions;
      const name = `x-${vendorPrefix}-api-version`;
      if (versions.includes(headerOf(arrived, name))) return;
      throw new Refused(400, `The header ${name} is missing, or names no version`);
    },
    refusal({ status, message }) {
      const code = codes.get(status) ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST');
      const retryable = status === 429 || status >= 500;
      return jsonAnswer(status, { code, message, retryable, requestId: store.newId('req_') });
    },
  };
  const state: DocumentsState = {
    runs: () => runs.statuses(),
    outcomes: runs,
    deliveries: webhooks.deliveries,
    webhooksSettled: () => webhooks.settled(),
  };
  return { api, state, stop: () => webhooks.stop() };
}

const codes: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [402, 'USAGE_BLOCKED'],
  [404, 'NOT_FOUND'],
  [410, 'ENDPOINT_REMOVED'],
  [429, 'RATE_LIMIT_EXCEEDED'],
]);

/**
 * The operations in the forms of the specification and of today. The specification has none that
 * makes a run of an evaluation set; without today's there would be no run to get.
 */
const operations: readonly ServedOperation[] = [
  ...documentOperations,
  ...documentOperations.map((each) => ({ ...each, ...currentForms[each.id] })),
  { id: 'evaluationSets.runs.create', method: 'POST', path: '/evaluation_set_runs' },
  { id: 'downloads.get', method: 'GET', path: '/downloads/{id}' },
];

/** An id is a kind and what is done to it: `extractors.versions` and `get`. */
function act(shop: Shop, call: Call): object {
  const { store, runs } = shop;
  const { path } = call;
  const { id } = call.operation;
  const own = documentActs.get(id);
  if (own !== undefined) return own(shop, call);
  const cut = id.lastIndexOf('.');
  const kind = id.slice(0, cut) as Kind;
  const one = path.at(-1) ?? '';
  // What belongs to a parent is found where the path names that; in one of the forms it does not.
  const parent = path.at(-2);
  switch (id.slice(cut + 1)) {
    case 'create':
      return store.add(kind, call.object());
    case 'update':
      store.find(kind, one, parent);
      return store.change(kind, one, call.object());
    case 'get':
      return store.find(kind, one, parent);
    case 'delete':
      return store.delete(kind, one, parent);
    case 'list':
      if (path.length > 0) store.find(kind.replace(/\.\w+$/, '') as Kind, one);
      return store.page(kind, call, path[0]);
    case 'cancel':
      // The specification wants a content type on every POST.
      call.json();
      return runs.cancel(kind.replace('Runs', '') as RunVerb, one);
    default:
      throw new Error(`nothing does ${id}`);
  }
}
