/**
 * The clock of the sandbox: what it shows, and what is to happen at a time that it will show.
 *
 * It runs with the machine's, or (`manual`) stands still. Either way `advance` moves it forward and
 * does on the way, in order of time, what was due: a test need not wait two minutes for a key to
 * expire, or seconds for a run to end.
 */

export interface SandboxClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Moves the clock forward; all that was due on the way has happened when it returns. */
  advance(milliseconds: number): void;
}

/** The clock as the sandbox itself uses it. */
export interface Clock extends SandboxClock {
  /** Does something once the clock has moved on by so much. */
  after(milliseconds: number, action: () => void): void;
  /** The time as both services write it. */
  timestamp(): string;
  /** Forgets what is still to come. */
  stop(): void;
}

export interface ClockOptions {
  /** `real` (the default) runs with the machine's; `manual` stands at the start of 2026 until moved. */
  readonly mode?: 'real' | 'manual';
}

export function createClock({ mode = 'real' }: ClockOptions = {}): Clock {
  let moved = 0;
  let due: { readonly time: number; readonly action: () => void }[] = [];
  const now = () => (mode === 'real' ? Date.now() : Date.UTC(2026, 0, 1)) + moved;
  const runUntil = (time: number): void => {
    for (let next = due[0]; next !== undefined && next.time <= time; next = due[0]) {
      due.shift();
      // Whoever looks at the clock meanwhile sees the time at which this was due.
      moved += Math.max(0, next.time - now());
      next.action();
    }
  };
  return {
    now,
    timestamp: () => new Date(now()).toISOString(),
    advance(milliseconds) {
      const target = now() + Math.max(0, milliseconds);
      runUntil(target);
      moved += Math.max(0, target - now());
    },
    after(milliseconds, action) {
      const time = now() + milliseconds;
      due.push({ time, action });
      due.sort((a, b) => a.time - b.time);
      if (mode === 'real') setTimeout(() => runUntil(Math.max(time, now())), milliseconds).unref();
    },
    stop() {
      due = [];
    },
  };
}
