/**
 * Runs: they start, proceed by the clock, and end; until then, they can be cancelled.
 *
 *     PENDING → PROCESSING → PROCESSED | FAILED | NEEDS_REVIEW | REJECTED
 *     PENDING, PROCESSING → (CANCELLING →) CANCELLED
 *
 * A run ends as PROCESSED unless the header `x-sandbox-outcome` of its request says otherwise, or a
 * test has ordered an outcome: FAILED (reason INTERNAL_ERROR), FAILED=INVALID_WORKFLOW (that
 * reason) or, only for runs of workflows, NEEDS_REVIEW or REJECTED.
 */
import type { RunStatus } from '../documents/types.js';
import { type Call, headerOf, type JsonObject, Refused } from './call.js';
import type { Resource, Store } from './store.js';
import type { Webhooks } from './webhooks.js';

export const runVerbs = ['extract', 'classify', 'split', 'parse', 'edit', 'workflow'] as const;
export type RunVerb = (typeof runVerbs)[number];

export interface RunTimes {
  /** From the request to PROCESSING, in milliseconds. */
  readonly pendingMs: number;
  /** From PROCESSING to the end, in milliseconds. */
  readonly processingMs: number;
  /** From the cancel request to CANCELLED, in milliseconds; 0 skips CANCELLING. */
  readonly cancellingMs: number;
}

export type OutcomeText = 'PROCESSED' | 'FAILED' | `FAILED=${string}` | 'NEEDS_REVIEW' | 'REJECTED';

export interface OutcomeSwitches {
  /** Orders the outcome of the next run, or of the next one of a kind. */
  next(outcome: OutcomeText, where?: { readonly kind?: RunVerb }): void;
}

const outcomeForm = /^(?:PROCESSED|NEEDS_REVIEW|REJECTED|FAILED(?:=[A-Z_]{1,60})?)$/;

export interface RunRequest {
  /** The members of its answers that other kinds of runs do not have. */
  readonly details: JsonObject;
  readonly outcome: string;
  /** Makes the output when the run succeeds. */
  readonly makeOutput: () => unknown;
}

export class Runs implements OutcomeSwitches {
  #orders: { readonly outcome: string; readonly kind: RunVerb | undefined }[] = [];

  constructor(
    readonly store: Store,
    readonly times: RunTimes,
    readonly webhooks: Webhooks,
  ) {}

  next(outcome: OutcomeText, { kind }: { readonly kind?: RunVerb } = {}): void {
    if (!outcomeForm.test(outcome)) throw new RangeError(`unknown outcome '${outcome}'`);
    this.#orders.push({ outcome, kind });
  }

  /** The outcome of the run that a call starts. */
  outcomeOf(verb: RunVerb, { arrived }: Call): string {
    const asked = headerOf(arrived, 'x-sandbox-outcome');
    const order = this.#orders.find((each) => asked === '' && (each.kind ?? verb) === verb);
    this.#orders = this.#orders.filter((each) => each !== order);
    const outcome = asked || (order?.outcome ?? 'PROCESSED');
    const isReviewed = /^(?:NEEDS_REVIEW|REJECTED)$/.test(outcome);
    if (outcomeForm.test(outcome) && (!isReviewed || verb === 'workflow')) return outcome;
    throw new Refused(400, 'x-sandbox-outcome names an unknown outcome');
  }

  statuses(): ReadonlyMap<string, RunStatus> {
    const runs = runVerbs.flatMap((verb) => this.store.all(`${verb}Runs`));
    return new Map(runs.map(({ id, status }) => [id, status as RunStatus]));
  }

  /** Starts a run that proceeds by the clock or, if `isAtOnce`, ends at once. */
  start(verb: RunVerb, request: RunRequest, isAtOnce = false): Resource {
    const { pendingMs, processingMs } = this.times;
    const run = this.store.add(`${verb}Runs`, {
      status: 'PENDING',
      ...(verb === 'workflow' ? { stepRuns: [] } : { output: null }),
      failureReason: null,
      failureMessage: null,
      ...request.details,
    });
    if (isAtOnce) return this.#end(verb, run.id, request);
    this.#later(verb, run, pendingMs, () => {
      const going = this.store.change(`${verb}Runs`, run.id, { status: 'PROCESSING' });
      this.#later(verb, going, processingMs, () => this.#end(verb, run.id, request));
    });
    return run;
  }

  cancel(verb: RunVerb, id: string): Resource {
    const { status } = this.store.find(`${verb}Runs`, id);
    if (!/^(?:PENDING|PROCESSING|CANCELLING)$/.test(`${status}`)) {
      throw new Refused(400, `The run has ended (${status})`);
    }
    const end = () => this.store.change(`${verb}Runs`, id, { status: 'CANCELLED' });
    const { cancellingMs } = this.times;
    if (cancellingMs === 0) return end();
    const run = this.store.change(`${verb}Runs`, id, { status: 'CANCELLING' });
    this.#later(verb, run, cancellingMs, end);
    return run;
  }

  /** Takes the next step of a run, unless its status has changed or it was deleted. */
  #later(verb: RunVerb, { id, status }: Resource, afterMs: number, step: () => void): void {
    this.store.clock.after(afterMs, () => {
      const run = this.store.all(`${verb}Runs`).find((each) => each.id === id);
      if (run?.['status'] === status) step();
    });
  }

  /** Ends a run, and sends the event, if there is one for its status. */
  #end(verb: RunVerb, id: string, { outcome, makeOutput }: RunRequest): Resource {
    const isWorkflow = verb === 'workflow';
    const [status = '', failureReason = 'INTERNAL_ERROR'] = outcome.split('=');
    const result =
      status === 'FAILED'
        ? { failureReason, failureMessage: 'The sandbox was told to fail' }
        : { [isWorkflow ? 'stepRuns' : 'output']: makeOutput() };
    const run = this.store.change(`${verb}Runs`, id, { status, ...result });
    const done = isWorkflow ? 'completed' : 'processed';
    const event = new Map([
      ['PROCESSED', done],
      ['FAILED', 'failed'],
      ['NEEDS_REVIEW', 'needs_review'],
    ]).get(status);
    if (event !== undefined) this.webhooks.emit(`${run.object}.${event}`, run);
    return run;
  }
}
