/**
 * What is remembered of calls, so that one that is delivered again does nothing again.
 *
 * In: a key per call: the ids of the conversation and of the call, as a text. Out: whose turn it is, or the first result. The store in
 * memory serves one process and forgets with it; several processes need one that they share.
 */
import type { CallResult } from './result.js';

type Eventual<Value> = Value | Promise<Value>;

/** `mine`: the call is to be carried out by who asked. `pending`: somebody is at it. */
export type Claim =
  | { readonly state: 'mine' }
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly result: CallResult };

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

export interface MemoryStoreOptions {
  /** Default: 10,000. */
  readonly maxEntries?: number;
  /** Default: one hour. */
  readonly keepMs?: number;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

interface Entry {
  readonly result: CallResult | undefined;
  readonly until: number;
}

/** Where it is full, the oldest result goes first; what is still pending is never forgotten early. */
export function createMemoryStore(options: MemoryStoreOptions = {}): CallStore {
  const { maxEntries = 10_000, keepMs = 3_600_000, now = () => performance.now() } = options;
  // Each in the order in which it ends, as all entries are kept equally long.
  let pending = new Map<string, Entry>();
  const done = new Map<string, Entry>();

  function forgetOld(): void {
    for (const entries of [pending, done]) {
      for (const [key, { until }] of entries) {
        if (until > now()) break;
        entries.delete(key);
      }
    }
  }

  function makeRoom(): void {
    if (pending.size + done.size < maxEntries) return;
    const [oldest] = done.keys();
    if (oldest === undefined) throw new Error('the store of calls is full');
    done.delete(oldest);
  }

  const read = (key: string) => done.get(key)?.result;

  return {
    read,
    claim(key) {
      forgetOld();
      const result = read(key);
      if (result) return { state: 'done', result };
      if (pending.has(key)) return { state: 'pending' };
      makeRoom();
      pending.set(key, { result: undefined, until: now() + keepMs });
      return { state: 'mine' };
    },
    settle(key, result) {
      pending.delete(key);
      // The tables that a Map outgrows keep alive what was in them, as long as it is there.
      if (pending.size === 0) pending = new Map();
      done.delete(key);
      done.set(key, { result, until: now() + keepMs });
    },
  };
}
