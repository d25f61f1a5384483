/**
 * The memory of calls: one that is delivered again does nothing again, and gets the first result.
 *
 * The store in memory belongs to one process and ends with it; several processes need one that they
 * share.
 */
import { type CallResult, results } from './say.js';

/** A value, or a promise of it. */
export type Eventual<Value> = Value | Promise<Value>;

/**
 * `mine`: whoever asked carries the call out. `pending`: somebody else does. `other`: the key belongs
 * to another call.
 */
export type Claim =
  | { readonly state: 'mine' }
  | { readonly state: 'pending' }
  | { readonly state: 'other' }
  | { readonly state: 'done'; readonly result: CallResult };

/** Remembers calls by a key of 64 hex digits. A database with an atomic insert can be one. */
export interface CallStore {
  /**
   * Takes the key if it is free, atomically: of two that ask at once, one gets `mine`. `call` is a
   * digest of what is called, and is kept with the key: with another one, the key is taken. A store that
   * is full throws; a change is then not carried out. `reads`: it may be forgotten to make room.
   */
  claim(key: string, call: string, reads: boolean): Eventual<Claim>;
  /** Keeps the result of a claimed key; for an hour, so that every repeat finds it. */
  settle(key: string, result: CallResult): Eventual<void>;
  /** The result, as soon as there is one. */
  read(key: string): Eventual<CallResult | undefined>;
}

/** Limits of a store in memory. */
export interface MemoryStoreOptions {
  /** Results, and calls in progress. Default: 10,000. */
  readonly maxEntries?: number;
  /** Default: one hour. */
  readonly keepMs?: number;
}

interface Entry {
  readonly call: string;
  readonly reads: boolean;
  result?: CallResult;
  /** When it may be forgotten. */
  until: number;
}

/**
 * If it is full, the oldest results of reading are forgotten. The result of a change is kept for its
 * time, and a call in progress until it ends; if there is no room beside them, no call is accepted.
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): CallStore {
  const { maxEntries = 10_000, keepMs = 3_600_000 } = options;
  const entries = new Map<string, Entry>();
  const find = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.until > performance.now() ? entry : undefined;
  };
  return {
    read: (key) => find(key)?.result,
    claim(key, call, reads) {
      const entry = find(key);
      if (entry && entry.call !== call) return { state: 'other' };
      if (entry?.result) return { state: 'done', result: entry.result };
      if (entry) return { state: 'pending' };
      for (const [old, { until, reads, result }] of entries) {
        if (entries.size < maxEntries) break;
        if ((reads && result) || until <= performance.now()) entries.delete(old);
      }
      if (entries.size >= maxEntries) throw new Error('The store of calls is full');
      entries.set(key, { call, reads, until: Infinity });
      return { state: 'mine' };
    },
    settle(key, result) {
      const entry = entries.get(key);
      if (entry) Object.assign(entry, { result, until: performance.now() + keepMs });
    },
  };
}

/** How often the store is asked about a call that somebody else carries out. */
const pauseMs = 100;

/**
 * Carries out a call unless the store knows it. While another delivery of it is in progress, its result
 * is waited for until `until`. `act` must not reject; `failed` is told what the store throws.
 */
export async function doOnce(
  store: CallStore,
  [key, call, reads]: readonly [key: string, call: string, reads: boolean],
  until: number,
  act: () => Promise<CallResult>,
  failed: (error: unknown) => void,
): Promise<CallResult> {
  let claim: Claim;
  try {
    claim = await store.claim(key, call, reads);
  } catch (error) {
    failed(error);
    return reads ? act() : results.busy;
  }
  if (claim.state === 'other') return results.otherCall;
  if (claim.state === 'done') return claim.result;
  if (claim.state === 'mine') {
    const result = await act();
    try {
      await store.settle(key, result);
    } catch (error) {
      // The call is done; only a repeat of it will not find the result.
      failed(error);
    }
    return result;
  }
  try {
    while (performance.now() < until) {
      const result = await store.read(key);
      if (result !== undefined) return result;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  } catch (error) {
    failed(error);
  }
  return results.open;
}
