/** From where it listens to its end. */
import { describe, expect, it, vi } from 'vitest';
import { startToolServer } from '../../../src/adapters/tools/server.js';
import { echo, gated, lineTo, listening, post } from './listening.js';

it('says why it cannot listen', async () => {
  const { url } = await listening();
  const port = Number(new URL(url).port);
  const again = startToolServer({ handle: echo, host: '127.0.0.1', port });
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('writes an address of six groups as an address', async () => {
  const { url } = await listening({ host: '::1' });
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});

describe('health', () => {
  it.each(['GET', 'HEAD'])('is answered to %s without asking the handler', async (method) => {
    const handle = vi.fn(echo);
    const { url } = await listening({ handle });
    const response = await fetch(`${url}/health?probe=1`, { method });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(method === 'GET' ? '{"status":"ok"}' : '');
    expect(handle).not.toHaveBeenCalled();
  });
});

describe('the end', () => {
  it('finishes what was begun and takes nothing new', async () => {
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

  it('keeps no connection, whatever is asked on it', async () => {
    const { handle, open } = gated();
    const server = await listening({ handle });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => handle.mock.calls.length).toBe(1);
    const closing = server.close();
    line.send('GET /health HTTP/1.1\r\nhost: x\r\n\r\n');
    line.send(post('{}'));
    open();
    await Promise.all([closing, line.closed]);
    const [first, ...others] = line.said().split(/(?=HTTP\/1.1 )/);
    expect(first).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
    for (const each of others) expect(each).toMatch(/^HTTP\/1.1 503 [\s\S]*connection: close/i);
    expect(handle).toHaveBeenCalledTimes(1);
  });

  it('is bounded', async () => {
    const { handle } = gated();
    const server = await listening({ handle, limits: { drainMs: 50 } });
    const line = lineTo(server);
    line.send(post('{}'));
    await expect.poll(() => handle.mock.calls.length).toBe(1);
    const start = performance.now();
    await server.close();
    await line.closed;
    expect(performance.now() - start).toBeLessThan(2000);
    expect(line.said()).toBe('');
  });
});
