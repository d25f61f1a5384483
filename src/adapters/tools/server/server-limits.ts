/** How long and how large requests may be, and how many at a time. */
export interface ServerLimits {
  /** Bytes of all headers of a request. */
  readonly headerBytes: number;
  /** Until the headers of a request are there. */
  readonly headersTimeoutMs: number;
  /** Until all of a request is there. */
  readonly bodyTimeoutMs: number;
  /** A connection without a request is closed after this. */
  readonly idleTimeoutMs: number;
  /** Connections at a time; further ones are closed at once. */
  readonly connections: number;
  /** Requests at a time; further ones are answered with 503. */
  readonly requests: number;
  /** At the end: how long requests may take that were begun. */
  readonly drainMs: number;
}

/** The end outlasts the 15 seconds that a call may take. */
export const usualServerLimits: ServerLimits = {
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 15_000,
  idleTimeoutMs: 65_000,
  connections: 1024,
  requests: 256,
  drainMs: 20_000,
};
