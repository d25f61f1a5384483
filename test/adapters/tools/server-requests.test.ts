/** A request on its way to the handler, and what its sender gets. */
import { describe, expect, it, vi } from 'vitest';
import { gated, lineTo, listening, post } from './listening.js';

describe('a request', () => {
  it('reaches the handler on every path, whole, with its headers', async () => {
    const { url } = await listening({
      handle: async (request) =>
        new Response(
          JSON.stringify([request.method, request.headers.get('X-Secret'), await request.text()]),
        ),
    });
    const body = 'ä'.repeat(300_000);
    for (const path of ['/', '/vapi/tools?x=1', '//elsewhere', '/healthy']) {
      const init = { method: 'POST', headers: { 'x-secret': 's' }, body };
      expect(await (await fetch(`${url}${path}`, init)).json()).toEqual(['POST', 's', body]);
    }
  });

  it('of another method reaches it as one without a body', async () => {
    const handle = vi.fn(async ({ method }: Request) => new Response(method, { status: 405 }));
    const line = lineTo(await listening({ handle }));
    line.send('TRACE * HTTP/1.1\r\nhost: x\r\n\r\n');
    await expect.poll(line.said).toMatch(/^HTTP\/1.1 405 /);
    expect(handle.mock.calls[0]?.[0].body).toBe(null);
  });

  it('that is not read to its end is answered all the same, and the connection goes on', async () => {
    const server = await listening({ handle: async () => new Response('', { status: 413 }) });
    const line = lineTo(server);
    line.send(post('x'.repeat(3_000_000)));
    line.send(post('y'));
    await expect.poll(() => line.said().match(/HTTP\/1.1 413 /g)?.length).toBe(2);
  });

  it('that is stopped being read in the middle is answered, too', async () => {
    const handle = async ({ body }: Request) => {
      for await (const piece of body ?? []) {
        if (piece.length > 0) break;
      }
      return new Response('', { status: 413 });
    };
    const response = await fetch((await listening({ handle })).url, {
      method: 'POST',
      body: 'x'.repeat(5_000_000),
    });
    expect(response.status).toBe(413);
  });

  it('whose sender hangs up is finished', async () => {
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

describe('the id of a request', () => {
  const ask = async (given?: string) => {
    const handle = async ({ headers }: Request) => new Response(`${headers.get('x-request-id')}`);
    const headers = given === undefined ? {} : { 'x-request-id': given };
    const { url } = await listening({ handle });
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
