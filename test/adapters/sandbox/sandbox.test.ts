/** The sandbox as a whole: where it listens, how it ends, how others get it. */
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createSandbox } from '../../../src/adapters/sandbox/sandbox.js';
import * as testing from '../../../src/testing.js';
import { serve } from './serve.js';

/** Whether somebody listens there. */
function reaches(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 }, () => end(true));
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    socket.on('error', () => end(false)).on('timeout', () => end(false));
  });
}

describe('the sandbox', () => {
  it('is offered by squadc/testing', () => {
    expect(testing.createSandbox).toBe(createSandbox);
  });

  it('listens on one loopback address, and on no other', async () => {
    const { sandbox } = await serve();
    const port = Number(new URL(sandbox.url).port);
    const others = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
      .map(({ address }) => address);
    expect(await reaches('127.0.0.1', port)).toBe(true);
    // The second is a loopback address, too: whoever listens everywhere listens there.
    for (const host of ['127.0.0.2', ...others]) expect(await reaches(host, port)).toBe(false);
  });

  it('ends while connections are open, and what waits for an answer gets none', async () => {
    const { sandbox, bills } = await serve();
    const waiting = bills('GET', '/Bill/1', { headers: { 'x-sandbox-fault': 'hang' } });
    const ended = expect(waiting).rejects.toThrow();
    await expect.poll(() => sandbox.requests.length).toBe(1);
    await sandbox.close();
    await ended;
    expect(await reaches('127.0.0.1', Number(new URL(sandbox.url).port))).toBe(false);
  });

  it('says that a port is taken', async () => {
    const { sandbox } = await serve();
    const port = Number(new URL(sandbox.url).port);
    await expect(createSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('keeps the latest requests, as many as it is told to', async () => {
    const { sandbox, bills } = await serve({ keepRequests: 2 });
    for (const id of [1, 2, 3]) await bills('GET', `/Bill/${id}`);
    expect(sandbox.requests.map(({ url }) => url)).toEqual(['/api/Bill/2', '/api/Bill/3']);
  });

  it.each(['', 'a b', 'a\r\nb', 'ä', 'a:'])(
    'has no vendor prefix like %j',
    async (vendorPrefix) => {
      await expect(serve({ documents: { vendorPrefix } })).rejects.toThrow(RangeError);
    },
  );
});
