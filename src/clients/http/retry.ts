/**
 * Decides whether and when a call is sent again, as a pure function, and remembers keys.
 *
 * In: the call so far, the policy, a random number. Out: whether the call may be repeated, and how
 * long to wait before the next attempt.
 * Guarantee: once any attempt may have acted, another follows only if the operation cannot act
 * twice: it is repeatable, or the caller gave a key that is certainly still valid. A key is as old as
 * its first use by any call of the client.
 */
import { invalidArgument } from './error.js';

/** Why there is no answer, or why a 2xx answer is no success. The error code without `api/`. */
export type Fault =
  | 'timeout'
  | 'aborted'
  | 'no-token'
  | 'unreachable'
  | 'connection-lost'
  | 'truncated'
  | 'too-large'
  | 'wrong-type'
  | 'malformed'
  | 'refused';

/** A failing status, a fault, or a network code: after these, the same request may succeed. */
export const passing =
  /^(?:408|429|5..|timeout|truncated|connection-lost|E(?!PROTO)[A-Z]+|EAI_AGAIN|UND_\w+)$/;

/** Milliseconds on a clock that nobody changes. */
export const now = (): number => performance.now();

/** A service remembers a key for two minutes from its first use; the rest is for the transit. */
const keyAgeMs = 110_000;
/** By that much later it has forgotten the key, however long the first use was in transit. */
const forgettingMs = 70_000;

/** What a client knows of an idempotency key. */
export interface KeyUse {
  /** For how long the service certainly recognizes it. */
  left(): number;
  /** 0: nothing was sent with it; 1: what became of its calls is known; 2: it is not, or not yet. */
  doubt: number;
}

/**
 * Remembers when each key was first used. While it is in doubt what became of it, a key is not forgotten,
 * since a later call with it could act again; if there is no room, new keys are refused.
 */
export function createKeyMemory(room = 50_000) {
  const uses = new Map<unknown, KeyUse>();
  const isOver = ({ doubt, left }: KeyUse) => !doubt || (doubt < 2 && left() < -forgettingMs);

  return (operation: string, key: unknown): KeyUse => {
    let use = uses.get(key);
    if (!use || isOver(use)) {
      if (uses.size >= room) for (const [old, it] of uses) if (isOver(it)) uses.delete(old);
      if (uses.size >= room) throw invalidArgument(operation, 'too many', 'api/unsafe-key');
      const ticks = now();
      const date = Date.now();
      // One clock stops while the machine sleeps, the other can be changed: the larger age counts.
      const left = () => keyAgeMs - Math.max(now() - ticks, Date.now() - date);
      use = { left, doubt: 0 };
      uses.set(key, use);
    }
    return use;
  };
}
