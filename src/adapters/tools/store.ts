/**
 * What is remembered of calls, so that one that is delivered again does nothing again.
 *
 * The store in memory serves one process and forgets with it; several processes need one that they
 * share.
 */
import type { CallStore, Claim } from './options.js';
import { type CallResult, results } from './say.js';

/** Bounds of a store in memory. */
export interface MemoryStoreOptions {
  /** Default: 10,000. */
  readonly maxEntries?: number;
  /** Default: one hour. */
  readonly keepMs?: number;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/** Where it is full, the oldest result goes first; what is still pending is never forgotten early. */
export function createMemoryStore(options: MemoryStoreOptions = {}): CallStore {
  const { maxEntries = 10_000, keepMs = 3_600_000, now = () => performance.now() } = options;
  // In the order in which they end, as all are kept equally long.
  const calls = new Map<string, { readonly until: number; readonly result?: CallResult }>();

  function makeRoom(): void {
    if (calls.size < maxEntries) return;
    const oldest = [...calls].find(([, { result }]) => result !== undefined);
    if (oldest === undefined) throw new Error('the store of calls is full');
    calls.delete(oldest[0]);
  }

  return {
    read: (key) => calls.get(key)?.result,
    claim(key) {
      for (const [old, { until }] of calls) {
        if (until > now()) break;
        calls.delete(old);
      }
      const known = calls.get(key);
      if (known?.result) return { state: 'done', result: known.result };
      if (known) return { state: 'pending' };
      makeRoom();
      calls.set(key, { until: now() + keepMs });
      return { state: 'mine' };
    },
    settle(key, result) {
      calls.delete(key);
      calls.set(key, { until: now() + keepMs, result });
    },
  };
}

/** `act` must not reject; `failed` is told what the store throws. */
export interface Task {
  readonly key: string;
  readonly until: number;
  readonly act: () => Promise<CallResult>;
  readonly failed: (error: unknown) => void;
}

/** How often the store is asked about a call that another process carries out. */
const pauseMs = 250;

/**
 * Carries out each call once, however often it is delivered: a repeat gets the result of the first.
 * One that comes meanwhile waits for it: in this process for the same promise, in another by asking
 * the store. Where the store fails or can take no more, nothing is done.
 */
export function createOnce(store: CallStore): (task: Task) => Promise<CallResult> {
  const running = new Map<string, Promise<CallResult>>();

  async function begin({ key, until, act, failed }: Task): Promise<CallResult> {
    let claim: Claim;
    try {
      claim = await store.claim(key);
    } catch (error) {
      failed(error);
      return results.busy;
    }
    if (claim.state === 'done') return claim.result;
    try {
      // Somebody is at it, even where the store does not tell any more how far.
      if (claim.state === 'pending') return await elsewhere(key, until);
    } catch (error) {
      failed(error);
      return results.open;
    }
    const result = await act();
    try {
      await store.settle(key, result);
    } catch (error) {
      // It is done; only repeats will not know, and find the call pending.
      failed(error);
    }
    return result;
  }

  async function elsewhere(key: string, until: number): Promise<CallResult> {
    for (;;) {
      const result = await store.read(key);
      const left = until - performance.now();
      if (result || left <= 0) return result ?? results.open;
      await new Promise((resolve) => setTimeout(resolve, Math.min(left, pauseMs)));
    }
  }

  return (task) => {
    const going = running.get(task.key) ?? begin(task).finally(() => running.delete(task.key));
    running.set(task.key, going);
    return going;
  };
}
