/**
 * Carries out each call once, however often it is delivered.
 *
 * In: a key and what is to be done. Out: the result of the first delivery. One that comes meanwhile
 * waits for it: in this process for the same promise, in another by asking the store.
 * Guarantee: where the store fails or can take no more, nothing is done.
 */
import { pause } from '../../http/response.js';
import type { CallStore, Claim } from './store.js';
import type { CallResult } from './texts.js';
import { texts } from './texts.js';

/** How often the store is asked about a call that another process carries out. */
const pauseMs = 250;

/** `act` must not reject; `failed` is told what the store throws. */
export interface Task {
  readonly key: string;
  readonly until: number;
  readonly act: () => Promise<CallResult>;
  readonly failed: (error: unknown) => void;
}

export type Once = (task: Task) => Promise<CallResult>;

export function createOnce(store: CallStore): Once {
  let running = new Map<string, Promise<CallResult>>();

  async function begin({ key, until, act, failed }: Task): Promise<CallResult> {
    let claim: Claim;
    try {
      claim = await store.claim(key);
    } catch (error) {
      failed(error);
      return texts.busy;
    }
    if (claim.state === 'done') return claim.result;
    if (claim.state === 'pending') return elsewhere({ key, until, failed });
    const result = await act();
    try {
      await store.settle(key, result);
    } catch (error) {
      // It is done; only repeats will not know, and find the call pending.
      failed(error);
    }
    return result;
  }

  /** Somebody is at it, even where the store does not tell any more how far. */
  async function elsewhere({ key, until, failed }: Omit<Task, 'act'>): Promise<CallResult> {
    try {
      for (;;) {
        const result = await store.read(key);
        if (result) return result;
        const left = until - performance.now();
        if (left <= 0) return texts.open;
        await pause(Math.min(left, pauseMs));
      }
    } catch (error) {
      failed(error);
      return texts.open;
    }
  }

  function end(key: string): void {
    running.delete(key);
    // The tables that a Map outgrows keep alive what was in them, as long as it is there.
    if (running.size === 0) running = new Map();
  }

  return (task) => {
    const { key } = task;
    const going = running.get(key);
    if (going) return going;
    const begun = begin(task);
    running.set(key, begun);
    begun.then(() => end(key));
    return begun;
  };
}
