/**
 * Waits for a run to end.
 *
 * In: how a run is read and started. Out: the run, once nothing more happens to it; a failed one is
 * a result like any other. It is looked at without delay, then about every second for half a minute,
 * then less and less often, at last every half minute.
 * Errors carry the id of the run, so that it is never lost: it may well go on.
 */
import { ApiError, invalidArgument } from '../http/api-error.js';
import type { Clock } from '../http/clock.js';
import type { CallOptions } from '../http/options.js';
import type { DocumentOperation } from './operations.js';
import { isOver } from './run-status.js';
import { unexpected } from './unexpected.js';

export interface PollOptions<Run = PolledRun> extends CallOptions {
  /** All of it, the start of the run included. Default: as long as it takes. */
  readonly deadlineMs?: number;
  /** Called with each state of the run that was read. */
  readonly onProgress?: (run: Run) => void;
}

/** What ends the waiting early; `runId` is there once the run is known. */
export type PollError = ApiError & { readonly runId?: string };

export interface PolledRun {
  readonly id: string;
  readonly status: string;
}

const fastMs = 30_000;
const firstMs = 1_000;
const longestMs = 30_000;
const growth = 1.15;
/** A quarter more or less, so that runs that were started together part. */
const spread = 0.25;
/** What is left for the last look before the deadline. */
const lastLookMs = 1_000;
/** A single request never takes longer, as without polling. */
const callMs = 60_000;

/** The pause after a look: `base` is the last one before chance had its say. */
export function nextBase(base: number, elapsedMs: number): number {
  return elapsedMs < fastMs ? firstMs : Math.min(longestMs, base * growth);
}

export function spreadOut(base: number, random: number): number {
  return Math.min(longestMs, base * (1 - spread + 2 * spread * random));
}

type Call = (...given: unknown[]) => Promise<unknown>;

export interface Poller {
  poll(run: unknown, options?: PollOptions): Promise<PolledRun>;
  createAndPoll(body: unknown, options?: PollOptions): Promise<PolledRun>;
}

export function createPoller(
  { id: operation, query }: DocumentOperation,
  get: Call,
  create: Call,
  clock: Clock,
): Poller {
  const ofWorkflow = operation.startsWith('workflow');

  async function look(id: string, options: PollOptions, until: number): Promise<PolledRun> {
    const call = callOptions(options, until - clock.now());
    const run = await (query ? get(id, chosen(options, query), call) : get(id, call));
    return asRun(operation, run);
  }

  async function wait(id: string, options: PollOptions, start: number): Promise<PolledRun> {
    const until = start + (options.deadlineMs ?? Number.POSITIVE_INFINITY);
    for (let base = firstMs; ; ) {
      const run = await look(id, options, until);
      options.onProgress?.(run);
      if (isOver(run.status, ofWorkflow)) return run;
      const left = until - clock.now() - lastLookMs;
      if (left <= 0) throw unexpected('api/still-running', operation, run.status);
      base = nextBase(base, clock.now() - start);
      await sleep(Math.min(spreadOut(base, Math.random()), left), options.signal, operation, clock);
    }
  }

  async function waitNamed(
    runId: string,
    options: PollOptions,
    start: number,
    facts: object,
  ): Promise<PolledRun> {
    try {
      return await wait(runId, options, start);
    } catch (error) {
      throw error instanceof ApiError ? Object.assign(error, { runId, ...facts }) : error;
    }
  }

  return {
    poll: async (run, options = {}) => waitNamed(idOf(operation, run), options, clock.now(), {}),
    createAndPoll: async (body, options = {}) => {
      const start = clock.now();
      const created = await create(body, callOptions(options, options.deadlineMs));
      // The same call once more would start a second run.
      return waitNamed(asRun(operation, created).id, options, start, { retryable: false });
    },
  };
}

function idOf(operation: string, run: unknown): string {
  const id = typeof run === 'string' ? run : (run as PolledRun | undefined)?.id;
  if (typeof id !== 'string') throw invalidArgument(operation, 'id');
  return id;
}

function asRun(operation: string, run: unknown): PolledRun {
  const { id, status } = (run ?? {}) as Partial<PolledRun>;
  if (typeof id === 'string' && typeof status === 'string') return run as PolledRun;
  throw unexpected('api/malformed', operation, 'status');
}

/** What a single request gets of the options. */
function callOptions(options: PollOptions, leftMs?: number): CallOptions {
  const { onProgress: _, deadlineMs: __, ...rest } = options;
  return leftMs === undefined || leftMs >= callMs ? rest : { ...rest, deadlineMs: leftMs };
}

/** Query parameters stand among the options. */
function chosen(options: PollOptions, names: readonly string[]): object {
  return Object.fromEntries(names.map((name) => [name, options[name as keyof PollOptions]]));
}

/** A pause that the signal of the caller ends. */
function sleep(
  ms: number,
  signal: AbortSignal | undefined,
  operation: string,
  clock: Clock,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clock.clearTimer(timer);
      reject(unexpected('api/aborted', operation, 'signal'));
    };
    const timer = clock.setTimer(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
