/** A clock that stands still until a test moves it; it counts the timers that are set. */
import type { Clock } from '../../../src/adapters/http/clock.js';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export interface FakeClock extends Clock {
  /** Moves on, firing timers in their order, and lets promises settle in between. */
  advance(ms: number): Promise<void>;
  timers(): number;
  readonly fired: () => number;
}

export function createFakeClock(date = Date.parse('2026-03-01T10:00:00Z')): FakeClock {
  const timers = new Set<Timer>();
  let now = 1000;
  let fired = 0;
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const next = (until: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    date: () => date + now - 1000,
    setTimer: (callback, ms) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return timer;
    },
    clearTimer: (timer) => {
      timers.delete(timer as Timer);
    },
    async advance(ms) {
      const until = now + ms;
      await settle();
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        fired += 1;
        timer.callback();
        await settle();
      }
      now = until;
    },
    timers: () => timers.size,
    fired: () => fired,
  };
}
