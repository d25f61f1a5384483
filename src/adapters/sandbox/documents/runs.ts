/**
 * Runs: how they begin, go on by the clock, end, and are cancelled while they have not ended.
 *
 *     PENDING → PROCESSING → PROCESSED | FAILED | NEEDS_REVIEW | REJECTED
 *     PENDING, PROCESSING → (CANCELLING →) CANCELLED
 *     NEEDS_REVIEW → PROCESSED | REJECTED        by a reviewer
 */
import { Refused } from '../answer.js';
import { type Collection, createCollection } from './collection.js';
import type { RunKind } from './kinds.js';
import { endOf, newRun, type Run, type RunRequest, type RunStatus, renderRun } from './run.js';
import type { Webhooks } from './webhooks.js';
import type { Workspace } from './workspace.js';

export interface RunTimes {
  /** From the request to PROCESSING, in milliseconds. */
  readonly pendingMs: number;
  /** From PROCESSING to the end. */
  readonly processingMs: number;
  /** From the request to cancel to CANCELLED; 0 leaves CANCELLING out. */
  readonly cancellingMs: number;
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

/** Where the runs of one kind go on. */
interface Line {
  readonly kind: RunKind;
  readonly times: RunTimes;
  readonly workspace: Workspace;
  readonly webhooks: Webhooks;
  readonly collection: Collection<Run>;
}

export function createRuns(
  kind: RunKind,
  times: RunTimes,
  workspace: Workspace,
  webhooks: Webhooks,
): Runs {
  const collection = createCollection<Run>(kind.object);
  const line: Line = { kind, times, workspace, webhooks, collection };
  return {
    kind,
    collection,
    render: (run) => renderRun(kind, run),
    start: (request) => start(line, request),
    complete: (request) => end(line, begin(line, request).id, endOf(request)),
    cancel: (id) => cancel(line, id),
    update: (id, change) => update(line, id, change),
    review: (id, accepted) => review(line, id, accepted),
  };
}

function begin({ kind, workspace, collection }: Line, request: RunRequest): Run {
  return collection.add(newRun(workspace.born(kind.prefix), request));
}

function start(line: Line, request: RunRequest): Run {
  const { pendingMs, processingMs } = line.times;
  const run = begin(line, request);
  later(line, run.id, pendingMs, 'PENDING', () => {
    update(line, run.id, { status: 'PROCESSING' });
    later(line, run.id, processingMs, 'PROCESSING', () => end(line, run.id, endOf(request)));
  });
  return run;
}

const unfinished: ReadonlySet<RunStatus> = new Set(['PENDING', 'PROCESSING', 'CANCELLING']);

function cancel(line: Line, id: string): Run {
  const { status } = line.collection.find(id);
  if (!unfinished.has(status)) throw new Refused(400, `The run has ended (${status})`);
  const { cancellingMs } = line.times;
  if (cancellingMs === 0) return update(line, id, { status: 'CANCELLED' });
  later(line, id, cancellingMs, 'CANCELLING', () => update(line, id, { status: 'CANCELLED' }));
  return update(line, id, { status: 'CANCELLING' });
}

function review(line: Line, id: string, accepted: boolean): Run {
  const { status } = line.collection.find(id);
  if (status !== 'NEEDS_REVIEW') throw new RangeError('nothing to review');
  return end(line, id, { status: accepted ? 'PROCESSED' : 'REJECTED' });
}

/** Does the next step of a run, if it has not ended or gone meanwhile. */
function later(
  { collection, workspace: { clock } }: Line,
  id: string,
  afterMs: number,
  from: RunStatus,
  step: () => void,
): void {
  clock.at(clock.now() + afterMs, () => {
    if (collection.has(id) && collection.find(id).status === from) step();
  });
}

function update({ collection, workspace }: Line, id: string, change: Partial<Run>): Run {
  return collection.replace(workspace.changed(collection.find(id), change));
}

function end(line: Line, id: string, change: Partial<Run>): Run {
  const run = update(line, id, change);
  announce(line, run);
  return run;
}

/** The ends that have an event, by what it is called. */
const endings: ReadonlyMap<RunStatus, string> = new Map([
  ['PROCESSED', 'processed'],
  ['FAILED', 'failed'],
  ['NEEDS_REVIEW', 'needs_review'],
]);

function announce({ kind, webhooks }: Line, run: Run): void {
  const ending = endings.get(run.status);
  if (ending === undefined) return;
  const last = kind.name === 'workflow' && ending === 'processed' ? 'completed' : ending;
  webhooks.emit(`${kind.object}.${last}`, renderRun(kind, run));
}
