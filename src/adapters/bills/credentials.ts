/**
 * The credentials of a bills client.
 *
 * In: what the caller was given by the service. Out: how the request core shows it. A token goes
 * before a key where both are there; a client's id and secret are exchanged for tokens, and no other
 * request carries them.
 */
import { invalidOption } from '../http/api-error.js';
import type { Auth, Token } from '../http/credentials.js';
import type { Operation } from '../http/operation.js';
import { createSender, type SenderOptions } from '../http/send.js';
import { membersOf } from './service-error.js';

/** A key, sent in `header` (default: `requestToken`). */
export interface ApiKeyCredentials {
  readonly apiKey: string;
  readonly header?: string;
}

/** A token, or a function that fetches one; it is called again when the token is refused. */
export interface BearerCredentials {
  readonly bearer: string | (() => Promise<string>);
}

/** The id and the secret of a client, which the service exchanges for short-lived tokens. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where tokens are issued. Default: `/v2/Token/serverside` below the base address. */
  readonly tokenUrl?: string;
  /** The body of the request for a token. Default: `{ clientId, clientSecret }`. */
  readonly tokenRequest?: Readonly<Record<string, unknown>>;
}

export type BillsCredentials = ApiKeyCredentials | BearerCredentials | ClientCredentials;

type Given = Partial<ApiKeyCredentials & BearerCredentials & ClientCredentials>;

export interface Credentials {
  readonly auth: Auth;
  /** Lets go of idle connections. */
  readonly close?: () => Promise<void>;
}

type SharedOptions = Omit<SenderOptions, 'auth'>;

/** `shared` has all options of the client but its credentials. */
export function readCredentials(given: BillsCredentials, shared: SharedOptions): Credentials {
  const { bearer, clientId, clientSecret, apiKey, header = 'requestToken' }: Given = given ?? {};
  if (typeof bearer === 'function') {
    return { auth: { token: async () => ({ token: await bearer() }) } };
  }
  if (bearer) return { auth: { bearer } };
  if (clientId && clientSecret) return exchange(given as ClientCredentials, shared);
  if (apiKey) return { auth: { header, value: apiKey } };
  throw invalidOption('auth');
}

/**
 * A second sender, because tokens may come from another server. Its own credential is a stand-in: the
 * operation takes none along.
 */
function exchange(
  { clientId, clientSecret, tokenUrl, tokenRequest }: ClientCredentials,
  shared: SharedOptions,
): Credentials {
  const url = tokenUrl ?? `${shared.baseUrl}`.replace(/\/*$/, '/v2/Token/serverside');
  const place = URL.canParse(url) ? new URL(url) : undefined;
  if (!place || place.username || place.password) throw invalidOption('tokenUrl');
  const sender = createSender({
    ...shared,
    baseUrl: place.origin,
    auth: { bearer: 'none' },
    secrets: [...(shared.secrets ?? []), clientSecret],
  });
  const operation: Operation = {
    id: 'bills.token',
    method: 'POST',
    path: place.pathname + place.search,
    body: 'json',
    repeat: 'always',
    auth: false,
  };
  const body = tokenRequest ?? { clientId, clientSecret };
  return {
    auth: { token: async () => tokenFrom(await sender.send(operation, { body })) },
    close: sender.close,
  };
}

function tokenFrom(answer: unknown): Token {
  const { access_token: token, expires_in: seconds } = membersOf(answer);
  // What is no token is refused by whoever puts it into a header.
  const lives = Number(seconds) > 0;
  return { token: token as string, ...(lives && { expiresInMs: Number(seconds) * 1000 }) };
}
