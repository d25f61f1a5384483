/**
 * Runs: how they begin, go on by the clock, end, and are cancelled while they have not ended.
 *
 *     PENDING → PROCESSING → PROCESSED | FAILED | NEEDS_REVIEW | REJECTED
 *     PENDING, PROCESSING → (CANCELLING →) CANCELLED
 *     NEEDS_REVIEW → PROCESSED | REJECTED        by a reviewer
 *
 * A run is processed, unless its request says otherwise in the header `x-sandbox-outcome`, or a test
 * has ordered an end for the next run: FAILED (for INTERNAL_ERROR), FAILED=INVALID_WORKFLOW (for that
 * reason), and for runs of workflows NEEDS_REVIEW and REJECTED.
 */
import type { RunStatus } from '../documents/types.js';
import { type Call, headerOf, type JsonObject, Refused } from './call.js';
import { Collection, type Resource, type World } from './resources.js';
import type { Webhooks } from './webhooks.js';

export type RunKind = 'extract' | 'classify' | 'split' | 'parse' | 'edit' | 'workflow';

export interface RunTimes {
  /** From the request to PROCESSING, in milliseconds. */
  readonly pendingMs: number;
  /** From PROCESSING to the end. */
  readonly processingMs: number;
  /** From the request to cancel to CANCELLED; 0 leaves CANCELLING out. */
  readonly cancellingMs: number;
}

export type OutcomeText = 'PROCESSED' | 'FAILED' | `FAILED=${string}` | 'NEEDS_REVIEW' | 'REJECTED';

export interface OutcomeSwitches {
  /** Orders how the next run ends, or the next of a kind. */
  next(outcome: OutcomeText, where?: { readonly kind?: RunKind }): void;
}

const outcomeForm = /^(?:PROCESSED|NEEDS_REVIEW|REJECTED|FAILED(?:=[A-Z_]{1,60})?)$/;

export class Outcomes implements OutcomeSwitches {
  #orders: { readonly outcome: string; readonly kind: RunKind | undefined }[] = [];

  next(outcome: OutcomeText, { kind }: { readonly kind?: RunKind } = {}): void {
    if (!outcomeForm.test(outcome)) throw new RangeError(`'${outcome}' is no outcome of a run`);
    this.#orders.push({ outcome, kind });
  }

  decide(kind: RunKind, call: Call): string {
    const asked = headerOf(call.arrived, 'x-sandbox-outcome');
    const order = this.#orders.find((each) => asked === '' && (each.kind ?? kind) === kind);
    this.#orders = this.#orders.filter((each) => each !== order);
    const outcome = asked || (order?.outcome ?? 'PROCESSED');
    const isReviewed = /^(?:NEEDS_REVIEW|REJECTED)$/.test(outcome);
    if (outcomeForm.test(outcome) && (!isReviewed || kind === 'workflow')) return outcome;
    throw new Refused(400, 'x-sandbox-outcome names no outcome of such a run');
  }
}

/** What a request starts. */
export interface RunRequest {
  /** What is shown of it beside what runs of every kind have. */
  readonly details: JsonObject;
  /** What lists filter by beside that. */
  readonly facts: JsonObject;
  readonly outcome: string;
  /** Makes the output, at the end of a run that succeeds. */
  readonly makeOutput: () => unknown;
}

/** The ends that have an event, by what it is called. */
const endings: ReadonlyMap<unknown, string> = new Map([
  ['PROCESSED', 'processed'],
  ['FAILED', 'failed'],
  ['NEEDS_REVIEW', 'needs_review'],
]);

export class Runs extends Collection {
  constructor(
    world: World,
    readonly kind: RunKind,
    prefix: string,
    readonly times: RunTimes,
    readonly webhooks: Webhooks,
  ) {
    super(world, `${kind}_run`, prefix);
  }

  statuses(): [id: string, status: RunStatus][] {
    return this.all().map(({ id, status }) => [id, status as RunStatus]);
  }

  /** Starts a run that goes on by the clock. */
  start(request: RunRequest): Resource {
    const run = this.#begin(request);
    this.#later(run, this.times.pendingMs, () => {
      const going = this.change(run.id, { status: 'PROCESSING' });
      this.#later(going, this.times.processingMs, () => this.#end(run.id, request));
    });
    return run;
  }

  /** Starts a run and ends it at once. */
  complete(request: RunRequest): Resource {
    return this.#end(this.#begin(request).id, request);
  }

  cancel(id: string): Resource {
    const { status } = this.find(id);
    if (!/^(?:PENDING|PROCESSING|CANCELLING)$/.test(`${status}`)) {
      throw new Refused(400, `The run has ended (${status})`);
    }
    const { cancellingMs } = this.times;
    if (cancellingMs === 0) return this.change(id, { status: 'CANCELLED' });
    const run = this.change(id, { status: 'CANCELLING' });
    this.#later(run, cancellingMs, () => this.change(id, { status: 'CANCELLED' }));
    return run;
  }

  /** Decides about a run that needs review. */
  review(id: string, decision: 'accept' | 'reject'): void {
    if (this.find(id).status !== 'NEEDS_REVIEW') throw new RangeError('nothing to review');
    const status = decision === 'accept' ? 'PROCESSED' : 'REJECTED';
    this.#announce(this.change(id, { status }));
  }

  #begin({ details, facts }: RunRequest): Resource {
    const failure = { failureReason: null, failureMessage: null };
    return this.add({ status: 'PENDING', ...this.#made(null), ...failure, ...details }, facts);
  }

  /** What a run of a workflow makes are the runs of its steps. */
  #made(output: unknown): JsonObject {
    return this.kind === 'workflow' ? { stepRuns: output ?? [] } : { output };
  }

  /** Does the next step of a run, if it has not ended or gone meanwhile. */
  #later({ id, status }: Resource, afterMs: number, step: () => void): void {
    this.world.clock.after(afterMs, () => {
      if (this.has(id) && this.find(id).status === status) step();
    });
  }

  #end(id: string, { outcome, makeOutput }: RunRequest): Resource {
    const [status, failureReason = 'INTERNAL_ERROR'] = outcome.split('=');
    const failureMessage = 'The sandbox was told to fail';
    const result =
      status === 'FAILED' ? { failureReason, failureMessage } : this.#made(makeOutput());
    const run = this.change(id, { status, ...result });
    this.#announce(run);
    return run;
  }

  #announce(run: Resource): void {
    const ending = endings.get(run.status);
    if (ending === undefined) return;
    const last = this.kind === 'workflow' && ending === 'processed' ? 'completed' : ending;
    this.webhooks.emit(`${this.object}.${last}`, run);
  }
}
