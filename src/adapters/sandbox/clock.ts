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

export interface ClockOptions {
  /** `real` (the default) runs with the machine's; `manual` stands at the start of 2026 until moved. */
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

  /** The time as both services write it. */
  timestamp(): string {
    return new Date(this.now()).toISOString();
  }

  advance(milliseconds: number): void {
    const target = this.now() + milliseconds;
    this.#runUntil(target);
    this.#moved += Math.max(0, target - this.now());
  }

  /** Does something once the clock has moved on by so much. */
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
      // Whoever looks at the clock meanwhile sees the time at which this was due.
      this.#moved += Math.max(0, next.time - this.now());
      next.action();
    }
  }
}
