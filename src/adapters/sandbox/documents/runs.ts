/**
 * Runs: how they begin, go on by the clock, end, and are cancelled while they have not ended.
 *
 *     PENDING → PROCESSING → PROCESSED | FAILED | NEEDS_REVIEW | REJECTED
 *     PENDING, PROCESSING → (CANCELLING →) CANCELLED
 *     NEEDS_REVIEW → PROCESSED | REJECTED        by a reviewer
 */
import { Refused } from '../answer.js';
import type { JsonObject } from '../call.js';
import { timestamp } from '../clock.js';
import { type Collection, createCollection, type Resource } from './collection.js';
import type { RunKind } from './kinds.js';
import type { Outcome } from './outcome.js';
import type { Webhooks } from './webhooks.js';
import type { Workspace } from './workspace.js';

export type RunStatus =
  | 'PENDING'
  | 'PROCESSING'
  | 'PROCESSED'
  | 'FAILED'
  | 'CANCELLING'
  | 'CANCELLED'
  | 'NEEDS_REVIEW'
  | 'REJECTED';

export interface Run extends Resource {
  readonly status: RunStatus;
  readonly output: unknown;
  readonly failureReason: string | null;
  readonly failureMessage: string | null;
  readonly metadata: JsonObject | null;
  /** What the kind has beside this, as it is shown. */
  readonly details: JsonObject;
  /** What lists filter by. */
  readonly facts: ReadonlyMap<string, string>;
}

export interface RunTimes {
  /** From the request to PROCESSING, in milliseconds. */
  readonly pendingMs: number;
  /** From PROCESSING to the end. */
  readonly processingMs: number;
  /** From the request to cancel to CANCELLED; 0 leaves CANCELLING out. */
  readonly cancellingMs: number;
}

/** What a request starts. */
export interface RunRequest {
  readonly outcome: Outcome;
  readonly metadata: JsonObject | null;
  readonly details: JsonObject;
  readonly facts: ReadonlyMap<string, string>;
  /** Makes the output, at the end of a run that succeeds. */
  readonly makeOutput: () => unknown;
}

export interface Runs {
  readonly kind: RunKind;
  readonly collection: Collection<Run>;
  render(run: Run): object;
  /** Starts a run that goes on by the clock. */
  start(request: RunRequest): Run;
  /** Starts a run and ends it at once. */
  complete(request: RunRequest): Run;
  cancel(id: string): Run;
  update(id: string, change: Partial<Run>): Run;
  /** Decides about a run that needs review. */
  review(id: string, accepted: boolean): Run;
}

const unfinished: ReadonlySet<RunStatus> = new Set(['PENDING', 'PROCESSING', 'CANCELLING']);

export function createRuns(
  kind: RunKind,
  times: RunTimes,
  workspace: Workspace,
  webhooks: Webhooks,
): Runs {
  const collection = createCollection<Run>(kind.object);
  const { clock } = workspace;
  const render = (run: Run): object => renderRun(kind, run);
  const update = (id: string, change: Partial<Run>): Run =>
    collection.replace(workspace.changed(collection.find(id), change));
  const begin = ({ metadata, details, facts }: RunRequest): Run =>
    collection.add({
      ...workspace.born(kind.prefix),
      status: 'PENDING',
      output: null,
      failureReason: null,
      failureMessage: null,
      metadata,
      details,
      facts,
    });
  const finish = (id: string, { outcome, makeOutput }: RunRequest): Run => {
    const { status, failureReason } = outcome;
    const failed = status === 'FAILED';
    const run = update(id, {
      status,
      failureReason,
      failureMessage: failed ? 'The sandbox was told to fail' : null,
      output: failed ? null : makeOutput(),
    });
    announce(kind, run, webhooks, render);
    return run;
  };
  /** Does the next step of a run, if it has not ended or gone meanwhile. */
  const later = (id: string, afterMs: number, from: RunStatus, step: () => void): void =>
    clock.at(clock.now() + afterMs, () => {
      if (collection.has(id) && collection.find(id).status === from) step();
    });
  return {
    kind,
    collection,
    render,
    update,
    complete: (request) => finish(begin(request).id, request),
    start(request) {
      const run = begin(request);
      later(run.id, times.pendingMs, 'PENDING', () => {
        update(run.id, { status: 'PROCESSING' });
        later(run.id, times.processingMs, 'PROCESSING', () => finish(run.id, request));
      });
      return run;
    },
    cancel(id) {
      const { status } = collection.find(id);
      if (!unfinished.has(status)) throw new Refused(400, `The run has ended (${status})`);
      if (times.cancellingMs === 0) return update(id, { status: 'CANCELLED' });
      later(id, times.cancellingMs, 'CANCELLING', () => update(id, { status: 'CANCELLED' }));
      return update(id, { status: 'CANCELLING' });
    },
    review(id, accepted) {
      if (collection.find(id).status !== 'NEEDS_REVIEW') throw new RangeError('nothing to review');
      const run = update(id, { status: accepted ? 'PROCESSED' : 'REJECTED' });
      announce(kind, run, webhooks, render);
      return run;
    },
  };
}

function renderRun(kind: RunKind, run: Run): object {
  const { id, status, output, failureReason, failureMessage, metadata, details } = run;
  // What a run of a workflow makes are the runs of its steps.
  const shown = kind.name === 'workflow' ? { stepRuns: output ?? [] } : { output };
  return {
    object: kind.object,
    id,
    status,
    ...shown,
    failureReason,
    failureMessage,
    metadata,
    ...details,
    createdAt: timestamp(run.createdAt),
    updatedAt: timestamp(run.updatedAt),
  };
}

/** The ends that have an event, by what it is called. */
const endings: ReadonlyMap<RunStatus, string> = new Map([
  ['PROCESSED', 'processed'],
  ['FAILED', 'failed'],
  ['NEEDS_REVIEW', 'needs_review'],
]);

function announce(
  { name, object }: RunKind,
  run: Run,
  webhooks: Webhooks,
  render: (run: Run) => object,
): void {
  const ending = endings.get(run.status);
  if (ending === undefined) return;
  const last = name === 'workflow' && ending === 'processed' ? 'completed' : ending;
  webhooks.emit(`${object}.${last}`, render(run));
}
