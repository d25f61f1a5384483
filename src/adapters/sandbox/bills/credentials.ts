/**
 * Who may call the bills: an API key in its header, or a bearer token that the token endpoint has
 * issued for a client's id and secret. Where a bearer token is sent, it alone counts.
 */
import { type Answer, jsonAnswer, Refused } from '../answer.js';
import { type Call, header, jsonObject } from '../call.js';
import { chanceOf } from '../chance.js';
import type { SandboxClock } from '../clock.js';

export interface BillsCredentials {
  readonly apiKey: string;
  /** Name of the API key's header. */
  readonly apiKeyHeader: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Seconds that a token is good for. */
  readonly tokenSeconds: number;
}

export interface Doorkeeper {
  admit(call: Pick<Call, 'headers'>): void;
  issue(call: Call): Answer;
  /** No token issued so far is good any longer. */
  revokeTokens(): void;
  issued(): number;
}

export function createDoorkeeper(
  { apiKey, apiKeyHeader, clientId, clientSecret, tokenSeconds }: BillsCredentials,
  clock: SandboxClock,
  seed: number,
): Doorkeeper {
  const expiries = new Map<string, number>();
  let issued = 0;
  return {
    issued: () => issued,
    revokeTokens: () => expiries.clear(),
    admit(call) {
      const authorization = header(call, 'authorization');
      if (authorization === undefined) {
        if (header(call, apiKeyHeader) === apiKey) return;
      } else if ((expiries.get(authorization) ?? 0) > clock.now()) return;
      throw new Refused(401, 'The credential is missing or not valid', 'Send a valid credential.');
    },
    issue(call) {
      const { clientId: id, clientSecret: secret } = jsonObject(call);
      if (id !== clientId || secret !== clientSecret) {
        throw new Refused(401, 'The client is not known');
      }
      issued += 1;
      const [number] = chanceOf(seed, `token ${issued}`);
      const token = `sandbox-token-${issued}-${number.toString(36).slice(2)}`;
      expiries.set(`Bearer ${token}`, clock.now() + tokenSeconds * 1000);
      return jsonAnswer(200, {
        access_token: token,
        token_type: 'Bearer',
        expires_in: tokenSeconds,
      });
    },
  };
}
