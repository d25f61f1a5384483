/** Time, as the request core sees it; tests bring a clock of their own. */
export interface Clock {
  /** Milliseconds of a clock that is never set back. */
  now(): number;
  /** The time of day. */
  date(): number;
  setTimer(callback: () => void, ms: number): unknown;
  clearTimer(timer: unknown): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  setTimer: (callback, ms) => setTimeout(callback, ms),
  clearTimer: (timer) => clearTimeout(timer as Parameters<typeof clearTimeout>[0]),
};

/** A point of time that does not come, and a length that is not reached. */
export const never = Number.POSITIVE_INFINITY;
