/**
 * The HTTP side of the sandbox: reads requests, has them answered, records them, and applies faults
 * to the answers.
 *
 * A request is read in full before it acts. Acting is then one step: no two requests act at once,
 * and a fault strikes either before or after. As with a real service on a bad line, a fault that
 * strikes before comes first, then the check of the credential, then the operation. Paths are
 * matched segment by segment before decoding, so an encoded slash stays within its segment.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { Validators } from '../clients/http/operation.js';
import { type Arrived, Call, Download, Refused, type ServedOperation } from './call.js';
import { type Fault, type FaultKind, type Faults, noFault } from './fault.js';

/** One of the services of the server. */
export interface Api {
  /** The start of its paths, such as `/api`. */
  readonly prefix: string;
  /** If two match a path, the first wins. */
  readonly operations: readonly ServedOperation[];
  /** Checks of bodies, by operation. */
  readonly validators: Readonly<Record<string, Validators>>;
  /** Carries out an operation, and returns its answer: a Download, or what JSON can hold. */
  act(call: Call): object;
  /** Refuses unauthorized callers, before anything else is checked. */
  admit(headers: Headers, operation: string): void;
  /** An error in the service's format. */
  refusal(refused: Refused): object;
}

/** A request, and what happened to it. Holds no credentials. */
export interface RequestRecord {
  /** The operation's id; null if no operation matches. */
  readonly operation: string | null;
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly idempotencyKey: string | null;
  /** Whether the operation took the request, even if the client never learnt of it. */
  readonly acted: boolean;
  /** The answer's status, even if a fault kept it from the client; 0 if there was none. */
  readonly status: number;
  readonly fault: FaultKind;
}

const maxRequests = 100_000;

/** Listens only on loopback. */
export async function startServer(apis: readonly [Api, ...Api[]], faults: Faults, port: number) {
  const requests: RequestRecord[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { answer, fault, record } = answerRequest(await readRequest(request), apis, faults);
    if (requests.push(record) > maxRequests) requests.shift();
    await deliver(response, answer, fault);
  };
  const server = createServer((request, response) => {
    // If the client left in the middle of its request, there is no one to answer.
    serve(request, response).catch(() => response.destroy());
  });
  // Closing a connection just as a request arrives would look like a fault that was not ordered.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requests, close };
}

async function readRequest(request: IncomingMessage): Promise<Arrived> {
  const { method = 'GET', url = '/' } = request;
  const headers = new Headers(request.headers as Record<string, string>);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const type = headers.get('content-type') ?? '';
  const form = type.startsWith('multipart/form-data')
    ? await new Response(body, { headers: { 'content-type': type } }).formData().catch(() => null)
    : null;
  const part = form?.get('file');
  if (!(part instanceof Blob)) return { method, url, headers, body, file: null };
  const content = Buffer.from(await part.arrayBuffer());
  return { method, url, headers, body, file: { name: part.name, type: part.type, content } };
}

interface Answer {
  readonly status: number;
  /** A Download, or what JSON can hold. */
  readonly body: object;
  readonly retryAfter?: number;
}

/** Requests that match no API are refused in the format of the first. */
function answerRequest(arrived: Arrived, apis: readonly [Api, ...Api[]], faults: Faults) {
  const { method, url, headers } = arrived;
  const api = apis.find(({ prefix }) => url.startsWith(`${prefix}/`)) ?? apis[0];
  const found = operationAt(api, method, url);
  const id = found?.operation.id ?? '';
  let fault = noFault;
  let acted = false;
  const act = (): Answer => {
    fault = faults.decide(id, headers);
    if (fault.fate === 'refused') return failure(api, fault);
    if (found === undefined) throw new Refused(404, 'No operation has this method and path');
    api.admit(headers, id);
    const path = Object.entries(found.segments).map((each) => readSegment(...each));
    const check = api.validators[id]?.request;
    const body = api.act(new Call(found.operation, path, arrived, check, fault.fate));
    acted = fault.fate !== 'lost';
    return /^(?:status-after|key)/.test(fault.kind) ? failure(api, fault) : { status: 200, body };
  };
  let answer: Answer;
  try {
    answer = act();
  } catch (error) {
    const bug = () => new Refused(500, `A bug of the sandbox: ${error}`);
    answer = refusal(api, error instanceof Refused ? error : bug());
  }
  const record: RequestRecord = {
    ...{ operation: id || null, method, url, idempotencyKey: headers.get('idempotencyKey') },
    ...{ acted, status: answer.status, fault: fault.kind },
  };
  return { answer, fault, record };
}

/** The operation that matches a path, and its path parameters by name; undefined if none does. */
function operationAt({ operations, prefix }: Api, method: string, url: string) {
  const path = url.replace(/[?#].*/s, '');
  for (const operation of operations) {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = operation.method === method && new RegExp(`^${prefix}${pattern}$`).exec(path);
    if (match) return { operation, segments: match.groups ?? {} };
  }
  return undefined;
}

function readSegment(name: string, segment: string): string {
  if (/^(?:idBill|orgId)$/.test(name) && !/^\d{1,15}$/.test(segment)) {
    throw new Refused(400, `${name} must be an integer`);
  }
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new Refused(400, 'A part of the path is not encoded correctly');
  }
}

const refusal = (api: Api, refused: Refused): Answer => {
  return { status: refused.status, body: api.refusal(refused) };
};

/** The answer that replaces an action or its answer; status 0 if the connection breaks or hangs. */
function failure(api: Api, { kind, number }: Fault): Answer {
  if (kind === 'declined') {
    const declined = { isSuccess: false, responseCode: 2, responseText: 'Declined' };
    return { status: 200, body: { ...declined, responseData: 'The request was declined' } };
  }
  if (kind !== 'rate-limit') return refusal(api, new Refused(number, 'A fault that was asked for'));
  return { ...refusal(api, new Refused(429, 'Too many requests')), retryAfter: number };
}

/**
 * Sends an answer, or applies a fault to it. A broken connection is reset, not closed, so data sent
 * before may be lost, as it is when a process dies.
 */
async function deliver(response: ServerResponse, answer: Answer, fault: Fault): Promise<void> {
  const { kind, number } = fault;
  if (/^reset/.test(kind)) return void response.socket?.resetAndDestroy();
  // The connection stays open and silent until one side gives up.
  if (/^hang/.test(kind)) return;
  if (kind === 'latency') await pause(number, undefined, { ref: false });
  const { name, type, content } = kind === 'wrong-type' ? page : contentOf(answer.body);
  response.statusCode = answer.status;
  response.setHeader('content-type', type);
  response.setHeader('content-length', content.byteLength);
  if (name) {
    // The second form may contain any characters.
    const encoded = encodeURIComponent(name.toWellFormed());
    const names = `filename="${name.replaceAll(/[^\w. -]/g, '_')}"; filename*=UTF-8''${encoded}`;
    response.setHeader('content-disposition', `attachment; ${names}`);
  }
  if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter);
  if (kind !== 'truncate') return void response.end(content);
  // Destroyed only after half is sent, so that the client has certainly begun to read.
  response.flushHeaders();
  const half = content.subarray(0, Math.floor(content.byteLength / 2));
  response.write(half, () => setImmediate(() => response.socket?.destroy()));
}

const page = {
  name: '',
  type: 'text/html',
  content: Buffer.from('<title>Please stand by</title>'),
};

function contentOf(body: object) {
  if (body instanceof Download) return body.file;
  const type = 'application/json; charset=utf-8';
  return { name: '', type, content: Buffer.from(JSON.stringify(body)) };
}
