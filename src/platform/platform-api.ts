/**
 * One request to the platform: the key sent along, attempts timed, answers bounded.
 *
 * In: a request. Out: the text of its answer, or a fault that says whether the server may have
 * acted. Invariants: the key goes to the host of the request alone; nothing of the key stands in a
 * result; an answer is read up to a limit, whatever its length is said to be.
 */
import type { Network } from './network.js';
import { type Ending, mayHaveActed, retryDecision } from './retry.js';

export interface PlatformRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly key: string;
  /** JSON. */
  readonly body?: string;
}

export type FaultKind =
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'refused'
  | 'limited'
  | 'server'
  | 'timeout'
  | 'unreachable'
  | 'broken'
  | 'truncated'
  | 'too-large'
  | 'redirect';

export interface Fault {
  readonly kind: FaultKind;
  readonly status: number | null;
  /** How often the request was sent. */
  readonly attempts: number;
  /** Whether the server may have done what it was asked for. */
  readonly mayHaveActed: boolean;
  /** What the server says: the beginning of its answer, or where it redirects to. */
  readonly detail: string | null;
}

export type Reply =
  | { readonly ok: true; readonly status: number; readonly text: string }
  | { readonly ok: false; readonly fault: Fault };

/** Faults that the next request would meet, too. */
export const generalFaults: ReadonlySet<FaultKind> = new Set([
  'unauthorized',
  'forbidden',
  'unreachable',
  'redirect',
]);

/** Longest answer that is read. */
const maxAnswerBytes = 16 * 1024 * 1024;
const maxFaultBytes = 16 * 1024;
const maxRedirects = 5;

/** Sends the request, again where that is of use. */
export async function send(request: PlatformRequest, network: Network): Promise<Reply> {
  const repeatable = request.method !== 'POST';
  for (let number = 1; ; number += 1) {
    const attempt = await tryOnce(request, network);
    if (attempt.final) return withAttempts(attempt.reply, number);
    const chance = { now: network.now(), random: network.random() };
    const decision = retryDecision({ ending: attempt.ending, number, repeatable }, chance);
    if (!decision.retry) return { ok: false, fault: faultOf(attempt, number) };
    await network.sleep(decision.afterMs);
  }
}

/** An attempt that is an answer to take as it is, or one that {@link retryDecision} looks at. */
type Tried =
  | { readonly final: true; readonly reply: Reply }
  | { readonly final: false; readonly ending: Ending; readonly detail: string | null };

function withAttempts(reply: Reply, attempts: number): Reply {
  return reply.ok ? reply : { ok: false, fault: { ...reply.fault, attempts } };
}

async function tryOnce(request: PlatformRequest, network: Network): Promise<Tried> {
  const signal = AbortSignal.timeout(network.attemptMs);
  let url = request.url;
  for (let hops = 0; ; hops += 1) {
    let response: Response;
    try {
      response = await network.fetch(url, initOf(request, signal));
    } catch (error) {
      return { final: false, ending: { kind: endingOf(error, signal) }, detail: null };
    }
    const next = redirectOf(response, url);
    if (next === null) return readAnswer(response, signal, request.key);
    await discard(response);
    if (hops === maxRedirects || !mayFollow(request, response.status, url, next)) {
      // 307 and 308 ask for the same again; the others can point to what was just created.
      const acted = request.method === 'POST' && response.status < 307;
      return { final: true, reply: failure('redirect', response.status, next, acted) };
    }
    url = next;
  }
}

function initOf({ method, key, body }: PlatformRequest, signal: AbortSignal): RequestInit {
  const headers: Record<string, string> = {
    authorization: `Bearer ${key}`,
    accept: 'application/json',
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const init: RequestInit = { method, headers, signal, redirect: 'manual' };
  return body === undefined ? init : { ...init, body };
}

/** Faults that come up before anything is sent. */
const unsent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** The texts of such errors can hold headers, and are not kept. */
function endingOf(error: unknown, signal: AbortSignal): 'timeout' | 'unreachable' | 'broken' {
  if (signal.aborted) return 'timeout';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : null;
  const isRefusedPort = cause instanceof Error && cause.message === 'bad port';
  if (unsent.has(code) || isCertificateFault(code) || isRefusedPort) return 'unreachable';
  return 'broken';
}

function isCertificateFault(code: unknown): boolean {
  return (
    typeof code === 'string' && /^(?:ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code)
  );
}

/** Where the answer redirects to; null where it does not. */
function redirectOf({ status, headers }: Response, from: string): string | null {
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return null;
  return URL.canParse(location, from) ? new URL(location, from).href : location;
}

/** The key goes to no other host and to no plainer connection; a body is sent again only as such. */
function mayFollow({ method }: PlatformRequest, status: number, from: string, to: string): boolean {
  if (!URL.canParse(to)) return false;
  const [source, target] = [new URL(from), new URL(to)];
  const samePlace = source.host === target.host;
  const asSafe = target.protocol === source.protocol || target.protocol === 'https:';
  return samePlace && asSafe && (method === 'GET' || status === 307 || status === 308);
}

async function readAnswer(response: Response, signal: AbortSignal, key: string): Promise<Tried> {
  const { status, ok } = response;
  const body = await readBody(response, ok ? maxAnswerBytes : maxFaultBytes, signal);
  if (ok) {
    if (body.end === 'whole') return { final: true, reply: { ok: true, status, text: body.text } };
    return { final: true, reply: failure(body.end, status, null, true) };
  }
  // Hidden before it is cut: what is left of a key that was cut in two nobody would find again.
  const said = (messageOf(body.text) ?? body.text).replaceAll(key, '••••');
  const detail = said.slice(0, 2000) || null;
  const retryAfter = response.headers.get('retry-after');
  return { final: false, ending: { kind: 'answer', status, retryAfter }, detail };
}

/** What an answer of JSON says; null of other answers. */
function messageOf(text: string): string | null {
  try {
    const { message, error } = JSON.parse(text);
    const said = message ?? error;
    if (Array.isArray(said)) return said.map(String).join('; ');
    return typeof said === 'string' ? said : null;
  } catch {
    return null;
  }
}

function failure(
  kind: FaultKind,
  status: number | null,
  detail: string | null,
  acted: boolean,
): Reply {
  return { ok: false, fault: { kind, status, attempts: 1, mayHaveActed: acted, detail } };
}

interface Body {
  readonly text: string;
  readonly end: 'whole' | 'truncated' | 'too-large' | 'timeout';
}

/** The text of the body up to the limit; what is no UTF-8 counts as cut off. */
async function readBody(response: Response, limit: number, signal: AbortSignal): Promise<Body> {
  const decoder = new TextDecoder('utf-8', { fatal: response.ok });
  const parts: string[] = [];
  let size = 0;
  const ended = (end: Body['end']): Body => ({ text: parts.join(''), end });
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      parts.push(decoder.decode(chunk, { stream: true }));
      // Leaving the loop cancels the rest.
      if (size > limit) return ended('too-large');
    }
    parts.push(decoder.decode());
    return ended('whole');
  } catch {
    return ended(signal.aborted ? 'timeout' : 'truncated');
  }
}

async function discard(response: Response): Promise<void> {
  await response.body?.cancel().catch(() => undefined);
}

function faultOf(
  { ending, detail }: { readonly ending: Ending; readonly detail: string | null },
  attempts: number,
): Fault {
  const status = ending.kind === 'answer' ? ending.status : null;
  const kind = ending.kind === 'answer' ? kindOf(ending.status) : ending.kind;
  return { kind, status, attempts, mayHaveActed: mayHaveActed(ending), detail };
}

function kindOf(status: number): FaultKind {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'missing';
  if (status === 429) return 'limited';
  return status >= 500 ? 'server' : 'refused';
}
