import { describe, expect, it, vi } from 'vitest';
import type { ToolRequest } from '../../../../src/adapters/tools/handler/options.js';
import {
  type RequestReport,
  startToolServer,
} from '../../../../src/adapters/tools/server/tool-server.js';
import { answering, lineTo, listening, post, textOf } from './listening.js';

const echo = async (request: ToolRequest) => answering(await textOf(request));

/** A handler that answers when it is told to. */
function gated() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const answer = vi.fn(async (request: ToolRequest) => {
    await textOf(request);
    await gate;
    return answering('{"results":[]}');
  });
  return { answer, open: () => open() };
}

describe('a request', () => {
  it('reaches the handler on every path, whole, with its headers', async () => {
    const { url } = await listening({
      answer: async (request) =>
        answering(
          JSON.stringify([request.method, request.headers.get('X-Secret'), await textOf(request)]),
        ),
    });
    const body = 'ä'.repeat(300_000);
    for (const path of ['/', '/vapi/tools?x=1', '//elsewhere', '/healthy']) {
      const init = { method: 'POST', headers: { 'x-secret': 's' }, body };
      expect(await (await fetch(`${url}${path}`, init)).json()).toEqual(['POST', 's', body]);
    }
  });

  it('of another method reaches it as one without a body', async () => {
    const answer = vi.fn(async ({ method }: ToolRequest) => answering(method, 405));
    const line = lineTo(await listening({ answer }));
    line.send('TRACE * HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(line.said).toMatch(/^HTTP\/1.1 405 /);
    expect(answer.mock.calls[0]?.[0].body).toBe(null);
  });

  it('that is not read to its end is answered all the same, and the connection goes on', async () => {
    const server = await listening({ answer: async () => answering('', 413) });
    const line = lineTo(server);
    line.send(post('x'.repeat(3_000_000)));
    line.send(post('y'));
    await expect.poll(() => line.said().match(/HTTP\/1.1 413 /g)?.length).toBe(2);
  });

  it('that is stopped being read in the middle is answered, too', async () => {
    const answer = async ({ body }: ToolRequest) => {
      for await (const piece of body ?? []) {
        if (piece.length > 0) break;
      }
      return answering('', 413);
    };
    const response = await fetch((await listening({ answer })).url, {
      method: 'POST',
      body: 'x'.repeat(5_000_000),
    });
    expect(response.status).toBe(413);
  });

  it('whose sender hangs up is finished', async () => {
    const { answer, open } = gated();
    const finished = vi.fn();
    const server = await listening({ answer: (request) => answer(request).finally(finished) });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => answer.mock.calls.length).toBe(1);
    line.socket.destroy();
    await line.closed;
    open();
    await expect.poll(() => finished.mock.calls.length).toBe(1);
    expect((await fetch(server.url, { method: 'POST', body: '' })).status).toBe(200);
  });
});

describe('the id of a request', () => {
  const ask = async (given?: string) => {
    const answer = async ({ headers }: ToolRequest) => answering(`${headers.get('x-request-id')}`);
    const headers = given === undefined ? {} : { 'x-request-id': given };
    const { url } = await listening({ answer });
    const response = await fetch(url, { method: 'POST', headers });
    expect(await response.text()).toBe(response.headers.get('x-request-id'));
    return response.headers.get('x-request-id');
  };

  it('is taken over where one was given', async () => {
    expect(await ask('req_0123-4567.89')).toBe('req_0123-4567.89');
  });

  it.each([undefined, '', 'short', 'a b c d e f g h', '"},{"x":"', 'x'.repeat(65), '12345678, 2'])(
    'is made where %j was',
    async (given) => {
      const ids = [await ask(given), await ask(given)];
      for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
      expect(ids[0]).not.toBe(ids[1]);
    },
  );
});

describe('what is refused', () => {
  it('is reported: id, status, time and nothing else', async () => {
    const reports: RequestReport[] = [];
    const { url } = await listening({
      answer: async () => answering('', 401),
      onRefused: (report) => reports.push(report),
    });
    const headers = { 'x-request-id': 'from-the-proxy' };
    await fetch(url, { method: 'POST', headers, body: 'Jane Doe' });
    const durationMs = expect.any(Number);
    expect(reports).toEqual([{ request: 'from-the-proxy', status: 401, durationMs }]);
  });

  it('tells nothing of a fault of our own', async () => {
    const { url } = await listening({
      answer: () => Promise.reject(new Error('the key is hunter2')),
    });
    const response = await fetch(url, { method: 'POST', body: 'x' });
    expect([response.status, await response.json()]).toEqual([500, { error: 'internal error' }]);
  });

  it('are requests beyond those that there may be at a time', async () => {
    const { answer, open } = gated();
    const { url } = await listening({ answer, limits: { requests: 2 } });
    const first = [1, 2].map(() => fetch(url, { method: 'POST', body: '' }));
    await expect.poll(() => answer.mock.calls.length).toBe(2);
    const third = await fetch(url, { method: 'POST', body: '' });
    expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1']);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    open();
    for (const each of first) expect((await each).status).toBe(200);
    expect((await fetch(url, { method: 'POST', body: '' })).status).toBe(200);
  });

  it('are headers that are too large', async () => {
    const line = lineTo(await listening({ limits: { headerBytes: 1000 } }));
    line.send(post('{}', `x-a: ${'a'.repeat(1200)}\r\n`));
    await line.closed;
    expect(line.said()).toMatch(/^HTTP\/1.1 431 /);
  });

  it('are connections beyond those that there may be', async () => {
    const server = await listening({ limits: { connections: 1 } });
    const first = lineTo(server);
    first.send(post('{}'));
    await expect.poll(first.said).toMatch(/^HTTP\/1.1 200 /);
    const second = lineTo(server);
    await second.closed;
    expect(second.said()).toBe('');
  });
});

describe('time', () => {
  it.each([
    ['headers', 'POST / HTTP/1.1\r\nhost: x\r\n', { headersTimeoutMs: 50 }],
    ['a body', 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab', { bodyTimeoutMs: 50 }],
  ])('is bounded for %s', async (_, text, limits) => {
    const usual = { headersTimeoutMs: 50, ...limits };
    const line = lineTo(await listening({ answer: echo, limits: usual }));
    line.send(text);
    await line.closed;
    expect(line.said()).toMatch(/^HTTP\/1.1 408 /);
  });

  it('is bounded for a connection without requests', async () => {
    const line = lineTo(await listening({ limits: { idleTimeoutMs: 20 } }));
    line.send(post('{}'));
    await line.closed;
    expect(line.said()).toMatch(/^HTTP\/1.1 200 /);
  });
});

describe('the end', () => {
  it('finishes what was begun and takes nothing new', async () => {
    const { answer, open } = gated();
    const server = await listening({ answer });
    const [busy, kept] = [lineTo(server), lineTo(server)];
    kept.send(post('', 'x-n: 1\r\n'));
    busy.send(post('{}'));
    await expect.poll(() => answer.mock.calls.length).toBe(2);
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
    expect(answer).toHaveBeenCalledTimes(2);
  });

  it('keeps no connection, whatever is asked on it', async () => {
    const { answer, open } = gated();
    const server = await listening({ answer });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => answer.mock.calls.length).toBe(1);
    const closing = server.close();
    line.send('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    line.send(post('{}'));
    open();
    await Promise.all([closing, line.closed]);
    const [first, ...others] = line.said().split(/(?=HTTP\/1.1 )/);
    expect(first).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
    for (const each of others) expect(each).toMatch(/^HTTP\/1.1 503 [\s\S]*connection: close/i);
    expect(answer).toHaveBeenCalledTimes(1);
  });

  it('is bounded', async () => {
    const { answer } = gated();
    const server = await listening({ answer, limits: { drainMs: 50 } });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => answer.mock.calls.length).toBe(1);
    const start = performance.now();
    await server.close();
    await line.closed;
    expect(performance.now() - start).toBeLessThan(2000);
    expect(line.said()).toBe('');
  });
});

describe('health', () => {
  it.each(['GET', 'HEAD'])('is answered to %s without asking the handler', async (method) => {
    const answer = vi.fn(echo);
    const { url } = await listening({ answer });
    const response = await fetch(`${url}/health?probe=1`, { method });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '');
    expect(answer).not.toHaveBeenCalled();
  });
});

it('says why it cannot listen', async () => {
  const { url } = await listening();
  const port = Number(new URL(url).port);
  const again = startToolServer({ answer: echo, host: '127.0.0.1', port });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('writes an address of six groups as an address', async () => {
  const { url } = await listening({ host: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});
