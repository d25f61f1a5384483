/** A server on this machine that keeps every request as it came in. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  readonly method: string;
  readonly path: string;
  /** Sorted by name. */
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface Reply {
  readonly status?: number;
  readonly body?: unknown;
}

export interface RecordingServer {
  readonly url: string;
  readonly requests: Recorded[];
  /** What comes back from now on. */
  answer: (request: Recorded, count: number) => Reply;
  close(): Promise<void>;
}

export async function startRecordingServer(): Promise<RecordingServer> {
  const requests: Recorded[] = [];
  const server: Server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    searchParams.sort();
    const recorded = {
      method,
      path: pathname,
      query: [...searchParams],
      headers,
      body: Buffer.concat(pieces),
    };
    requests.push(recorded);
    const { status = 200, body = {} } = recording.answer(recorded, requests.length);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const recording: RecordingServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: () => ({}),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return recording;
}
