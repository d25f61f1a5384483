/**
 * Runs: how they begin, go on by the clock, end, and are cancelled while they have not ended.
 *
 *     PENDING → PROCESSING → PROCESSED | FAILED | NEEDS_REVIEW | REJECTED
 *     PENDING, PROCESSING → (CANCELLING →) CANCELLED
 *
 * A run is processed, unless its request says otherwise in the header `x-sandbox-outcome`, or a test
 * has ordered an end for the next run: FAILED (for INTERNAL_ERROR), FAILED=INVALID_WORKFLOW (for that
 * reason), and for runs of workflows NEEDS_REVIEW and REJECTED.
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
  /** From PROCESSING to the end. */
  readonly processingMs: number;
  /** From the request to cancel to CANCELLED; 0 leaves CANCELLING out. */
  readonly cancellingMs: number;
}

export type OutcomeText = 'PROCESSED' | 'FAILED' | `FAILED=${string}` | 'NEEDS_REVIEW' | 'REJECTED';

export interface OutcomeSwitches {
  /** Orders how the next run ends, or the next of a kind. */
  next(outcome: OutcomeText, where?: { readonly kind?: RunVerb }): void;
}

const outcomeForm = /^(?:PROCESSED|NEEDS_REVIEW|REJECTED|FAILED(?:=[A-Z_]{1,60})?)$/;

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

  /** How the run that a call starts is to end. */
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

  /** Starts a run that goes on by the clock. */
  start(verb: RunVerb, request: RunRequest): Resource {
    const run = this.#begin(verb, request);
    this.#later(run, verb, this.times.pendingMs, () => {
      const going = this.store.change(`${verb}Runs`, run.id, { status: 'PROCESSING' });
      this.#later(going, verb, this.times.processingMs, () => this.#end(verb, run.id, request));
    });
    return run;
  }

  /** Starts a run and ends it at once. */
  complete(verb: RunVerb, request: RunRequest): Resource {
    return this.#end(verb, this.#begin(verb, request).id, request);
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
    this.#later(run, verb, cancellingMs, end);
    return run;
  }

  #begin(verb: RunVerb, { details, facts }: RunRequest): Resource {
    const made = verb === 'workflow' ? { stepRuns: [] } : { output: null };
    const failure = { failureReason: null, failureMessage: null };
    const fields = { status: 'PENDING', ...made, ...failure, ...details };
    return this.store.add(`${verb}Runs`, fields, facts);
  }

  /** Does the next step of a run, if it has not ended or gone meanwhile. */
  #later({ id, status }: Resource, verb: RunVerb, afterMs: number, step: () => void): void {
    this.store.clock.after(afterMs, () => {
      const isThere = this.store.kindOf(id) !== undefined;
      if (isThere && this.store.find(`${verb}Runs`, id).status === status) step();
    });
  }

  #end(verb: RunVerb, id: string, { outcome, makeOutput }: RunRequest): Resource {
    const [status, failureReason = 'INTERNAL_ERROR'] = outcome.split('=');
    const result =
      status === 'FAILED'
        ? { failureReason, failureMessage: 'The sandbox was told to fail' }
        : { [verb === 'workflow' ? 'stepRuns' : 'output']: makeOutput() };
    const run = this.store.change(`${verb}Runs`, id, { status, ...result });
    this.#announce(verb, run);
    return run;
  }

  /** Sends the event of an end that has one. */
  #announce(verb: RunVerb, { status, object, ...run }: Resource): void {
    const processed = verb === 'workflow' ? 'completed' : 'processed';
    const endings = { PROCESSED: processed, FAILED: 'failed', NEEDS_REVIEW: 'needs_review' };
    const ending = new Map(Object.entries(endings)).get(`${status}`);
    if (ending !== undefined) this.webhooks.emit(`${object}.${ending}`, { object, status, ...run });
  }
}
