/**
 * Waits for a run to end.
 *
 * In: how to read and start a run. Out: the run, once it has ended; a failed run is a result like
 * any other. The first look is immediate; then it looks about every second for half a minute, then
 * less and less often, down to every half minute. A status that nobody knows is waited for only for a
 * time. Errors carry the run's id, so that it is not lost: the run may well continue.
 */
import { ApiError, type ApiErrorCode, invalidArgument, unexpected } from '../http/error.js';
import type { Operation } from '../http/operation.js';
import type { CallOptions } from '../http/request.js';
import { pause } from '../http/response.js';
import { now } from '../http/retry.js';

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

type Call = (...given: unknown[]) => Promise<unknown>;

const firstMs = 1_000;
const longestMs = 30_000;
/** Limit of a single request, the same as without polling. */
const callMs = 60_000;
/** How long a status that nobody knows may last. */
const unknownMs = 300_000;

/** `get` and `create` are the methods of the client; `operation` is that of the first. */
export function createPoller(operation: Operation, get: Call, create: Call) {
  const { id, query } = operation;
  const isWorkflow = id.startsWith('workflow');

  async function look(given: readonly unknown[], read: Call, options: PollOptions, leftMs: number) {
    const deadlineMs = leftMs < callMs ? leftMs : undefined;
    const run = (await read(...given, { ...options, deadlineMs })) as PolledRun;
    const { id: runId, status } = Object(run);
    if ([runId, status].some((each) => typeof each !== 'string'))
      throw unexpected('api/malformed', id, 'status');
    return run;
  }

  async function wait(runId: string, options: PollOptions, start: number): Promise<PolledRun> {
    const { deadlineMs = Infinity, signal } = options;
    // The options also hold the query parameters.
    const named = query?.map((name) => [name, options[name as keyof PollOptions]]);
    const given = named ? [runId, Object.fromEntries(named)] : [runId];
    let known = start;
    for (let base = firstMs; ; ) {
      const run = await look(given, get, options, start + deadlineMs - now());
      const { status } = run;
      options.onProgress?.(run);
      if (/^(?:PROCESSED|FAILED|CANCELLED)$/.test(status)) return run;
      // A workflow's run may be waiting for a person.
      if (isWorkflow && /^(?:NEEDS_REVIEW|REJECTED)$/.test(status)) return run;
      if (/^(?:PENDING|PROCESSING|CANCELLING)$/.test(status)) known = now();
      // It comes from the service, so it must look like a status.
      const stop = (code: ApiErrorCode) =>
        unexpected(code, id, /^\w{1,40}$/.test(status) ? status : 'no valid status');
      if (now() - known >= unknownMs) throw stop('api/unknown-status');
      const passed = now() - start;
      // A second is reserved for the last look before the deadline.
      const left = deadlineMs - passed - 1000;
      if (left <= 0) throw stop('api/still-running');
      base = passed < longestMs ? firstMs : base * 1.15;
      // Varies each wait by a quarter, so that runs started together are not polled together.
      const spread = Math.min(longestMs, base) * (0.75 + Math.random() / 2);
      // onProgress may have aborted the signal.
      await pause(Math.min(spread, longestMs, left), signal);
      if (signal?.aborted) throw unexpected('api/aborted', id, 'signal');
    }
  }

  /** Errors name the run. */
  const withFacts = (run: Promise<PolledRun>, facts: object) =>
    run.catch((error) => {
      throw error instanceof ApiError ? Object.assign(error, facts) : error;
    });

  return {
    async poll(run: unknown, options: PollOptions = {}): Promise<PolledRun> {
      const runId = typeof run === 'string' ? run : Object(run).id;
      if (typeof runId !== 'string') throw invalidArgument(id, 'id');
      return withFacts(wait(runId, options, now()), { runId });
    },
    async createAndPoll(body: unknown, options: PollOptions = {}): Promise<PolledRun> {
      const start = now();
      const { deadlineMs = Infinity } = options;
      const { id: runId } = await look([body], create, options, deadlineMs);
      // Repeating the call would start a second run.
      return withFacts(wait(runId, options, start), { runId, retryable: false });
    },
  };
}
