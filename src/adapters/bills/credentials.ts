/**
 * The credentials of a bills client.
 *
 * In: what the caller was given by the service. Out: how the request core shows it. A token goes
 * before a key where both are there; a client's id and secret are exchanged for tokens, and no other
 * request carries them.
 */
import { invalidOption } from '../http/error.js';
import type { Operation } from '../http/operation.js';
import { type Auth, createSender, type SenderOptions } from '../http/send.js';

/** Section "Authentication", APIKeyAuth. A key, sent in `header` (default: `requestToken`). */
export interface ApiKeyCredentials {
  readonly apiKey: string;
  readonly header?: string;
}

/** BearerAuth. A token, or a function that fetches one; it is called again when the token is refused. */
export interface BearerCredentials {
  readonly bearer: string | (() => Promise<string>);
}

/** The id and the secret of a client, which the service exchanges for short-lived tokens. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where tokens are issued, without a query. Default: `/v2/Token/serverside` below `baseUrl`. */
  readonly tokenUrl?: string;
  /** The body of the request for a token. Default: `{ clientId, clientSecret }`. */
  readonly tokenRequest?: Readonly<Record<string, unknown>>;
}

/** Where more than one is there, the token goes, and it alone. */
export type BillsCredentials = ApiKeyCredentials | BearerCredentials | ClientCredentials;

type Shared = Omit<SenderOptions, 'auth'>;

/** `options` are those of the client. */
export function authOf({ auth, ...shared }: Shared & { readonly auth: BillsCredentials }): Auth {
  const given: Partial<ApiKeyCredentials & BearerCredentials & ClientCredentials> = auth ?? {};
  const { apiKey, header = 'requestToken', bearer, clientId, clientSecret } = given;
  if (typeof bearer === 'function') return { value: async () => ({ token: await bearer() }) };
  if (bearer) return { value: bearer };
  if (clientId && clientSecret) {
    const { tokenUrl, tokenRequest = { clientId, clientSecret } } = given;
    return exchange(shared, tokenRequest, tokenUrl);
  }
  if (apiKey) return { header, value: apiKey };
  throw invalidOption('auth');
}

/**
 * A second sender without a credential, because tokens may come from another server. Between two
 * tokens it keeps no connection.
 */
function exchange(shared: Shared, body: unknown, tokenUrl?: string): Auth {
  const sender = createSender({ ...shared, baseUrl: tokenUrl ?? shared.baseUrl });
  const operation: Operation = {
    id: 'bills.token',
    method: 'POST',
    path: tokenUrl ? '' : '/v2/Token/serverside',
    body: 'json',
    repeat: 'always',
  };
  return {
    async value() {
      const answer = await sender.send(operation, { body }).finally(sender.close);
      const { access_token: token, expires_in: seconds } = Object(answer);
      // What is no token is refused by whoever puts it into a header. Without an end, it lives on.
      const expiresInMs = 1000 * (seconds as number) || Infinity;
      return { token: token as string, expiresInMs };
    },
  };
}
