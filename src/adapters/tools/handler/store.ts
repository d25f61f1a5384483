/**
 * What is remembered of calls, so that one that is delivered again does nothing again.
 *
 * In: a key per call, 64 hex digits. Out: whose turn it is, or the first result. The store in memory
 * serves one process and forgets with it; several processes need one that they share.
 */
import type { Eventual } from './options.js';
import type { CallResult } from './texts.js';

/** `mine`: the call is to be carried out by who asked. `pending`: somebody is at it. */
export type Claim =
  | { readonly state: 'mine' }
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly result: CallResult };

/**
 * Where calls are remembered, so that one that is delivered twice is carried out once. A database
 * with an atomic insert can be one.
 */
export interface CallStore {
  /**
   * Takes the key if it is free, in one step: of two that ask at once, one gets `mine`. A store
   * that can take no more throws; the call is then not carried out.
   */
  claim(key: string): Eventual<Claim>;
  /** Keeps the result of a key that was claimed; for an hour, so that every repeat finds it. */
  settle(key: string, result: CallResult): Eventual<void>;
  /** The result, once it is there. */
  read(key: string): Eventual<CallResult | undefined>;
}

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
  // Each in the order in which it ends, as all entries are kept equally long.
  const pending = new Map<string, number>();
  const done = new Map<string, { readonly result: CallResult; readonly until: number }>();

  function forgetOld(): void {
    const time = now();
    for (const [key, until] of pending) {
      if (until > time) break;
      pending.delete(key);
    }
    for (const [key, { until }] of done) {
      if (until > time) break;
      done.delete(key);
    }
  }

  function makeRoom(): void {
    if (pending.size + done.size < maxEntries) return;
    const [oldest] = done.keys();
    if (oldest === undefined) throw new Error('the store of calls is full');
    done.delete(oldest);
  }

  return {
    read: (key) => done.get(key)?.result,
    claim(key) {
      forgetOld();
      const known = done.get(key);
      if (known !== undefined) return { state: 'done', result: known.result };
      if (pending.has(key)) return { state: 'pending' };
      makeRoom();
      pending.set(key, now() + keepMs);
      return { state: 'mine' };
    },
    settle(key, result) {
      pending.delete(key);
      done.delete(key);
      done.set(key, { result, until: now() + keepMs });
    },
  };
}
