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

export const createCredential = ({ header, value }: Auth) => {
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
      if (now() < renewAt && held !== refused) return held;
      fetching ??= (value as () => Promise<unknown>)()
        .then(hold)
        .finally(() => {
          fetching = undefined;
        });
      return fetching as Promise<string>;
    },
  };
};

const textOf = (value: unknown) => (/string|number/.test(typeof value) ? `${value}` : '');

/** Makes untrusted texts safe to log: one line, without the secrets, whole or encoded. */
export const maskOf = (secrets: readonly unknown[]): ((text: unknown) => string) => {
  // A secret may be part of a longer one.
  const texts = secrets.map(textOf).sort((one, other) => other.length - one.length);
  const forms = texts.flatMap(formsOf);
  return (text) =>
    forms
      .reduce((parts, form) => parts.flatMap((part) => part.split(form)), [textOf(text)])
      .join('[credential]')
      .slice(0, 1000)
      .replace(/[\p{Cc}\p{Z}]+/gu, ' ')
      .trim();
};

/**
 * A secret as it is, encoded for an address in part or whole, and within Base64 of both kinds, encoded or
 * not. Whatever follows an encoded one up to a space counts as its end; of a long one, only the start is
 * compared.
 */
const formsOf = (secret: string): (string | RegExp)[] => {
  if (!secret) return [];
  const start = secret.slice(0, 200);
  const bytes = String.fromCharCode(...encode(start));
  // In Base64 after one or two other bytes, its outer digits also hold bits of what is beside it. Of a
  // short secret, too few digits are left to be a sign of it.
  const base64 = (secret[2] ? [0, 1, 2] : [0]).map((shift) => {
    const digits = btoa(' '.repeat(shift) + bytes);
    return digits.slice(shift && shift + 1, Math.max(2, ((shift + bytes.length) * 4) / 3));
  });
  // Any other sign, encoded or not, may stand in the place of one.
  const forms = [start, bytes, ...base64].map((form) =>
    form.replace(/[^a-z\d]/gi, '(?:%[\\da-f]{2}|[^a-z\\d])'),
  );
  const end = secret === start ? '\\S*' : '[^]*';
  return [secret, new RegExp(`(?:${forms.join('|')})${end}`, 'gi')];
};
