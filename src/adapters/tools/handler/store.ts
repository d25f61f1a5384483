/**
 * What is remembered of calls, so that one that is delivered again does nothing again.
 *
 * In: a key per call, 64 hex digits. Out: whose turn it is,
 * or the first result. The store in memory serves one process and forgets with it; several processes
 * need one that they share.
 */
import type { Eventual } from './eventual.js';
import { createQueue, type Queued } from './queue.js';
import type { CallResult } from './result.js';

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

/** A call that is remembered: pending until there is a result. */
interface Entry extends Queued<Entry> {
  readonly key: string;
  result: CallResult | undefined;
  until: number;
}

/** Where it is full, the oldest result goes first; what is still pending is never forgotten early. */
export function createMemoryStore(options: MemoryStoreOptions = {}): CallStore {
  const { maxEntries = 10_000, keepMs = 3_600_000, now = () => performance.now() } = options;
  const entries = new Map<string, Entry>();
  // Each in the order in which it ends, as all entries are kept equally long.
  const pending = createQueue<Entry>();
  const done = createQueue<Entry>();

  function remember(key: string, result: CallResult | undefined): void {
    const entry = { key, result, until: now() + keepMs, before: undefined, after: undefined };
    entries.set(key, entry);
    (result ? done : pending).join(entry);
  }

  function leaveQueue(entry: Entry): void {
    (entry.result ? done : pending).leave(entry);
  }

  function forget(entry: Entry): void {
    leaveQueue(entry);
    entries.delete(entry.key);
  }

  function forgetOld(): void {
    const time = now();
    for (const queue of [pending, done]) {
      for (let old = queue.first(); old && old.until <= time; old = queue.first()) forget(old);
    }
  }

  function makeRoom(): void {
    if (entries.size < maxEntries) return;
    const oldest = done.first();
    if (!oldest) throw new Error('the store of calls is full');
    forget(oldest);
  }

  return {
    read: (key) => entries.get(key)?.result,
    claim(key) {
      forgetOld();
      const entry = entries.get(key);
      if (entry)
        return entry.result ? { state: 'done', result: entry.result } : { state: 'pending' };
      makeRoom();
      remember(key, undefined);
      return { state: 'mine' };
    },
    settle(key, result) {
      const entry = entries.get(key);
      if (!entry) return remember(key, result);
      leaveQueue(entry);
      entry.result = result;
      entry.until = now() + keepMs;
      done.join(entry);
    },
  };
}
