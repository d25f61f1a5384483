/** Files of a client over both transports: whole or an error, at the reader's pace, let go at once. */
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type CallOptions, createBillsClient } from '../../../src/bills.js';

const csv = { 'content-type': 'text/csv' };
const piece = Buffer.alloc(65_536, 'x');

let server: Server;
let origin: string;
let behave: (response: ServerResponse) => void;
/** Pieces that were taken, and whether the connection of the last answer ended. */
let [taken, closed] = [0, false];

beforeAll(async () => {
  server = createServer(({ socket }, response) => {
    socket.once('close', () => {
      closed = true;
    });
    behave(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  [taken, closed] = [0, false];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** As fast as it is taken. */
const endlessOf = (status: number, headers: object) => (response: ServerResponse) => {
  response.writeHead(status, { ...headers });
  const more = () => {
    if (response.destroyed) return;
    taken += 1;
    if (response.write(piece)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
};
const endless = endlessOf(200, csv);
const begun = (response: ServerResponse) => response.writeHead(200, csv).write('a,b');
const cut = (response: ServerResponse) => {
  begun(response);
  setTimeout(() => response.destroy(), 10);
};
const short = (response: ServerResponse) => {
  response.writeHead(200, { ...csv, 'content-length': piece.length * 2 }).write(piece);
  setTimeout(() => response.destroy(), 10);
};

const transports: Readonly<Record<string, object>> = {
  node: {},
  fetch: { fetch: (...given: Parameters<typeof fetch>) => fetch(...given) },
};

describe.each(Object.keys(transports))('over %s', (name) => {
  const client = () =>
    createBillsClient({ baseUrl: origin, auth: { apiKey: 'k' }, ...transports[name] });
  const download = async (options?: CallOptions) =>
    (await client().getAttachment(1, 'a', undefined, options)).body;

  const broken = (code: string) =>
    expect.objectContaining({ code, operation: 'bills.getAttachment' });

  it.each([
    ['no announced length', cut],
    ['an announced length', short],
  ])('one of %s that breaks off ends with an error', async (_, next) => {
    behave = next;
    const error = await new Response(await download()).arrayBuffer().catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toEqual(broken('api/truncated'));
  });

  it('one that is longer than it may be ends with an error', async () => {
    behave = endless;
    const whole = new Response(await download({ maxBytes: 200_000 })).arrayBuffer();
    await expect(whole).rejects.toEqual(broken('api/too-large'));
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('a refusal in its place is not read to an end that does not come', async () => {
    behave = endlessOf(500, { 'content-type': 'application/json' });
    const call = download({ retry: { maxAttempts: 1 } });
    await expect(call).rejects.toEqual(broken('api/server-error'));
    await vi.waitFor(() => expect(closed).toBe(true));
    // Far below what an answer may have, whatever was on its way.
    expect(taken * piece.length).toBeLessThan(2 ** 25);
  });

  it('one that comes to a halt ends with an error', async () => {
    behave = begun;
    const whole = new Response(await download({ attemptTimeoutMs: 200 })).text();
    await expect(whole).rejects.toEqual(broken('api/timeout'));
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('one that is read slowly goes on, but not past a deadline that was asked for', async () => {
    behave = endless;
    const reader = (await download({ attemptTimeoutMs: 100, deadlineMs: 450 })).getReader();
    for (let count = 0; count < 2; count += 1) {
      await sleep(150);
      expect((await reader.read()).done).toBe(false);
    }
    const rest = (async () => {
      while (!(await reader.read()).done) await sleep(20);
    })();
    await expect(rest).rejects.toEqual(broken('api/timeout'));
  });

  it('is not read ahead of its reader, and no longer when he goes', async () => {
    behave = endless;
    const stream = await download();
    await sleep(150);
    const held = taken;
    await sleep(100);
    expect(taken).toBe(held);
    const reader = stream.getReader();
    // What is on its way already has to be read first.
    for (let count = 0; count < 1000 && taken === held; count += 1) await reader.read();
    expect(taken).toBeGreaterThan(held);
    await reader.cancel();
    await vi.waitFor(() => expect(closed).toBe(true));
  });

  it('ends with the signal, and closes the connection', async () => {
    behave = begun;
    const control = new AbortController();
    const reader = (await download({ signal: control.signal })).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('a,b');
    control.abort(new Error('S3CRET'));
    const error = await reader.read().catch((thrown: unknown) => thrown);
    expect(error).toEqual(broken('api/aborted'));
    expect(`${error}`).not.toContain('S3CRET');
    await vi.waitFor(() => expect(closed).toBe(true));
  });
});

describe('a fetch that brings less than its answer announces', () => {
  it.each([10, 70_000, 200_000])('of %d bytes, is found out', async (length) => {
    const headers = { ...csv, 'content-length': `${length}` };
    const body = new Uint8Array(length - 1);
    const fetch = async () => new Response(body, { headers });
    const options = { baseUrl: origin, retry: { maxAttempts: 1 }, fetch };
    const bills = createBillsClient({ ...options, auth: { apiKey: 'k' } });
    const file = await bills.export('e', { format: 'csv' });
    await expect(new Response(file.body).arrayBuffer()).rejects.toMatchObject({
      code: 'api/truncated',
    });
    const json = { ...headers, 'content-type': 'application/json' };
    const short = async () => new Response(`"${'x'.repeat(length - 3)}"`, { headers: json });
    await expect(bills.get(1, { fetch: short })).rejects.toMatchObject({ code: 'api/truncated' });
  });
});
