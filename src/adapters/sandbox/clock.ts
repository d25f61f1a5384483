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
export interface Schedule extends SandboxClock {
  /** Does something once the clock shows that time. */
  at(time: number, action: () => void): void;
  /** Forgets what is still to come. */
  stop(): void;
}

export interface ClockOptions {
  /** `real` (the default) runs with the machine's clock, `manual` stands until it is moved. */
  readonly mode?: 'real' | 'manual';
  /** What a manual clock shows at first; 2026-01-01T00:00:00Z if it is not said. */
  readonly startAt?: number;
}

interface Due {
  readonly time: number;
  readonly action: () => void;
}

/** Longest delay that a timer of Node takes. */
const longestDelay = 2 ** 31 - 1;

export function createSchedule({ mode = 'real', startAt }: ClockOptions = {}): Schedule {
  const started = startAt ?? Date.UTC(2026, 0, 1);
  let moved = 0;
  let due: Due[] = [];
  let timer: NodeJS.Timeout | undefined;
  const now = () => (mode === 'real' ? Date.now() : started) + moved;

  const runUntil = (time: number): void => {
    for (let next = due[0]; next !== undefined && next.time <= time; next = due[0]) {
      due.shift();
      // Whoever looks at the clock meanwhile sees the time at which this was due.
      moved += Math.max(0, next.time - now());
      next.action();
    }
  };
  const wake = (): void => {
    clearTimeout(timer);
    const first = due[0];
    if (mode === 'manual' || first === undefined) return;
    const delay = Math.min(Math.max(0, first.time - now()), longestDelay);
    timer = setTimeout(() => {
      runUntil(now());
      wake();
    }, delay).unref();
  };
  return {
    now,
    advance(milliseconds) {
      const target = now() + Math.max(0, milliseconds);
      runUntil(target);
      moved += Math.max(0, target - now());
      wake();
    },
    at(time, action) {
      const before = due.findIndex((each) => each.time > time);
      due.splice(before === -1 ? due.length : before, 0, { time, action });
      if (due[0]?.action === action) wake();
    },
    stop() {
      due = [];
      clearTimeout(timer);
    },
  };
}

/** A time as both services write it. */
export function timestamp(time: number): string {
  return new Date(time).toISOString();
}
