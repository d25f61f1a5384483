/**
 * The memory of calls: one that is delivered again does nothing again, and gets the first result.
 *
 * The store in memory belongs to one process and ends with it; several processes need one that they
 * share.
 */
import { LRUCache } from 'lru-cache';
import { type CallResult, results } from './say.js';

/** A value, or a promise of it. */
export type Eventual<Value> = Value | Promise<Value>;

/** `mine`: whoever asked carries the call out. `pending`: somebody else does. */
export type Claim =
  | { readonly state: 'mine' }
  | { readonly state: 'pending' }
  | { readonly state: 'done'; readonly result: CallResult };

/**
 * Remembers calls by a key of 64 hex digits. A database with an atomic insert can be one.
 */
export interface CallStore {
  /**
   * Takes the key if it is free, atomically: of two that ask at once, one gets `mine`. A store
   * that is full throws; the call is then not carried out.
   */
  claim(key: string): Eventual<Claim>;
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

/** If it is full, the result that was used least recently goes first; a call in progress never. */
export function createMemoryStore(options: MemoryStoreOptions = {}): CallStore {
  const { maxEntries = 10_000, keepMs = 3_600_000 } = options;
  const pending = new Set<string>();
  const done = new LRUCache<string, CallResult>({ max: maxEntries, ttl: keepMs });
  return {
    read: (key) => done.get(key),
    claim(key) {
      const result = done.get(key);
      if (result !== undefined) return { state: 'done', result };
      if (pending.has(key)) return { state: 'pending' };
      if (pending.size >= maxEntries) throw new Error('The store of calls is full');
      pending.add(key);
      return { state: 'mine' };
    },
    settle(key, result) {
      pending.delete(key);
      done.set(key, result);
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
  key: string,
  until: number,
  act: () => Promise<CallResult>,
  failed: (error: unknown) => void,
): Promise<CallResult> {
  let claim: Claim;
  try {
    claim = await store.claim(key);
  } catch (error) {
    failed(error);
    return results.busy;
  }
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
