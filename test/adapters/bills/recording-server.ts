/** A server on loopback that notes each request and answers as it is told. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorded {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text or bytes go out as they are; anything else as JSON. */
  readonly body?: unknown;
}

export interface RecordingServer {
  readonly url: string;
  readonly requests: Recorded[];
  /** How many are open. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

export const success = {
  responseCode: 1,
  isSuccess: true,
  responseText: 'Success',
  responseData: 1,
};

export async function startRecording(
  reply: (request: Recorded) => Reply | Promise<Reply> = () => ({ body: success }),
): Promise<RecordingServer> {
  const requests: Recorded[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '', headers } = request;
    const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() };
    requests.push(recorded);
    const { status = 200, headers: own = {}, body } = await reply(recorded);
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    response.writeHead(status, raw ? own : { 'content-type': 'application/json', ...own });
    response.end(raw ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api`,
    requests,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
