/**
 * A handler of tool calls on node:http.
 *
 * In: a handler, and where to listen. Out: a running server. `GET /health` says whether it takes
 * requests; every other path leads to the handler, since proxies rewrite paths as they like.
 * Guarantees: each request has an id (`x-request-id`) and an answer; nothing of a fault of our own is
 * told to the sender; times, sizes and numbers are bounded; at the end what was begun is finished,
 * within bounds, and nothing new is begun.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from '../handler/handler.js';
import type { ToolRequest } from '../handler/options.js';
import { idHeader, requestId } from './request-id.js';
import { type ServerLimits, usualServerLimits } from './server-limits.js';
import { toolRequest, writeAnswer } from './tool-request.js';

/** A request that was answered with other than 200: none of its calls was looked at. */
export interface RequestReport {
  readonly request: string;
  readonly status: number;
  readonly durationMs: number;
}

export interface ToolServerOptions {
  readonly answer: (request: ToolRequest) => Promise<Answer>;
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
  const limits: ServerLimits = { ...usualServerLimits, ...options.limits };
  let draining = false;
  let atWork = 0;

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = requestId(message.headers[idHeader]);
    message.headers[idHeader] = request;
    const answer = isHealth(message) ? health(draining) : await reported(message, request);
    // The end may have come meanwhile, and no connection is kept for longer.
    const ending = draining ? { connection: 'close' } : {};
    writeAnswer(answer, { [idHeader]: request, ...ending }, response);
  }

  async function reported(message: IncomingMessage, request: string): Promise<Answer> {
    const start = performance.now();
    const answer = await takeOn(message);
    const { status } = answer;
    const durationMs = performance.now() - start;
    if (status !== 200) options.onRefused?.({ request, status, durationMs });
    return answer;
  }

  async function takeOn(message: IncomingMessage): Promise<Answer> {
    if (draining || atWork >= limits.requests) return refusal(503);
    atWork += 1;
    try {
      return await options.answer(toolRequest(message));
    } catch {
      return refusal(500);
    } finally {
      atWork -= 1;
    }
  }

  const server = createServer(serverOptions(limits), (message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  server.maxConnections = limits.connections;
  await listen(server, options);
  return {
    url: urlOf(server.address() as AddressInfo),
    close() {
      draining = true;
      return close(server, limits.drainMs);
    },
  };
}

function serverOptions(limits: ServerLimits) {
  return {
    maxHeaderSize: limits.headerBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.bodyTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    // How often the first two are looked at.
    connectionsCheckingInterval: Math.min(1000, limits.headersTimeoutMs, limits.bodyTimeoutMs),
  };
}

function listen(server: Server, { port, host }: ToolServerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

function close(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => server.closeAllConnections(), drainMs);
    server.close(() => {
      clearTimeout(patience);
      resolve();
    });
  });
}

function isHealth({ method, url }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/health(?:\?|$)/.test(url ?? '');
}

function health(draining: boolean): Answer {
  return json(draining ? 503 : 200, { status: draining ? 'draining' : 'ok' });
}

const reasons: Readonly<Record<number, string>> = {
  500: 'internal error',
  503: 'try again later',
};

function refusal(status: number): Answer {
  return json(status, { error: reasons[status] }, status === 503 ? { 'retry-after': '1' } : {});
}

function json(status: number, body: object, more: Answer['headers'] = {}): Answer {
  const headers = { 'content-type': 'application/json', ...more };
  return { status, headers, body: JSON.stringify(body) };
}
