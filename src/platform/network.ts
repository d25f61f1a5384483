/** The network, the clock and chance, as programs that call the platform get them. */

export interface Network {
  readonly fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** How long one attempt may take, its answer included. */
  readonly attemptMs: number;
}

/** Those of the process. */
export const realNetwork: Network = {
  fetch: (input, init) => globalThis.fetch(input, init),
  now: Date.now,
  random: Math.random,
  sleep: (milliseconds) =>
    new Promise((resolve) => {
      setTimeout(resolve, milliseconds);
    }),
  attemptMs: 30_000,
};
