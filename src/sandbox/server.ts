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

const mostRequests = 100_000;

/** Listens only on loopback. */
export async function startServer(apis: readonly [Api, ...Api[]], faults: Faults, port: number) {
  const requests: RequestRecord[] = [];
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const arrived = await readRequest(request);
    const { answer, fault, record } = answerRequest(arrived, apis, faults);
    if (requests.push(record) > mostRequests) requests.shift();
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
    const { operation, segments } = found;
    const path = Object.entries(segments).map((each) => readSegment(operation, ...each));
    const check = api.validators[id]?.request;
    const body = api.act(new Call(operation, path, arrived, check, fault.fate));
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
  const idempotencyKey = headers.get('idempotencyKey');
  const told = { operation: id || null, method, url, idempotencyKey, fault: fault.kind };
  const record: RequestRecord = { ...told, acted, status: answer.status };
  return { answer, fault, record };
}

/** The operation that matches a path, and its path parameters by name; undefined if none does. */
function operationAt({ operations, prefix }: Api, method: string, url: string) {
  const path = url.replace(/[?#].*/s, '');
  for (const operation of operations) {
    const pattern = operation.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const form = new RegExp(`^${prefix}${pattern}$`);
    const match = operation.method === method ? form.exec(path) : null;
    if (match !== null) return { operation, segments: match.groups ?? {} };
  }
  return undefined;
}

function readSegment(_: ServedOperation, name: string, segment: string): string {
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
  if (kind === 'declined') return { status: 200, body: declined };
  if (kind !== 'rate-limit') return refusal(api, new Refused(number, 'A fault that was asked for'));
  return { ...refusal(api, new Refused(429, 'Too many requests')), retryAfter: number };
}

const declined = {
  isSuccess: false,
  responseCode: 2,
  responseText: 'Declined',
  responseData: 'The request was declined',
};

const markup = '<!doctype html><title>Please stand by</title>';

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
  const { type, bytes, name } = encoded(kind === 'wrong-type' ? markup : answer.body);
  response.statusCode = answer.status;
  response.setHeader('content-type', type);
  response.setHeader('content-length', bytes.byteLength);
  if (name !== undefined) response.setHeader('content-disposition', `attachment; ${name}`);
  if (answer.retryAfter !== undefined) response.setHeader('retry-after', answer.retryAfter);
  if (kind !== 'truncate') return void response.end(bytes);
  // Destroyed only after half is sent, so that the client has certainly begun to read.
  response.flushHeaders();
  const half = bytes.subarray(0, Math.floor(bytes.byteLength / 2));
  response.write(half, () => setImmediate(() => response.socket?.destroy()));
}

/** The name of a file is encoded so that it may contain any characters. */
function encoded(body: string | object) {
  if (typeof body === 'string') {
    return { type: 'text/html; charset=utf-8', bytes: Buffer.from(body) };
  }
  if (!(body instanceof Download)) {
    const bytes = Buffer.from(JSON.stringify(body));
    return { type: 'application/json; charset=utf-8', bytes };
  }
  const { name, type, content: bytes } = body.file;
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  const any = encodeURIComponent(name.toWellFormed());
  return { type, bytes, name: `filename="${plain}"; filename*=UTF-8''${any}` };
}
