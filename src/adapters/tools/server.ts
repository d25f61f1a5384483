/**
 * A handler of tool calls on node:http.
 *
 * In: a handler, and where to listen. Out: a running server. `GET /health` says whether it takes
 * requests; every other path leads to the handler, since proxies rewrite paths as they like.
 * Guarantees: each request has an id (`x-request-id`) and an answer; nothing of a fault of our own is
 * told to the sender; times, sizes and numbers are bounded; one who hangs up does not stop what was
 * begun; at the end what was begun is finished, within bounds, and nothing new is begun.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolHandler } from './handler.js';

/** The header with the id under which a request is found again in logs. */
export const idHeader = 'x-request-id';

/** How long and how large requests may be, and how many at a time. */
export interface ServerLimits {
  /** Bytes of all headers of a request. */
  readonly headerBytes: number;
  /** Until the headers of a request are there. */
  readonly headersTimeoutMs: number;
  /** Until all of a request is there. */
  readonly bodyTimeoutMs: number;
  /** A connection without a request is closed after this. */
  readonly idleTimeoutMs: number;
  /** Connections at a time; further ones are closed at once. */
  readonly connections: number;
  /** Requests at a time; further ones are answered with 503. */
  readonly requests: number;
  /** At the end: how long requests may take that were begun. */
  readonly drainMs: number;
}

/** The end outlasts the 15 seconds that a call may take. */
const usual: ServerLimits = {
  headerBytes: 16_384,
  headersTimeoutMs: 10_000,
  bodyTimeoutMs: 15_000,
  idleTimeoutMs: 65_000,
  connections: 1024,
  requests: 256,
  drainMs: 20_000,
};

/** A request that was answered with other than 200: none of its calls was looked at. */
export interface RequestReport {
  readonly request: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface ToolServerOptions {
  readonly handle: ToolHandler;
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  readonly onRefused?: (report: RequestReport) => void;
}

export interface ToolServer {
  readonly url: string;
  /** Takes nothing new, waits for what was begun, and ends. */
  close(): Promise<void>;
}

export async function startToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const { handle, host, port, onRefused } = options;
  const limits: ServerLimits = { ...usual, ...options.limits };
  let draining = false;
  let atWork = 0;

  async function answer(message: IncomingMessage, id: string): Promise<Response> {
    if (draining || atWork >= limits.requests) {
      const headers = { 'retry-after': '1' };
      return Response.json({ error: 'try again later' }, { status: 503, headers });
    }
    atWork += 1;
    try {
      return await handle(requestOf(message, id));
    } catch {
      return Response.json({ error: 'internal error' }, { status: 500 });
    } finally {
      atWork -= 1;
    }
  }

  async function serve(message: IncomingMessage, to: ServerResponse): Promise<void> {
    const start = performance.now();
    const request = requestId(message.headers[idHeader]);
    const isHealth = /^(?:GET|HEAD) \/health(?:\?|$)/.test(`${message.method} ${message.url}`);
    const health = { status: draining ? 'draining' : 'ok' };
    const answered = isHealth
      ? Response.json(health, { status: draining ? 503 : 200 })
      : await answer(message, request);
    const { status, headers } = answered;
    const durationMs = performance.now() - start;
    if (!isHealth && status !== 200) onRefused?.({ request, status, durationMs });
    const body = Buffer.from(await answered.arrayBuffer());
    to.writeHead(status, {
      ...Object.fromEntries(headers),
      [idHeader]: request,
      // The end may have come meanwhile, and no connection is kept for longer.
      ...(draining && { connection: 'close' }),
      'content-length': body.byteLength,
    });
    to.end(body);
    // Reads what nobody wants any more, so that the sender gets to read the answer; the time for a
    // request holds for it, too.
    if (!message.readableEnded) message.resume();
  }

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.bodyTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      // How often the first two are looked at.
      connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs, limits.bodyTimeoutMs),
    },
    (message, response) => {
      serve(message, response).catch(() => response.destroy());
    },
  );
  server.maxConnections = limits.connections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(void server.off('error', reject)));
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    close() {
      draining = true;
      return new Promise((resolve) => {
        const patience = setTimeout(() => server.closeAllConnections(), limits.drainMs);
        server.close(() => resolve(clearTimeout(patience)));
      });
    },
  };
}

/** An id that a proxy has given goes into logs, so only one that can be nothing else is taken over. */
function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/**
 * A request as the web has it. Whoever stops reading its body does not break the connection. Only a
 * POST is one with a body: what other methods mean by theirs nobody knows.
 */
function requestOf(message: IncomingMessage, id: string): Request {
  const headers = new Headers();
  for (const [name, value = ''] of Object.entries(message.headers)) {
    for (const each of [value].flat()) headers.append(name, each);
  }
  headers.set(idHeader, id);
  if (message.method !== 'POST') return new Request('http://localhost/', { headers });
  const body = ReadableStream.from(message.iterator({ destroyOnReturn: false }));
  return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' });
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Who may call a server that has no secret, and listens on this machine alone: programs of this
 * machine, but not the pages that a browser shows. It says so in each request of theirs.
 */
export function isNoBrowser({ headers }: Request): boolean {
  return headers.get('origin') === null && headers.get('sec-fetch-site') === null;
}
