/** The documents API: who may call, and all that it offers, wired together. */
import { Refused } from '../answer.js';
import type { Api } from '../answer-request.js';
import { jsonObject } from '../call.js';
import { createIds } from '../chance.js';
import type { Schedule } from '../clock.js';
import { createRouter, type Route } from '../routes.js';
import { createAdmission } from './admission.js';
import { createDownloads } from './downloads.js';
import { documentsRefusal } from './errors.js';
import { evaluationRoutes } from './evaluation-sets.js';
import { createFiles } from './files.js';
import { editRun, parseRun, processedKinds, type RunKind, workflowRun } from './kinds.js';
import { createOutcomes, type OutcomeSwitches } from './outcome.js';
import { editRoutes, parseRoutes, processorRunRoutes } from './processing.js';
import { createProcessors, type Processors } from './processors.js';
import type { RunStatus } from './run.js';
import { createRuns, type Runs, type RunTimes } from './runs.js';
import { createWebhooks, type Delivery, type WebhookOptions, type Webhooks } from './webhooks.js';
import { type Wire, type WorkflowParts, workflowRoutes } from './workflows.js';
import { createWorkspace, type Workspace } from './workspace.js';

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

export interface Documents {
  readonly apis: readonly Api[];
  readonly state: DocumentsState;
  /** Ends what is under way to others. */
  stop(): void;
}

export function createDocumentsApi(
  options: DocumentsOptions,
  clock: Schedule,
  seed: number,
  origin: () => string,
): Documents {
  const { vendorPrefix = 'service', wire = 'both', apiKey = 'sandbox-key' } = options;
  const workspace = createWorkspace(clock, createIds(seed), origin);
  const downloads = createDownloads(workspace, seed);
  const webhooks = createWebhooks(options.webhooks, vendorPrefix, workspace, downloads);
  const workshop = {
    files: createFiles(workspace, downloads),
    downloads,
    outcomes: createOutcomes(),
  };
  const runs = createEveryRuns({ ...defaultTimes, ...options.times }, workspace, webhooks);
  const routes = routesOf(runs, { ...workshop, workspace, webhooks, wire });
  const api: Api = {
    prefix: '/documents',
    router: createRouter(wire === 'current' ? routes : routes.map(typed)),
    admit: createAdmission(apiKey, vendorPrefix),
    refusal: (refused) => documentsRefusal(refused, workspace.born('req_').id),
    declined: () => null,
  };
  return {
    apis: [api, downloads.api],
    state: {
      runs: () => statusesOf(runs),
      review: (id, decision) => void runs.flows.review(id, decision === 'accept'),
      outcomes: workshop.outcomes,
      deliveries: webhooks.deliveries,
      webhooksSettled: webhooks.settled,
    },
    stop: webhooks.stop,
  };
}

/** The runs of every kind. */
interface EveryRuns {
  /** Those of processors, each with its processors. */
  readonly processed: readonly { readonly runs: Runs; readonly processors: Processors }[];
  readonly parses: Runs;
  readonly edits: Runs;
  readonly flows: Runs;
}

function createEveryRuns(times: RunTimes, workspace: Workspace, webhooks: Webhooks): EveryRuns {
  const runsOf = (kind: RunKind) => createRuns(kind, times, workspace, webhooks);
  return {
    processed: processedKinds.map(([run, processor]) => ({
      runs: runsOf(run),
      processors: createProcessors(processor, workspace),
    })),
    parses: runsOf(parseRun),
    edits: runsOf(editRun),
    flows: runsOf(workflowRun),
  };
}

function statusesOf({ processed, parses, edits, flows }: EveryRuns): Map<string, RunStatus> {
  const every = [...processed.map(({ runs }) => runs), parses, edits, flows];
  const all = every.flatMap(({ collection }) => collection.all());
  return new Map(all.map(({ id, status }) => [id, status]));
}

function routesOf({ processed, parses, edits, flows }: EveryRuns, parts: WorkflowParts): Route[] {
  const { files, workspace, wire } = parts;
  return [
    ...files.routes,
    ...processed.flatMap(({ runs, processors }) => [
      ...processorRunRoutes(runs, processors, parts),
      ...processors.routes,
    ]),
    ...parseRoutes(parses, parts),
    ...editRoutes(edits, parts),
    ...workflowRoutes(flows, parts),
    ...evaluationRoutes({
      workspace,
      files,
      processors: processed.map(({ processors }) => processors),
      wire,
    }),
    ...removedRoutes,
  ];
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
