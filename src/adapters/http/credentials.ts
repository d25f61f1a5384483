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

export type Auth =
  | { readonly header: string; readonly value: string }
  | { readonly bearer: string }
  | { readonly token: () => Promise<Token> };

export interface Credential {
  readonly header: string;
  /** At once where it is at hand. Rejects with whatever the caller's function rejects with. */
  value(): string | Promise<string>;
  /** Says that this value was refused; whether there may be another one. */
  renew(refused: string): boolean;
}

/** A token is renewed this long before its end, or by a tenth of a short life. */
const marginMs = 60_000;

const header = 'authorization';

export function createCredential(auth: Auth, clock: Clock): Credential {
  if ('token' in auth) return tokenCredential(auth.token, clock);
  if ('bearer' in auth) return { header, ...fixed(`Bearer ${checked(auth.bearer)}`) };
  if (!isHeaderName(auth.header)) throw invalidOption('auth');
  return { header: auth.header, ...fixed(checked(auth.value)) };
}

function fixed(value: string) {
  return { value: () => value, renew: () => false };
}

function checked(secret: unknown): string {
  if (!isHeaderValue(secret)) throw invalidOption('auth');
  return secret;
}

function tokenCredential(fetchToken: () => Promise<Token>, { now }: Clock): Credential {
  let [held, renewAt, endsAt] = ['', 0, 0];
  let fetching: Promise<string> | undefined;

  async function renewed(): Promise<string> {
    try {
      const { token, expiresInMs = never } = await fetchToken();
      held = `Bearer ${checked(token)}`;
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
    header,
    value() {
      if (now() < renewAt) return held;
      fetching ??= renewed();
      return fetching;
    },
    renew(refused) {
      if (held === refused) [renewAt, endsAt] = [0, 0];
      return true;
    },
  };
}
