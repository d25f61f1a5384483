/** What the server does not take on, and for how long it takes on anything. */
import { describe, expect, it } from 'vitest';
import type { RequestReport } from '../../../src/adapters/tools/server.js';
import { echo, gated, lineTo, listening, post } from './listening.js';

describe('what is refused', () => {
  it('is reported: id, status, time and nothing else', async () => {
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

  it('tells nothing of a fault of our own', async () => {
    const { url } = await listening({
      handle: () => Promise.reject(new Error('the key is hunter2')),
    });
    const response = await fetch(url, { method: 'POST', body: 'x' });
    expect([response.status, await response.json()]).toEqual([500, { error: 'internal error' }]);
  });

  it('are requests beyond those that there may be at a time', async () => {
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
    const line = lineTo(await listening({ handle: echo, limits: usual }));
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
