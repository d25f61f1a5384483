/**
 * The documents API: who may call, and which operations there are.
 */
import { apiVersions, currentForms, documentOperations } from '../documents/operations.js';
import type { RunStatus } from '../documents/types.js';
import { type Answer, headerOf, jsonAnswer, Refused, type ServedOperation } from './call.js';
import type { Schedule } from './clock.js';
import { documentActs, type JsonAct, type Wire } from './document-acts.js';
import { createWorld, Downloads } from './resources.js';
import { type OutcomeSwitches, Outcomes, type RunKind, Runs, type RunTimes } from './runs.js';
import type { Act, Api } from './server.js';
import { createWebhooks, type Delivery, type WebhookOptions } from './webhooks.js';

export interface DocumentsOptions {
  readonly apiKey?: string;
  /** What vendor headers begin with after `x-`; `service` if it is not said. */
  readonly vendorPrefix?: string;
  /** Forms of requests that are understood: those of the specification, today's, or both. */
  readonly wire?: Wire;
  /** How long runs take; half a second if it is not said. */
  readonly times?: Partial<RunTimes>;
  readonly webhooks?: WebhookOptions;
}

/** The documents as a test sees them, and what only people behind the service can do. */
export interface DocumentsState {
  /** The status of every run, by id. */
  runs(): ReadonlyMap<string, RunStatus>;
  /** Decides about a workflow run that needs review. */
  review(runId: string, decision: 'accept' | 'reject'): void;
  readonly outcomes: OutcomeSwitches;
  /** Webhooks that were sent and answered. */
  readonly deliveries: readonly Delivery[];
  /** Ends when every webhook so far has been answered. */
  webhooksSettled(): Promise<void>;
}

const defaultTimes: RunTimes = { pendingMs: 100, processingMs: 400, cancellingMs: 0 };

export function createDocumentsApi(
  options: DocumentsOptions,
  clock: Schedule,
  seed: number,
  origin: () => string,
) {
  const { vendorPrefix = 'service', wire = 'both', apiKey = 'sandbox-key' } = options;
  const world = createWorld(clock, seed, () => `${origin()}/documents`);
  const downloads = new Downloads(world);
  const webhooks = createWebhooks(options.webhooks, vendorPrefix, downloads);
  const outcomes = new Outcomes();
  const times = { ...defaultTimes, ...options.times };
  const runsOf = (kind: RunKind, prefix: string) => new Runs(world, kind, prefix, times, webhooks);
  const runs = {
    extract: runsOf('extract', 'exr_'),
    classify: runsOf('classify', 'clr_'),
    split: runsOf('split', 'spr_'),
    parse: runsOf('parse', 'pr_'),
    edit: runsOf('edit', 'edr_'),
    workflow: runsOf('workflow', 'workflow_run_'),
  };
  const acts = Object.entries(documentActs({ world, downloads, webhooks, outcomes, runs, wire }));
  const api: Api = {
    prefix: '/documents',
    operations: operationsIn(wire),
    acts: {
      ...Object.fromEntries(acts.map(([id, act]) => [id, answering(act, wire)])),
      'downloads.get': (call) => downloads.answer(call),
    },
    admit: doorFor(apiKey, vendorPrefix),
    refusal: ({ status, message }) => {
      const code = codes.get(status) ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST');
      const retryable = status === 429 || status >= 500;
      return jsonAnswer(status, { code, message, retryable, requestId: world.newId('req_') });
    },
  };
  const state: DocumentsState = {
    runs: () => new Map(Object.values(runs).flatMap((each) => each.statuses())),
    review: (id, decision) => runs.workflow.review(id, decision),
    outcomes,
    deliveries: webhooks.deliveries,
    webhooksSettled: webhooks.settled,
  };
  return { api, state, stop: webhooks.stop };
}

/**
 * The operations in the forms that are understood. The specification has none that makes a run of an
 * evaluation set; today's is served in every form, since without it there would be no run to get.
 */
function operationsIn(wire: Wire): ServedOperation[] {
  const today = documentOperations.flatMap((each) => {
    const form = currentForms[each.id];
    return form === null ? [] : [{ ...each, ...form }];
  });
  return [
    ...(wire === 'current' ? [] : documentOperations),
    ...(wire === 'spec' ? [] : today),
    { id: 'evaluationSets.runs.create', method: 'POST', path: '/evaluation_set_runs' },
    { id: 'downloads.get', method: 'GET', path: '/downloads/{id}' },
  ];
}

function answering(act: JsonAct, wire: Wire): Act {
  return (call): Answer => {
    const { id, method } = call.operation;
    // The specification wants a content type on every POST; today's service does not insist.
    if (wire !== 'current' && method === 'POST' && id !== 'files.upload') call.object();
    return jsonAnswer(200, act(call));
  };
}

function doorFor(apiKey: string, vendorPrefix: string): Api['admit'] {
  if (!/^[\w-]+$/.test(vendorPrefix)) {
    throw new RangeError(
      'The vendor prefix has other than letters, digits, hyphens and underscores',
    );
  }
  const name = `x-${vendorPrefix}-api-version`;
  const versions: readonly string[] = apiVersions;
  return (arrived, operation) => {
    // Its address is signed.
    if (operation === 'downloads.get') return;
    if (headerOf(arrived, 'authorization') !== `Bearer ${apiKey}`) {
      throw new Refused(401, 'The API key is missing or not valid');
    }
    const version = headerOf(arrived, name);
    if (version === '') throw new Refused(400, `The header ${name} is missing`);
    if (!versions.includes(version)) throw new Refused(400, `The header ${name} names no version`);
  };
}

const codes: ReadonlyMap<number, string> = new Map([
  [401, 'UNAUTHORIZED'],
  [402, 'USAGE_BLOCKED'],
  [404, 'NOT_FOUND'],
  [410, 'ENDPOINT_REMOVED'],
  [429, 'RATE_LIMIT_EXCEEDED'],
]);
