/**
 * From a request that was read to its answer: which API, which fault, who may call, what is done.
 *
 * The order is that of a real service behind a bad line: a fault that strikes before comes first of
 * all, then the credential, then the operation.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { type Answer, jsonAnswer, Refused } from './answer.js';
import { type Call, header } from './call.js';
import { type Fault, noFault } from './fault.js';
import type { Faults } from './faults.js';
import type { Router } from './routes.js';

/** One of the services behind the server. */
export interface Api {
  /** What the paths of its addresses start with, such as `/api`. */
  readonly prefix: string;
  readonly router: Router;
  /** Refuses whoever may not call; nothing else is said before. */
  admit(call: Omit<Call, 'path'>): void;
  /** An error in the form of the service. */
  refusal(refused: Refused): Answer;
  /** A 200 that reports a failure; null where the service knows no such thing. */
  declined(): Answer | null;
}

/** A request that came, and what became of it. Credentials are not kept. */
export interface RequestRecord {
  /** The operation's name; null where no operation has such a path. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly idempotencyKey: string | null;
  /** Whether its operation took it, whatever the client came to know of that. */
  readonly acted: boolean;
  /** The status that was answered, or would have been on a better line; 0 where there was none. */
  readonly status: number;
  readonly fault: Fault['kind'];
}

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Null where it was larger than the sandbox takes. */
  readonly body: Buffer | null;
}

export interface Answered {
  readonly answer: Answer;
  readonly fault: Fault;
  readonly record: RequestRecord;
}

/** What is known of a request so far. */
interface Progress {
  operation: string | null;
  fault: Fault;
  acted: boolean;
}

export function answerRequest(arrived: Arrived, apis: readonly Api[], faults: Faults): Answered {
  const { method, url } = arrived;
  const api = apis.find(({ prefix }) => url.startsWith(`${prefix}/`)) ?? nowhere;
  const progress: Progress = { operation: null, fault: noFault, acted: false };
  const honest = answerOr(api, () => carryOut(arrived, api, faults, progress));
  const { fault } = progress;
  const replaced = isStatus(fault) && fault.acts;
  const answer = replaced ? answerOr(api, () => spoilt(api, fault, url)) : honest;
  const idempotencyKey = header(arrived, 'idempotencyKey') ?? null;
  const { operation, acted } = progress;
  const { status } = answer;
  const record = { operation, method, url, idempotencyKey, acted, status, fault: fault.kind };
  return { answer, fault, record };
}

/** The API of paths that belong to none. */
const nowhere: Api = {
  prefix: '',
  router: () => null,
  admit() {},
  refusal: ({ status, message }) => jsonAnswer(status, { message }),
  declined: () => null,
};

function answerOr({ refusal }: Api, act: () => Answer): Answer {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return refusal(error);
    const message = error instanceof Error ? error.message : String(error);
    return refusal(new Refused(500, `A bug of the sandbox: ${message}`));
  }
}

function carryOut(arrived: Arrived, api: Api, faults: Faults, progress: Progress): Answer {
  const { method, url, headers } = arrived;
  const body = arrived.body ?? Buffer.alloc(0);
  const { pathname, search } = partsOf(url, api);
  const match = api.router(method, pathname);
  const operation = match?.route.operation ?? '';
  progress.operation = match === null ? null : operation;
  const asked = header(arrived, 'x-sandbox-fault');
  const key = header(arrived, 'idempotencyKey') ?? '';
  const fault = faults.decide({ operation, method, url, key, body, asked });
  progress.fault = fault;
  if (!fault.acts) return spoilt(api, fault, url);
  const fates = { 'key-lost': 'lost', 'key-late': 'late' } as const;
  const fate = fates[fault.kind as keyof typeof fates];
  const call = { operation, query: [...new URLSearchParams(search)], headers, body, fate };
  api.admit(call);
  if (arrived.body === null) throw new Refused(413, 'The body is larger than the sandbox takes');
  if (match === null) throw new Refused(404, 'No operation has this method and path');
  const answer = match.route.act({ ...call, path: match.path });
  progress.acted = fate !== 'lost';
  return answer;
}

/** Whether a status is what the client gets. */
function isStatus({ kind }: Pick<Fault, 'kind'>): boolean {
  return kind === 'status' || kind === 'key-lost' || kind === 'key-late';
}

/** Path below the API, as sent, and query. */
function partsOf(url: string, { prefix }: Api): { pathname: string; search: string } {
  const [, pathname = '', search = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? [];
  return { pathname: pathname.slice(prefix.length), search };
}

/** The answer that comes in the place of acting, or of the answer to it. */
function spoilt(api: Api, { kind, number }: Fault, url: string): Answer {
  if (kind === 'rate-limit') {
    const { headers, ...rest } = api.refusal(new Refused(429, 'Too many requests'));
    return { ...rest, headers: { ...headers, 'retry-after': String(number) } };
  }
  const declined = kind === 'declined' ? api.declined() : null;
  if (declined !== null) return declined;
  if (kind === 'declined') throw new Refused(400, 'Answers of this service are never declined');
  // Of a connection that breaks or hangs nobody sees an answer.
  if (!isStatus({ kind })) return { status: 0, headers: {}, body: Buffer.alloc(0) };
  if (number >= 400) throw new Refused(number, 'A fault that was asked for');
  const headers = number >= 300 ? { location: `${url}#elsewhere` } : undefined;
  return { status: number, headers: headers ?? {}, body: Buffer.alloc(0) };
}
