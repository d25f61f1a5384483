/**
 * Waits for a run to end.
 *
 * In: how to read and start a run. Out: the run, once it has ended; a failed run is a result like
 * any other. The first look is immediate; then it looks about every second for half a minute, then
 * less and less often, down to every half minute.
 * Errors carry the run's id, so that it is not lost: the run may well continue.
 */
import { ApiError, invalidArgument, unexpected } from '../http/error.js';
import type { Operation } from '../http/operation.js';
import type { CallOptions } from '../http/request.js';
import { pause } from '../http/response.js';

/** How a run is polled until it has ended. */
export interface PollOptions<Run = PolledRun> extends CallOptions {
  /** For everything, including the start of the run. Default: no limit. */
  readonly deadlineMs?: number;
  /** Called with each state of the run that was read. */
  readonly onProgress?: (run: Run) => void;
}

/** Rejection of a poll; has a `runId` once the run is known. */
export type PollError = ApiError & { readonly runId?: string };

interface PolledRun {
  readonly id: string;
  readonly status: string;
}

const fastMs = 30_000;
const firstMs = 1_000;
const longestMs = 30_000;
/** How long a status that nobody knows may last. */
const unknownMs = 300_000;
/** Limit of a single request, the same as without polling. */
const callMs = 60_000;

type Call = (...given: unknown[]) => Promise<unknown>;

/** `get` and `create` are the methods of the client; `operation` is that of the first. */
export function createPoller(operation: Operation, get: Call, create: Call) {
  const { id, query } = operation;
  const now = () => performance.now();

  async function wait(runId: string, options: PollOptions, start: number): Promise<PolledRun> {
    const { deadlineMs = Infinity, onProgress, signal } = options;
    // The options also hold the query parameters.
    const named = query?.map((name) => [name, options[name as keyof PollOptions]]);
    const path = named ? [runId, Object.fromEntries(named)] : [runId];
    for (let base = firstMs, known = start; ; ) {
      const run = asRun(id, await get(...path, callOptions(options, start + deadlineMs - now())));
      onProgress?.(run);
      if (isOver(run.status, id.startsWith('workflow'))) return run;
      const passed = now() - start;
      if (/^(?:PENDING|PROCESSING|CANCELLING)$/.test(run.status)) known = now();
      const isKnown = now() - known < unknownMs;
      if (!isKnown) throw unexpected('api/unknown-status', id, asWord(run.status));
      // A second is reserved for the last look before the deadline.
      const left = deadlineMs - passed - 1000;
      if (left <= 0) throw unexpected('api/still-running', id, asWord(run.status));
      base = passed < fastMs ? firstMs : base * 1.15;
      // Varies each wait by a quarter, so that runs started together are not polled together.
      const spread = Math.min(longestMs, base) * (0.75 + Math.random() / 2);
      // onProgress may have aborted the signal.
      await pause(Math.min(spread, longestMs, left), signal);
      if (signal?.aborted) throw unexpected('api/aborted', id, 'signal');
    }
  }

  /** Errors name the run. */
  function withFacts<Value>(wait: Promise<Value>, facts: object): Promise<Value> {
    return wait.catch((error) => {
      throw error instanceof ApiError ? Object.assign(error, facts) : error;
    });
  }

  return {
    async poll(run: unknown, options: PollOptions = {}): Promise<PolledRun> {
      const runId = typeof run === 'string' ? run : (run as PolledRun | undefined)?.id;
      if (typeof runId !== 'string') throw invalidArgument(id, 'id');
      return withFacts(wait(runId, options, now()), { runId });
    },
    async createAndPoll(body: unknown, options: PollOptions = {}): Promise<PolledRun> {
      const start = now();
      const created = await create(body, callOptions(options, options.deadlineMs));
      const { id: runId } = asRun(id, created);
      // Repeating the call would start a second run.
      return withFacts(wait(runId, options, start), { runId, retryable: false });
    },
  };
}

function asRun(operation: string, run: unknown): PolledRun {
  const { id, status } = Object(run) as Partial<PolledRun>;
  if (typeof id === 'string' && typeof status === 'string') return run as PolledRun;
  throw unexpected('api/malformed', operation, 'status');
}

/** A status as an error shows it. It comes from the service, so it must look like one. */
function asWord(status: string): string {
  return /^\w{1,40}$/.test(status) ? status : 'no valid status';
}

/** The options of a single request. */
function callOptions(options: PollOptions, leftMs = Infinity): CallOptions {
  return { ...options, deadlineMs: leftMs < callMs ? leftMs : undefined } as CallOptions;
}

/** Whether nothing more happens by itself; a workflow's run may be waiting for a person. */
function isOver(status: string, ofWorkflow: boolean): boolean {
  const over = /^(?:PROCESSED|FAILED|CANCELLED)$/.test(status);
  return over || (ofWorkflow && /^(?:NEEDS_REVIEW|REJECTED)$/.test(status));
}
