/**
 * Waiting with an end: any number of deadlines on one timer.
 *
 * A request that ends in time, as nearly all do, costs an entry in a list and no timer: the timer is
 * set for the earliest deadline and looks, when it fires, whether that one is still of interest.
 * Invariants: nothing ends early; there is no timer while there is no deadline, so that none keeps a
 * program from ending.
 */
import { type Clock, never } from './clock.js';

/** Why something was not waited for any longer. */
export interface Cut {
  readonly fault: 'timeout' | 'aborted';
}

export interface Deadlines {
  readonly clock: Clock;
  /**
   * Calls `end` once, at this point of the clock or with the signal, whichever is first. Calling
   * what it returns prevents that. A signal that was given before is not looked at.
   */
  watch(until: number, signal: AbortSignal | undefined, end: (cut: Cut) => void): () => void;
  /** Resolves with the promise (without one: never), or with what cut the waiting short. */
  wait<Result>(
    until: number,
    signal: AbortSignal | undefined,
    going?: Promise<Result>,
  ): Promise<Result | Cut>;
}

/** Shortest time between two looks at all of them: deadlines may be late by as much. */
const pauseMs = 10;

/** Longest time that a timer can count. */
const longestMs = 2 ** 31 - 1;

interface Deadline {
  readonly until: number;
  readonly expire: () => void;
  /** Where it stands in the list; negative once it does not. */
  place: number;
}

/** All that wait for a signal, behind one listener of it: Node warns of more than ten. */
class Group extends Set<() => void> {
  handleEvent(): void {
    for (const listener of this) listener();
  }
}

const groups = new WeakMap<AbortSignal, Group>();

/** Calls `listener` with the signal, unless what is returned was called before. */
function listen(signal: AbortSignal, listener: () => void): () => void {
  const group = groups.get(signal) ?? new Group();
  groups.set(signal, group.add(listener));
  signal.addEventListener('abort', group);
  return () => {
    if (group.delete(listener) && group.size === 0) signal.removeEventListener('abort', group);
  };
}

export function createDeadlines(clock: Clock): Deadlines {
  // In any order. A Set leaves tables behind that hold on to what was in them: a sixth of all time
  // went into moving requests about that were long over.
  const waiting: Deadline[] = [];
  let timer: unknown;
  let firesAt = never;
  let lookedAt = -never;

  /** One timer for the point of time, or none for one that does not come. */
  function arm(until: number): void {
    if (firesAt < never) clock.clearTimer(timer);
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
    for (const deadline of [...waiting]) {
      if (deadline.until > lookedAt) earliest = Math.min(earliest, deadline.until);
      else if (deadline.place >= 0) deadline.expire();
    }
    if (waiting.length > 0 && earliest < firesAt) arm(earliest);
  }

  function remove(deadline: Deadline): void {
    const { place } = deadline;
    const last = waiting.at(-1);
    if (place < 0 || !last) return;
    waiting[place] = last;
    last.place = place;
    deadline.place = -1;
    waiting.pop();
    if (waiting.length === 0) arm(never);
  }

  const watch: Deadlines['watch'] = (until, signal, end) => {
    const cut = (fault: Cut['fault']) => {
      stop();
      end({ fault });
    };
    const deadline = { until, expire: () => cut('timeout'), place: waiting.length };
    const deafen = signal && listen(signal, () => cut('aborted'));
    const stop = () => {
      deafen?.();
      remove(deadline);
    };
    waiting.push(deadline);
    if (until < firesAt) arm(until);
    return stop;
  };

  return {
    clock,
    watch,
    wait: (until, signal, going) =>
      new Promise((resolve) => {
        const stop = watch(until, signal, resolve);
        going?.then((result) => {
          stop();
          resolve(result);
        });
      }),
  };
}
