/**
 * What is repeated: which failures may pass, what a series of attempts may have done, and for how long a
 * service remembers a key.
 *
 * Guarantee: once any attempt may have acted, another follows only if the operation cannot act twice: it
 * is repeatable, or it has a key that is certainly still valid. A key is as old as its first use by any
 * call of the client.
 */
import { type CallOutcome, invalidArgument } from './error.js';

/** Why there is no answer, or why a 2xx answer is no success. The error code without `api/`. */
export type Fault =
  | ('timeout' | 'aborted' | 'no-token' | 'unreachable' | 'connection-lost')
  | ('truncated' | 'too-large' | 'wrong-type' | 'malformed' | 'refused');

/** A failing status, a fault, or a network code: after these, the same request may succeed. */
export const retryableCauses =
  /^(?:408|429|5..|timeout|truncated|connection-lost|E(?!PROTO)[A-Z]+|EAI_AGAIN|UND_\w+)$/;

/** From the least that the service may have done to the most. */
const order: readonly CallOutcome[] = ['not-sent', 'refused', 'unknown', 'applied'];

/** What became of a call two of whose attempts ended like this. */
export const worse = (one: CallOutcome, other: CallOutcome): CallOutcome =>
  order.indexOf(one) < order.indexOf(other) ? other : one;

export const mayHaveActed = (outcome: CallOutcome): boolean => order.indexOf(outcome) > 1;

/** Milliseconds on a clock that nobody changes. */
export const now = (): number => performance.now();

/** A service remembers a key for two minutes from its first use; the rest is for the transit. */
const keyAgeMs = 110_000;
/** By that much later it has forgotten the key, however long the first use was in transit. */
const forgettingMs = 70_000;

/** How many keys are remembered. */
const room = 50_000;

/** What a client knows of an idempotency key. */
export interface KeyUse {
  /** For how long the service certainly recognizes it. */
  leftMs(): number;
  /** Whether it is unknown what became of a call with it. Absent: there was none. */
  isOpen?: boolean | undefined;
}

/**
 * Remembers when each key was first used. While it is in doubt what became of it, a key is not forgotten,
 * since a later call with it could act again; if there is no room, new keys are refused.
 */
export const createKeyMemory = () => {
  const uses = new Map<string, KeyUse>();
  const isOver = ({ isOpen, leftMs }: KeyUse) =>
    isOpen === undefined || (!isOpen && leftMs() < -forgettingMs);

  return (operation: string, key: string): KeyUse => {
    const known = uses.get(key);
    if (known && !isOver(known)) return known;
    if (uses.size >= room) for (const [old, use] of uses) if (isOver(use)) uses.delete(old);
    if (uses.size >= room) throw invalidArgument(operation, 'too many', 'api/unsafe-key');
    const ticks = now();
    const date = Date.now();
    // One clock stops while the machine sleeps, the other can be changed: the larger age counts.
    const leftMs = () => keyAgeMs - Math.max(now() - ticks, Date.now() - date);
    const use: KeyUse = { leftMs };
    uses.set(key, use);
    return use;
  };
};
