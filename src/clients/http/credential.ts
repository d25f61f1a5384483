/**
 * The credential of a client, and how errors are kept free of it.
 *
 * It lives only in closures, so no error, log or inspection of a client shows it. It is checked before
 * use, because fetch and undici name a header value that they refuse. Calls that wait for a token share
 * one request for it.
 */
import { invalidOption } from './error.js';
import { isHeaderValue } from './request.js';
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
  const isFixed = typeof value !== 'function';
  let held = '';
  let renewAt = 0;
  let fetching: Promise<string> | undefined;

  function hold(given: unknown): string {
    const { access_token: token = given, expires_in: seconds } = Object(given);
    if (!isHeaderValue(token) || !/^[\w-]+$/.test(header ?? 'x')) throw invalidOption('auth');
    // Renews after nine tenths of its life.
    renewAt = now() + 900 * (Number(seconds) || Infinity);
    held = header ? token : `Bearer ${token}`;
    return held;
  }

  if (isFixed) hold(value);
  return {
    header: header ?? 'authorization',
    isFixed,
    /** The value to send; not the one that was refused, unless there is no other. */
    take(refused?: string): string | Promise<string> {
      if (isFixed || (now() < renewAt && held !== refused)) return held;
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
  for (const secret of secrets) {
    if (!secret) continue;
    safe = safe.replaceAll(secret, '[credential]').replace(formsOf(secret), '[credential]');
  }
  return safe
    .slice(0, 1000)
    .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
    .trim();
}

/** A secret encoded for an address, and in Base64 of both kinds, encoded or not. */
function formsOf(secret: string): RegExp {
  const base64 = btoa(String.fromCharCode(...new TextEncoder().encode(secret)));
  const forms = [secret, base64.replace(/=+$/, '')].map((form) =>
    encodeURIComponent(form).replace(/%..|[^a-z\d%]/gi, (sign) => {
      const code = sign[1] ? sign : `%${sign.charCodeAt(0).toString(16)}`;
      // Any other sign may stand in its place.
      return `(?:${code}|[^%a-z\\d])`;
    }),
  );
  return new RegExp(forms.join('|'), 'gi');
}
