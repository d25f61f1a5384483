/**
 * The credential of a client.
 *
 * Invariants: it lives in closures alone, so that no error, log or inspection of a client shows it;
 * it is checked before it is used, since the functions that send a header name its value when they
 * refuse it. A token is fetched once for all calls that wait for it, and renewed before it ends.
 */
import { invalidOption } from './api-error.js';
import { type Clock, never } from './clock.js';
import { isHeaderName, isHeaderValue } from './headers.js';

/** A token and how long it lives; without an end, until it is refused. */
export interface Token {
  readonly token: string;
  readonly expiresInMs?: number;
}

export interface Auth {
  /** Without a header, the value is a token and goes as `authorization: Bearer …`. */
  readonly header?: string | undefined;
  readonly value: string | (() => Promise<Token>);
}

export interface Credential {
  /** In small letters. */
  readonly header: string;
  /** At once where it is at hand. Rejects with whatever the caller's function rejects with. */
  value(): string | Promise<string>;
  /** Says that this value was refused; whether there may be another one. */
  renew(refused: string): boolean;
}

/** A token is renewed this long before its end, or by a tenth of a short life. */
const marginMs = 60_000;

export function createCredential({ header, value }: Auth, { now }: Clock): Credential {
  const renewable = typeof value === 'function';
  let held = renewable ? '' : sendable(value);
  let [renewAt, endsAt] = renewable ? [0, 0] : [never, never];
  let fetching: Promise<string> | undefined;

  function sendable(secret: unknown): string {
    if (!isHeaderValue(secret) || !isHeaderName(header ?? 'x')) throw invalidOption('auth');
    return header ? secret : `Bearer ${secret}`;
  }

  async function renewed(fetchToken: () => Promise<Token>): Promise<string> {
    try {
      const { token, expiresInMs = never } = await fetchToken();
      held = sendable(token);
      endsAt = now() + expiresInMs;
      renewAt = endsAt - Math.min(marginMs, expiresInMs / 10);
    } catch (error) {
      // The old one does as long as it lives.
      if (endsAt <= now()) throw error;
    } finally {
      fetching = undefined;
    }
    return held;
  }

  return {
    header: header?.toLowerCase() ?? 'authorization',
    value() {
      if (!renewable || now() < renewAt) return held;
      fetching ??= renewed(value);
      return fetching;
    },
    renew(refused) {
      if (held === refused) [renewAt, endsAt] = [0, 0];
      return renewable;
    },
  };
}
