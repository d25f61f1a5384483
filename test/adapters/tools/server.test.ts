/** The tool server: requests on their way to the handler, limits, health, shutdown. */
import { connect } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type RequestReport,
  startToolServer,
  type ToolServer,
  type ToolServerOptions,
} from '../../../src/serve/server.js';

const echo = async (request: Request) => new Response(await request.text());

/** A handler that waits with its answers. */
function gated() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const handle = vi.fn(async (request: Request) => {
    await request.text();
    await gate;
    return new Response('{"results":[]}');
  });
  return { handle, open: () => open() };
}

async function listening(options: Partial<ToolServerOptions> = {}): Promise<ToolServer> {
  const handle = async () => new Response('{"results":[]}');
  const server = await startToolServer({ handle, host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A connection on which a test writes any text. */
function lineTo({ url }: ToolServer) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let said = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    said += piece;
  });
  // Some tests break the connection.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, send: (text: string) => void socket.write(text), said: () => said, closed };
}

function post(body: string, more = ''): string {
  return `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;
}

describe('a request', () => {
  it('reaches the handler on every path, complete and with its headers', async () => {
    const { url } = await listening({
      handle: async (request: Request) =>
        Response.json([request.method, request.headers.get('X-Secret'), await request.text()]),
    });
    const body = 'ä'.repeat(300_000);
    for (const path of ['/', '/vapi/tools?x=1', '//elsewhere', '/healthy']) {
      const init = { method: 'POST', headers: { 'x-secret': 's' }, body };
      expect(await (await fetch(`${url}${path}`, init)).json()).toEqual(['POST', 's', body]);
    }
  });

  it('that the handler does not read completely is answered, and the connection stays open', async () => {
    const handle = async ({ body }: Request) => {
      for await (const _ of body ?? []) break;
      return new Response('', { status: 413 });
    };
    const line = lineTo(await listening({ handle }));
    line.send(post('x'.repeat(3_000_000)));
    line.send(post('y'));
    await expect.poll(() => line.said().match(/HTTP\/1.1 413 /g)?.length).toBe(2);
  });

  it('is finished even if its sender hangs up', async () => {
    const { handle, open } = gated();
    const finished = vi.fn();
    const server = await listening({ handle: (request) => handle(request).finally(finished) });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => handle.mock.calls.length).toBe(1);
    line.socket.destroy();
    await line.closed;
    open();
    await expect.poll(() => finished.mock.calls.length).toBe(1);
    expect((await fetch(server.url, { method: 'POST', body: '' })).status).toBe(200);
  });
});

it.each<[given: string | undefined, expected: RegExp]>([
  ['req_0123-4567.89', /^req_0123-4567\.89$/],
  [undefined, uuid],
  ['short', uuid],
  ['"},{"x":"', uuid],
  ['x'.repeat(65), uuid],
])('a request with the id %s is answered with the id %s', async (given, expected) => {
  const handle = async ({ headers }: Request) => new Response(headers.get('x-request-id'));
  const { url } = await listening({ handle });
  const headers = given === undefined ? {} : { 'x-request-id': given };
  const response = await fetch(url, { method: 'POST', headers, body: '' });
  expect(response.headers.get('x-request-id')).toMatch(expected);
  expect(await response.text()).toBe(response.headers.get('x-request-id'));
});

describe('a refused request', () => {
  it('is reported with its id, status and duration only', async () => {
    const reports: RequestReport[] = [];
    const { url } = await listening({
      handle: async () => new Response('', { status: 401 }),
      onRefused: (report) => reports.push(report),
    });
    const headers = { 'x-request-id': 'from-the-proxy' };
    await fetch(url, { method: 'POST', headers, body: 'Jane Doe' });
    const durationMs = expect.any(Number);
    expect(reports).toEqual([{ request: 'from-the-proxy', status: 401, durationMs }]);
  });

  it('reveals nothing about an internal error', async () => {
    const { url } = await listening({
      handle: () => Promise.reject(new Error('the key is hunter2')),
    });
    const response = await fetch(url, { method: 'POST', body: 'x' });
    expect([response.status, await response.json()]).toEqual([500, { error: 'internal error' }]);
  });

  it('is one too many at the same time', async () => {
    const { handle, open } = gated();
    const { url } = await listening({ handle, limits: { requests: 2 } });
    const first = [1, 2].map(() => fetch(url, { method: 'POST', body: '' }));
    await expect.poll(() => handle.mock.calls.length).toBe(2);
    const third = await fetch(url, { method: 'POST', body: '' });
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    open();
    for (const each of first) expect((await each).status).toBe(200);
    expect((await fetch(url, { method: 'POST', body: '' })).status).toBe(200);
  });

  const unfinished = 'POST / HTTP/1.1\r\nhost: x\r\n';
  it.each<[string, string, Partial<ToolServerOptions['limits']>, number]>([
    [
      'headers that are too large',
      post('', `x-a: ${'a'.repeat(1200)}\r\n`),
      { headerBytes: 1000 },
      431,
    ],
    ['headers that do not end', unfinished, { headersTimeoutMs: 50 }, 408],
    [
      'a body that does not end',
      `${unfinished}content-length: 5\r\n\r\nab`,
      { headersTimeoutMs: 50, bodyTimeoutMs: 50 },
      408,
    ],
    // Answered, and then closed.
    ['a connection without requests', post('{}'), { idleTimeoutMs: 20 }, 200],
  ])('has %s', async (_, text, limits, status) => {
    const line = lineTo(await listening({ handle: echo, limits: { ...limits } as never }));
    line.send(text);
    await line.closed;
    expect(line.said()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

it.each(['GET', 'HEAD'])('health is reported to %s without the handler', async (method) => {
  const handle = vi.fn(echo);
  const { url } = await listening({ handle });
  const response = await fetch(`${url}/health?probe=1`, { method });
  expect(response.status).toBe(200);
  expect(await response.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '');
  expect(handle).not.toHaveBeenCalled();
});

describe('the shutdown', () => {
  it('finishes open requests and accepts no new ones', async () => {
    const { handle, open } = gated();
    const server = await listening({ handle });
    const [busy, kept] = [lineTo(server), lineTo(server)];
    kept.send(post('', 'x-n: 1\r\n'));
    busy.send(post('{}'));
    await expect.poll(() => handle.mock.calls.length).toBe(2);
    const closed = vi.fn();
    const closing = server.close().then(closed);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
    expect(closed).not.toHaveBeenCalled();
    // On a connection that is still there.
    kept.send(post('{}'));
    open();
    await closing;
    await Promise.all([busy.closed, kept.closed]);
    expect(busy.said()).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close[\s\S]*"results":\[\]/);
    expect(kept.said().match(/HTTP\/1.1 \d+/g)?.[0]).toBe('HTTP/1.1 200');
    expect(handle).toHaveBeenCalledTimes(2);
  });

  it('is limited in time', async () => {
    const { handle } = gated();
    const server = await listening({ handle, limits: { drainMs: 50 } });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => handle.mock.calls.length).toBe(1);
    await server.close();
    await line.closed;
    expect(line.said()).toBe('');
  });
});
