/** A server on this machine that a test tells, for each path or for all, how to misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Behaviour = (request: IncomingMessage, response: ServerResponse) => void;

export interface RoughServer {
  readonly origin: string;
  /** Method and path of what came in. */
  readonly seen: string[];
  /** Connections that are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export async function startRoughServer(
  paths: Readonly<Record<string, Behaviour>> | Behaviour,
): Promise<RoughServer> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const behave = typeof paths === 'function' ? paths : paths[request.url ?? ''];
    if (behave === undefined) response.writeHead(404).end();
    else behave(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    connections: () => new Promise((resolve) => server.getConnections((_, n) => resolve(n))),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
