/**
 * The HTTP side of the sandbox: reads requests, has them answered, and keeps a record of them.
 *
 * A request is read whole before anything is done with it, so that acting is one step: no two
 * requests act at once, and a fault strikes either before or after it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Api, answerRequest, type RequestRecord } from './answer-request.js';
import { deliver } from './deliver.js';
import type { Faults } from './faults.js';

export interface ServerOptions {
  readonly apis: readonly Api[];
  readonly faults: Faults;
  readonly port: number;
  readonly maxBodyBytes: number;
  readonly keepRequests: number;
}

export interface RunningServer {
  readonly url: string;
  readonly requests: readonly RequestRecord[];
  close(): Promise<void>;
}

const keepAliveMs = 60_000;

/** Listens on loopback alone. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const requests: RequestRecord[] = [];
  const server = createServer((request, response) => {
    // A client that went away in the middle of its request has nothing to be told.
    serve(request, response, options, requests).catch(() => response.destroy());
  });
  // A connection that is closed just as a request comes looks like a fault that nobody ordered.
  server.keepAliveTimeout = keepAliveMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  options: ServerOptions,
  requests: RequestRecord[],
): Promise<void> {
  const body = await readBody(request, options.maxBodyBytes);
  const { method = 'GET', url = '/', headers } = request;
  const arrived = { method, url, headers, body };
  const { answer, fault, record } = answerRequest(arrived, options.apis, options.faults);
  if (requests.length >= options.keepRequests) requests.shift();
  if (options.keepRequests > 0) requests.push(record);
  await deliver(response, answer, fault);
}

/** The whole body; null where it is too large (it is read to its end all the same). */
async function readBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= most) chunks.push(chunk);
  }
  return size <= most ? Buffer.concat(chunks) : null;
}
