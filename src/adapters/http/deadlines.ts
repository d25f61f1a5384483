/**
 * Many deadlines on one timer.
 *
 * A request that ends in time, as nearly all do, costs an entry in a set and no timer: the timer is
 * set for the earliest deadline and looks, when it fires, whether that one is still of interest.
 * Invariants: nothing expires early; there is no timer while there is no deadline, so that none
 * keeps a program from ending.
 */
import { type Clock, never } from './clock.js';

export interface Deadline {
  /** A point of the clock. */
  readonly until: number;
  expire(): void;
}

export interface Deadlines {
  readonly clock: Clock;
  add(deadline: Deadline): void;
  remove(deadline: Deadline): void;
}

/** Shortest time between two looks at all of them: deadlines may be late by as much. */
const pauseMs = 10;

/** Longest time that a timer can count. */
const longestMs = 2 ** 31 - 1;

export function createDeadlines(clock: Clock): Deadlines {
  const waiting = new Set<Deadline>();
  let timer: unknown;
  let firesAt = never;
  let lookedAt = -never;

  /** One timer for the point of time, or none for one that does not come. */
  function arm(until: number): void {
    if (firesAt !== never) clock.clearTimer(timer);
    firesAt = until;
    if (until === never) return;
    const now = clock.now();
    firesAt = Math.min(Math.max(until, lookedAt + pauseMs), now + longestMs);
    // Timers count whole milliseconds and would cut off the rest.
    timer = clock.setTimer(look, Math.max(0, Math.ceil(firesAt - now)));
  }

  function look(): void {
    firesAt = never;
    lookedAt = clock.now();
    let earliest = never;
    for (const deadline of waiting) {
      if (deadline.until > lookedAt) earliest = Math.min(earliest, deadline.until);
      else if (waiting.delete(deadline)) deadline.expire();
    }
    if (waiting.size > 0 && earliest < firesAt) arm(earliest);
  }

  return {
    clock,
    add(deadline) {
      waiting.add(deadline);
      if (deadline.until < firesAt) arm(deadline.until);
    },
    remove(deadline) {
      if (waiting.delete(deadline) && waiting.size === 0) arm(never);
    },
  };
}
