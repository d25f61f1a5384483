/** The documents API: who may call, and all that it offers, wired together. */
import { Refused } from '../answer.js';
import type { Api } from '../answer-request.js';
import { type Call, header, jsonObject } from '../call.js';
import { createIds } from '../chance.js';
import type { Schedule } from '../clock.js';
import { createRouter, type Route } from '../routes.js';
import { createDownloads } from './downloads.js';
import { documentsRefusal } from './errors.js';
import { evaluationRoutes } from './evaluation-sets.js';
import { createFiles } from './files.js';
import { editRun, parseRun, processedKinds, type RunKind, workflowRun } from './kinds.js';
import { createOutcomes, type OutcomeSwitches } from './outcome.js';
import { editRoutes, parseRoutes, processorRunRoutes } from './processing.js';
import { createProcessors } from './processors.js';
import { createRuns, type Run, type RunStatus, type RunTimes } from './runs.js';
import { createWebhooks, type Delivery, type WebhookOptions } from './webhooks.js';
import { type Wire, workflowRoutes } from './workflows.js';
import { createWorkspace } from './workspace.js';

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
): { readonly apis: readonly Api[]; readonly state: DocumentsState } {
  const vendorPrefix = options.vendorPrefix ?? 'service';
  const workspace = createWorkspace(clock, createIds(seed), origin);
  const downloads = createDownloads(workspace, seed);
  const files = createFiles(workspace, downloads);
  const outcomes = createOutcomes();
  const webhooks = createWebhooks(options.webhooks, vendorPrefix, workspace, downloads);
  const times = { ...defaultTimes, ...options.times };
  const wire = options.wire ?? 'both';
  const runsOf = (kind: RunKind) => createRuns(kind, times, workspace, webhooks);
  const workshop = { files, downloads, outcomes };

  const [parses, edits, flows] = [runsOf(parseRun), runsOf(editRun), runsOf(workflowRun)];
  const processing = processedKinds.map(([run, processor]) => ({
    runs: runsOf(run),
    processors: createProcessors(processor, workspace),
  }));
  const processors = processing.map((each) => each.processors);
  const routes: Route[] = [
    ...files.routes,
    ...processing.flatMap((each) => [
      ...processorRunRoutes(each.runs, each.processors, workshop),
      ...each.processors.routes,
    ]),
    ...parseRoutes(parses, workshop),
    ...editRoutes(edits, workshop),
    ...workflowRoutes(flows, { ...workshop, workspace, webhooks, wire }),
    ...evaluationRoutes({ workspace, files, processors, wire }),
    ...removedRoutes,
  ];
  const everyRun = (): readonly Run[] =>
    [...processing.map(({ runs }) => runs), parses, edits, flows].flatMap(({ collection }) =>
      collection.all(),
    );
  const api: Api = {
    prefix: '/documents',
    router: createRouter(wire === 'current' ? routes : routes.map(typed)),
    admit: (call) => admit(call, options.apiKey ?? 'sandbox-key', vendorPrefix),
    refusal: (refused) => documentsRefusal(refused, workspace.born('req_').id),
    declined: () => null,
  };
  return {
    apis: [api, downloads.api],
    state: {
      runs: () => new Map(everyRun().map(({ id, status }) => [id, status])),
      review: (id, decision) => void flows.review(id, decision === 'accept'),
      outcomes,
      deliveries: webhooks.deliveries,
      webhooksSettled: webhooks.settled,
    },
  };
}

const versions: ReadonlySet<string> = new Set([
  ...['2026-02-09', '2025-04-21', '2024-12-23', '2024-07-30'],
]);

function admit(call: Pick<Call, 'headers'>, apiKey: string, vendorPrefix: string): void {
  if (header(call, 'authorization') !== `Bearer ${apiKey}`) {
    throw new Refused(401, 'The API key is missing or not valid');
  }
  const name = `x-${vendorPrefix}-api-version`;
  const version = header(call, name);
  if (version === undefined) throw new Refused(400, `The header ${name} is missing`);
  if (!versions.has(version)) throw new Refused(400, `The header ${name} names no version`);
}

/** The specification wants a content type on every POST and PUT; today's service does not insist. */
function typed(route: Route): Route {
  const exempt = route.method !== 'POST' || route.operation === 'files.upload';
  return exempt ? route : { ...route, act: (call) => jsonObject(call) && route.act(call) };
}

/** Endpoints of older versions, which have a successor for each kind. */
const removedRoutes: readonly Route[] = ['/processor_runs', '/processors'].flatMap((path) =>
  [path, `${path}/{id}`].flatMap((template) =>
    ['GET', 'POST'].map((method) => ({
      operation: `removed${path.replace('/', '.')}`,
      method,
      template,
      act: () => {
        throw new Refused(410, `${path} was removed: use /extract, /classify or /split instead`);
      },
    })),
  ),
);
