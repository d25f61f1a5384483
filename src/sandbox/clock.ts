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
export class Clock implements SandboxClock {
  #moved = 0;
  #due: { readonly time: number; readonly action: () => void }[] = [];
  readonly #isReal: boolean;

  constructor({ mode = 'real' }: ClockOptions = {}) {
    this.#isReal = mode === 'real';
  }

  now(): number {
    return (this.#isReal ? Date.now() : Date.UTC(2026, 0, 1)) + this.#moved;
  }

  /** The time in the format of both services. */
  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  advance(milliseconds: number): void {
    const target = this.now() + milliseconds;
    this.#runUntil(target);
    this.#moved += Math.max(0, target - this.now());
  }

  /** Runs an action after this much time on the clock. */
  after(milliseconds: number, action: () => void): void {
    const time = this.now() + milliseconds;
    this.#due.push({ time, action });
    this.#due.sort((a, b) => a.time - b.time);
    if (!this.#isReal) return;
    setTimeout(() => this.#runUntil(Math.max(time, this.now())), milliseconds).unref();
  }

  #runUntil(time: number): void {
    for (let next = this.#due[0]; next !== undefined && next.time <= time; next = this.#due[0]) {
      this.#due.shift();
      // The action sees the time at which it was due.
      this.#moved += Math.max(0, next.time - this.now());
      next.action();
    }
  }
}
