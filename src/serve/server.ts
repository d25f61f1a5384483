/**
 * A handler of tool calls on node:http.
 *
 * In: a handler, and where to listen. Out: a running server. `GET /health` says whether it accepts
 * requests; every other path leads to the handler, since proxies rewrite paths.
 * Guarantees: each request has an id (`x-request-id`) and an answer; the sender learns nothing of our own
 * errors; times, sizes and numbers are limited; a sender who hangs up does not stop his call; when the
 * server is closed, open calls are finished, within a limit, and no new ones are accepted.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ToolHandler } from './handler.js';

/** The header with the id of a request, which logs repeat. */
export const idHeader = 'x-request-id';

const defaults = {
  headerBytes: 16_384,
  /** Until the headers of a request have arrived. */
  headersTimeoutMs: 10_000,
  /** Until the whole request has arrived. */
  bodyTimeoutMs: 15_000,
  /** Until a connection without a request is closed. */
  idleTimeoutMs: 65_000,
  /** Open connections; more are closed immediately. */
  connections: 1024,
  /** Requests in progress; more are answered with 503. */
  requests: 256,
  /** How long open requests may take after `close`; longer than the 15 seconds of a call. */
  drainMs: 20_000,
};

/** How long and how large requests may be, and how many at once. */
export type ServerLimits = Readonly<typeof defaults>;

/** A request that was not answered with 200: none of its calls was looked at. */
export interface RequestReport {
  readonly request: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface ToolServerOptions {
  readonly handle: ToolHandler;
  readonly host: string;
  /** 0: a free one. */
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  readonly onRefused?: (report: RequestReport) => void;
}

export interface ToolServer {
  readonly url: string;
  /** Accepts nothing new, and waits for open requests. */
  close(): Promise<void>;
}

export async function startToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const { handle, host, port, onRefused } = options;
  const limits: ServerLimits = { ...defaults, ...options.limits };
  let draining = false;
  let active = 0;

  async function answer(message: IncomingMessage, id: string): Promise<Response> {
    if (draining || active >= limits.requests) {
      const headers = { 'retry-after': '1' };
      return Response.json({ error: 'try again later' }, { status: 503, headers });
    }
    active += 1;
    try {
      return await handle(requestOf(message, id));
    } catch {
      return Response.json({ error: 'internal error' }, { status: 500 });
    } finally {
      active -= 1;
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
      ...(draining && { connection: 'close' }),
      'content-length': body.byteLength,
    });
    to.end(body);
    // The sender reads the answer only once the rest of its request has been read.
    if (!message.readableEnded) message.resume();
  }

  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.bodyTimeoutMs,
      keepAliveTimeout: limits.idleTimeoutMs,
      // How often these limits are checked.
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
        const timer = setTimeout(() => server.closeAllConnections(), limits.drainMs);
        server.close(() => resolve(clearTimeout(timer)));
      });
    },
  };
}

/** The id from a proxy, if it looks like an id, as it is written into logs. */
function requestId(given: string | readonly string[] | undefined): string {
  return typeof given === 'string' && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/** As a web request. Whoever stops reading the body does not break the connection. */
function requestOf(message: IncomingMessage, id: string): Request {
  const headers = { ...(message.headers as Record<string, string>), [idHeader]: id };
  if (message.method !== 'POST') return new Request('http://localhost/', { headers });
  const body = ReadableStream.from(message.iterator({ destroyOnReturn: false }));
  return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' });
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Who may call a server without a secret, which only listens on this machine: programs, but not the
 * pages in a browser, which names their origin.
 */
export function isNoBrowser({ headers }: Request): boolean {
  return headers.get('origin') === null && headers.get('sec-fetch-site') === null;
}
