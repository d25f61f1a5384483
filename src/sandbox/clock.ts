/**
 * The clock of the sandbox, and the actions scheduled on it.
 *
 * It runs with the machine's clock or, if `manual`, stands still. Either can be moved forward by
 * `advance`, which also runs the actions that become due, in order: a test need not wait two
 * minutes for a key to expire, or seconds for a run to end.
 */

export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the clock forward; returns after all actions due by then have run. */
  advance(milliseconds: number): void;
}

export interface ClockOptions {
  /** `real` (default) follows the machine's clock; `manual` starts in 2026 and must be moved. */
  readonly mode?: 'real' | 'manual';
}

/** The clock as the sandbox itself uses it. */
export interface Clock extends SandboxClock {
  /** The time in the format of both services. */
  timestamp(): string;
  /** Runs an action after this much time on the clock. */
  after(milliseconds: number, action: () => void): void;
}

export function createClock({ mode = 'real' }: ClockOptions = {}): Clock {
  const isReal = mode === 'real';
  const due: { readonly time: number; readonly action: () => void }[] = [];
  let moved = 0;
  const now = () => (isReal ? Date.now() : Date.UTC(2026, 0, 1)) + moved;
  const moveTo = (time: number) => {
    moved += Math.max(0, time - now());
  };
  const runUntil = (time: number) => {
    for (let next = due[0]; next !== undefined && next.time <= time; next = due[0]) {
      due.shift();
      // The action sees the time at which it was due.
      moveTo(next.time);
      next.action();
    }
  };
  return {
    now,
    timestamp: () => new Date(now()).toISOString(),
    advance(milliseconds) {
      const target = now() + milliseconds;
      runUntil(target);
      moveTo(target);
    },
    after(milliseconds, action) {
      const time = now() + milliseconds;
      due.push({ time, action });
      due.sort((a, b) => a.time - b.time);
      if (isReal) setTimeout(() => runUntil(Math.max(time, now())), milliseconds).unref();
    },
  };
}
