/**
 * The credentials of a bills client.
 *
 * In: the credentials that the service gave the caller. Out: how the request core sends them. A
 * token takes precedence over a key. A client's id and secret are exchanged for tokens; no other
 * request carries them.
 */
import type { Auth } from '../http/credential.js';
import type { Operation } from '../http/operation.js';
import { createSender, type SenderOptions } from '../http/send.js';

/** Section "Authentication", APIKeyAuth. A key, sent in `header` (default: `requestToken`). */
export interface ApiKeyCredentials {
  readonly apiKey: string;
  readonly header?: string;
}

/** BearerAuth. A token, or a function that fetches one and is called again if it is refused. */
export interface BearerCredentials {
  readonly bearer: string | (() => Promise<string>);
}

/** A client's id and secret, which the service exchanges for short-lived tokens. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where tokens are issued, without a query. Default: `/v2/Token/serverside` below `baseUrl`. */
  readonly tokenUrl?: string;
  /** The body of the request for a token. Default: `{ clientId, clientSecret }`. */
  readonly tokenRequest?: Readonly<Record<string, unknown>>;
}

/** If several are given, only the token is sent. */
export type BillsCredentials = ApiKeyCredentials | BearerCredentials | ClientCredentials;

type Shared = Omit<SenderOptions, 'auth'>;

type All = ApiKeyCredentials & Partial<BearerCredentials & ClientCredentials>;

export const authOf = ({ auth, ...shared }: Shared & { readonly auth: BillsCredentials }): Auth => {
  const given: All = Object(auth);
  const { apiKey, header = 'requestToken', bearer, clientId, clientSecret, tokenUrl } = given;
  if (bearer) return { value: bearer };
  if (!clientId || !clientSecret) return { header, value: apiKey };
  // Tokens may come from another server, which must not see a credential of this one.
  const sender = createSender({ ...shared, baseUrl: tokenUrl ?? shared.baseUrl });
  const { tokenRequest: body = { clientId, clientSecret } } = given;
  const path = tokenUrl ? '' : '/v2/Token/serverside';
  const operation = { id: 'bills.token', method: 'POST', path, body: 'json', repeat: 'always' };
  return { value: () => sender.send(operation as Operation, { body }).finally(sender.close) };
};
