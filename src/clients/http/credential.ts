/**
 * The credential of a client, and how errors are kept free of it.
 *
 * It lives only in closures, so no error, log or inspection of a client shows it. It is checked before
 * use, because fetch and undici name a header value that they refuse. Calls that wait for a token share
 * one request for it.
 */
import { invalidOption } from './error.js';
import { encode, isHeaderValue } from './request.js';
import { now } from './retry.js';

export interface Auth {
  /** If absent, the value is a token, sent as `authorization: Bearer …`. */
  readonly header?: string | undefined;
  /**
   * The function fetches a token: a text, or an OAuth answer (`access_token`, `expires_in`). Without
   * an end, a token is used until it is refused.
   */
  readonly value: string | (() => Promise<unknown>);
}

export function createCredential({ header, value }: Auth) {
  const canRenew = typeof value === 'function';
  const name = header ?? 'authorization';
  let held = '';
  let renewAt = 0;
  let fetching: Promise<string> | undefined;

  function hold(given: unknown): string {
    const { access_token: token = given, expires_in: seconds } = Object(given);
    if (!isHeaderValue(token) || !/^[\w-]+$/.test(name)) throw invalidOption('auth');
    // Renews after nine tenths of its life.
    renewAt = now() + 900 * (Number(seconds) || Infinity);
    held = header ? token : `Bearer ${token}`;
    return held;
  }

  if (!canRenew) hold(value);
  return {
    header: name,
    canRenew,
    /** The value to send; not the one that was refused, unless there is no other. */
    take(refused?: string): string | Promise<string> {
      if (!canRenew || (now() < renewAt && held !== refused)) return held;
      fetching ??= value()
        .then(hold)
        .finally(() => {
          fetching = undefined;
        });
      return fetching;
    },
  };
}

/** Makes an untrusted text safe to log: one line, without the secrets, whole or encoded. */
export function redact(text: unknown, secrets: readonly (string | undefined)[]): string {
  let safe = /string|number/.test(typeof text) ? `${text}` : '';
  for (const form of secrets.flatMap(formsOf)) safe = safe.replaceAll(form, '[credential]');
  return safe
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
}

/** A secret as it is, encoded for an address, and in Base64 of both kinds, encoded or not. */
function formsOf(secret: string | undefined): (string | RegExp)[] {
  if (!secret) return [];
  const base64 = btoa(String.fromCharCode(...encode(secret))).replace(/=+$/, '');
  const encoded = [secret, base64].map((form) =>
    // Any other sign, encoded or not, may stand in the place of one.
    encodeURIComponent(form).replace(/%..|[^a-z\d%]/gi, '(?:%..|[^%a-z\\d\\s])'),
  );
  return [secret, new RegExp(encoded.join('|'), 'gi')];
}
