/**
 * The documents API: who may call, and which operations exist. document-acts.ts carries them out.
 */
import { apiVersions, currentForms, documentOperations } from '../documents/operations.js';
import { documentsValidators } from '../documents/schemas.js';
import type { RunStatus } from '../documents/types.js';
import { fileAnswer, headerOf, jsonAnswer, Refused, type ServedOperation } from './call.js';
import type { Clock } from './clock.js';
import { actOn } from './document-acts.js';
import { type OutcomeSwitches, Runs, type RunTimes } from './runs.js';
import type { Api } from './server.js';
import { Store } from './store.js';
import { type Delivery, type WebhookOptions, Webhooks } from './webhooks.js';

export interface DocumentsOptions {
  /** Vendor prefix of header names, after `x-`. Default: `service`. */
  readonly vendorPrefix?: string;
  /** How long runs take. Default: half a second. */
  readonly times?: Partial<RunTimes>;
  readonly webhooks?: WebhookOptions;
}

/** The documents as a test sees them. */
export interface DocumentsState {
  /** The status of every run, by id. */
  runs(): ReadonlyMap<string, RunStatus>;
  readonly outcomes: OutcomeSwitches;
  /** Webhooks that were sent, and their answers. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when every webhook so far has been answered or has failed. */
  webhooksSettled(): Promise<void>;
}

const codes: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [402, 'USAGE_BLOCKED'],
  [404, 'NOT_FOUND'],
  [410, 'ENDPOINT_REMOVED'],
  [429, 'RATE_LIMIT_EXCEEDED'],
]);

/**
 * The operations as specified and as accepted today. Neither can start a run of an evaluation set,
 * so there is none to get.
 */
const operations: readonly ServedOperation[] = [
  ...documentOperations,
  ...documentOperations.map((each) => ({ ...each, ...currentForms[each.id] })),
  { id: 'downloads.get', method: 'GET', path: '/downloads/{id}' },
];

/** The API without any documents, and its state; `origin` is the address of the server. */
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
  const api: Api = {
    prefix: '/documents',
    operations,
    validators: documentsValidators,
    act(call) {
      if (call.operation.id !== 'downloads.get') {
        return jsonAnswer(200, actOn({ store, runs, webhooks }, call));
      }
      const { content, type, name } = store.download(call.path[0] ?? '');
      return fileAnswer(content, type, name);
    },
    admit(arrived, operation) {
      // The address is signed, and needs no other credential.
      if (operation === 'downloads.get') return;
      if (headerOf(arrived, 'authorization') !== 'Bearer sandbox-key') {
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
