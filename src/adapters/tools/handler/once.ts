/**
 * Carries out each call once, however often it is delivered.
 *
 * In: a key and what is to be done. Out: the result of the first delivery. One that comes meanwhile
 * waits for it: in this process for the same promise, in another by asking the store.
 * Guarantee: where the store fails or can take no more, nothing is done.
 */
import type { Deadlines } from '../../http/deadlines.js';
import type { CallResult } from './result.js';
import type { CallStore, Claim } from './store.js';
import { texts } from './texts.js';

/** How often the store is asked about a call that another process carries out. */
const pauseMs = 250;

export type Once = (
  key: string,
  until: number,
  act: () => Promise<CallResult>,
) => Promise<CallResult>;

/** `act` must not reject. */
export function createOnce(store: CallStore, deadlines: Deadlines): Once {
  let running = new Map<string, Promise<CallResult>>();

  async function begin(...[key, until, act]: Parameters<Once>): Promise<CallResult> {
    let claim: Claim;
    try {
      claim = await store.claim(key);
    } catch {
      return texts.busy;
    }
    if (claim.state === 'done') return claim.result;
    if (claim.state === 'pending') return elsewhere(key, until);
    const result = await act();
    try {
      await store.settle(key, result);
    } catch {
      // It is done; only repeats will not know, and find the call pending.
    }
    return result;
  }

  /** Somebody is at it, even where the store does not tell any more how far. */
  async function elsewhere(key: string, until: number): Promise<CallResult> {
    const { now } = deadlines.clock;
    try {
      for (;;) {
        const result = await store.read(key);
        if (result) return result;
        if (now() >= until) return texts.open;
        await deadlines.wait(Math.min(until, now() + pauseMs), undefined);
      }
    } catch {
      return texts.open;
    }
  }

  function end(key: string): void {
    running.delete(key);
    // The tables that a Map outgrows keep alive what was in them, as long as it is there.
    if (running.size === 0) running = new Map();
  }

  return (key, until, act) => {
    const going = running.get(key);
    if (going) return going;
    const begun = begin(key, until, act);
    running.set(key, begun);
    begun.then(() => end(key));
    return begun;
  };
}
