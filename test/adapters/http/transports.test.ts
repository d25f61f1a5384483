/** Both transports against a server that misbehaves: each ending is told as what it is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/adapters/http/clock.js';
import { createDeadlines } from '../../../src/adapters/http/deadlines.js';
import {
  type Ending,
  type ExchangeRequest,
  exchange,
  type Streaming,
} from '../../../src/adapters/http/exchange.js';
import { createFetchTransport } from '../../../src/adapters/http/fetch-transport.js';
import { createNodeTransport } from '../../../src/adapters/http/node-transport.js';
import type { Transport } from '../../../src/adapters/http/transport.js';
import {
  type Behaviour,
  closedOrigin,
  type RoughServer,
  startRoughServer,
} from './rough-server.js';

const json = { 'content-type': 'application/json' };
const csv = { 'content-type': 'text/csv' };
const piece = Buffer.alloc(64 * 1024, 'x');

const echo: Behaviour = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method, url, headers } = request;
  const body = Buffer.concat(chunks).toString();
  response.writeHead(200, json).end(JSON.stringify({ method, url, headers, body }));
};

/** Pieces as fast as they are taken; how many were is written down. */
let taken = 0;
const endless: Behaviour = (_, response) => {
  response.writeHead(200, csv);
  const more = () => {
    do taken += 1;
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
};

const paths: Readonly<Record<string, Behaviour>> = {
  '/echo?a=1': echo,
  '/echo': echo,
  '/silent': () => {},
  '/reset': (request) => request.socket.destroy(),
  '/truncated': (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '100' });
    response.write('{"a":');
    setTimeout(() => response.socket?.destroy(), 20);
  },
  '/cut': (_, response) => {
    response.writeHead(200, csv);
    response.write('a,b');
    setTimeout(() => response.socket?.destroy(), 20);
  },
  '/slow': (_, response) => {
    response.writeHead(200, json);
    response.write('{"a":');
  },
  '/slow-refusal': (_, response) => {
    response.writeHead(400, json);
    response.write('{"a":');
  },
  '/large': (_, response) => response.writeHead(200, json).end(`"${'x'.repeat(5000)}"`),
  '/large-unannounced': (_, response) => {
    response.writeHead(200, json);
    response.write('"xxxxxxxxxx');
    response.end(`${'x'.repeat(5000)}"`);
  },
  '/large-refusal': (_, response) => response.writeHead(500, json).end(piece + piece.toString()),
  '/redirect': (_, response) => response.writeHead(307, { location: '/echo' }).end(),
  '/packed': (_, response) => {
    response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}'));
  },
  '/nothing': (_, response) => response.writeHead(204).end(),
  '/early': (_, response) => {
    response.writeEarlyHints({ link: '</a>; rel=preload' });
    response.writeHead(200, json).end('1');
  },
  '/file': (_, response) => {
    response.writeHead(200, { ...csv, 'content-length': piece.length * 3 });
    for (let count = 0; count < 3; count += 1) response.write(piece);
    response.end();
  },
  '/json-file': (_, response) => {
    const name = { 'content-disposition': 'attachment; filename=a.json' };
    response.writeHead(200, { ...json, ...name }).end('{}');
  },
  '/endless': endless,
  '/stalls': (_, response) => {
    response.writeHead(200, csv);
    response.write('a,b');
  },
};

let server: RoughServer;
let nowhere: string;
const deadlines = createDeadlines(systemClock);
const made: Transport[] = [];

beforeAll(async () => {
  server = await startRoughServer(paths);
  nowhere = await closedOrigin();
});
afterAll(async () => {
  await Promise.all(made.map((transport) => transport.close()));
  await server.close();
});

function request(path: string, more: Partial<ExchangeRequest> = {}): ExchangeRequest {
  const until = systemClock.now() + 5000;
  const rest = {
    headers: {},
    body: undefined,
    until,
    maxBytes: 1000,
    signal: undefined,
    streaming: undefined,
  };
  return { method: 'GET', origin: server.origin, path, ...rest, ...more };
}

function streaming(more: Partial<Streaming> = {}) {
  const errorOf = (fault: string) => new Error(`broken: ${fault}`);
  const usual = { until: Number.POSITIVE_INFINITY, idleMs: 2000, errorOf };
  return { streaming: { ...usual, ...more }, maxBytes: undefined };
}

const over = (transport: Transport, asked: ExchangeRequest) =>
  exchange(transport, asked, deadlines);

const soon = (ms = 100) => ({ until: systemClock.now() + ms });

function textOf(ending: Ending): string {
  return new TextDecoder().decode(ending.bytes);
}

function streamOf(ending: Ending): ReadableStream<Uint8Array> {
  if (ending.stream === undefined) throw new Error(`it is no stream: ${JSON.stringify(ending)}`);
  return ending.stream;
}

async function eventually(holds: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let count = 0; count < 100; count += 1) {
    if (await holds()) return true;
    await sleep(20);
  }
  return false;
}

const transports: Readonly<Record<string, () => Transport>> = {
  node: () => createNodeTransport(),
  fetch: () => createFetchTransport(fetch),
};

describe.each(Object.keys(transports))('over %s', (name) => {
  const transport = transports[name]?.() as Transport;
  made.push(transport);
  const ask = (path: string, more: Partial<ExchangeRequest> = {}) =>
    over(transport, request(path, more));

  it('sends method, path, headers and body', async () => {
    const more = {
      method: 'PATCH',
      headers: { requestToken: 'k', ...json },
      body: '{"ü":1}',
    } as const;
    const ending = await ask('/echo?a=1', more);
    expect(ending).toMatchObject({ status: 200 });
    expect(JSON.parse(textOf(ending))).toMatchObject({
      method: 'PATCH',
      url: '/echo?a=1',
      headers: { requesttoken: 'k', 'content-type': 'application/json', 'content-length': '8' },
      body: '{"ü":1}',
    });
  });

  it('sends a body piece by piece', async () => {
    async function* body() {
      for (const text of ['a', 'b', 'c']) yield Buffer.from(text);
    }
    const ending = await ask('/echo', { method: 'POST', body: body() });
    expect(JSON.parse(textOf(ending)).body).toBe('abc');
  });

  it('tells when there was no connection', async () => {
    const reason = 'ECONNREFUSED';
    const ending = await ask('/', { origin: nowhere });
    expect(ending).toMatchObject({ status: 0, fault: 'unreachable', sent: false, reason });
  });

  it('tells when there was no answer', async () => {
    const ending = await ask('/reset');
    expect(ending).toMatchObject({ status: 0, fault: 'connection-lost', sent: true });
  });

  it('ends in time before the headers', async () => {
    const ending = await ask('/silent', soon());
    expect(ending).toMatchObject({ status: 0, fault: 'timeout', sent: true });
  });

  it('ends in time within the body, and keeps the status', async () => {
    expect(await ask('/slow', soon())).toMatchObject({ status: 200, fault: 'timeout' });
    expect(await ask('/slow-refusal', soon())).toMatchObject({
      status: 400,
      fault: 'timeout',
    });
  });

  it('ends when the caller says so', async () => {
    for (const path of ['/silent', '/slow']) {
      const control = new AbortController();
      const going = ask(path, { signal: control.signal });
      await sleep(50);
      control.abort();
      const ending = await going;
      expect(ending.fault).toBe('aborted');
    }
  });

  it('tells what is not whole', async () => {
    expect(await ask('/truncated')).toMatchObject({ status: 200, fault: 'truncated' });
    expect(await ask('/cut')).toMatchObject({ status: 200, fault: 'truncated' });
  });

  it('takes no more than it may', async () => {
    expect(await ask('/large')).toMatchObject({ status: 200, fault: 'too-large' });
    expect(await ask('/large-unannounced')).toMatchObject({ fault: 'too-large' });
    expect(textOf(await ask('/large', { maxBytes: 5002 }))).toHaveLength(5002);
    const refusal = await ask('/large-refusal', { maxBytes: 1e9 });
    expect(refusal).toMatchObject({ status: 500, fault: 'too-large' });
  });

  it('takes no packed answer that it did not ask for', async () => {
    const ending = await ask('/packed');
    if (name === 'node') expect(ending).toMatchObject({ status: 200, fault: 'wrong-type' });
    else expect(textOf(ending)).toBe('{"a":1}');
  });

  it('does not follow redirects', async () => {
    server.seen.length = 0;
    expect(await ask('/redirect')).toMatchObject({ status: 307 });
    expect(server.seen).toEqual(['GET /redirect']);
  });

  it('waits for the answer behind hints, and takes one without a body', async () => {
    expect(textOf(await ask('/early'))).toBe('1');
    expect(await ask('/nothing')).toMatchObject({ status: 204, bytes: new Uint8Array(0) });
  });

  it('hands out a file, whole', async () => {
    const ending = await ask('/file', streaming());
    const bytes = await new Response(streamOf(ending)).arrayBuffer();
    expect(Buffer.from(bytes).equals(Buffer.concat([piece, piece, piece]))).toBe(true);
  });

  it('hands out JSON only where it is called an attachment', async () => {
    expect((await ask('/json-file', streaming())).stream).toBeDefined();
    expect((await ask('/early', streaming())).stream).toBeUndefined();
    expect((await ask('/redirect', streaming())).stream).toBeUndefined();
  });

  it('never ends a file that broke off as if it were whole', async () => {
    const whole = new Response(streamOf(await ask('/cut', streaming()))).text();
    await expect(whole).rejects.toThrow('broken: truncated');
  });

  it('ends a file that is too long', async () => {
    const unannounced = await ask('/endless', { ...streaming(), maxBytes: 100_000 });
    await expect(new Response(streamOf(unannounced)).text()).rejects.toThrow('broken: too-large');
    const announced = await ask('/file', { ...streaming(), maxBytes: 100_000 });
    expect(announced).toMatchObject({ fault: 'too-large' });
  });

  it('ends a file of which nothing more comes', async () => {
    const reader = streamOf(await ask('/stalls', streaming({ idleMs: 100 }))).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('a,b');
    await expect(reader.read()).rejects.toThrow('broken: timeout');
  });

  it('gives the reader of a file as long as he likes, but for an end to it all', async () => {
    const reader = streamOf(await ask('/endless', streaming({ idleMs: 60 }))).getReader();
    for (let count = 0; count < 4; count += 1) {
      expect((await reader.read()).done).toBe(false);
      await sleep(150);
    }
    await reader.cancel();
    const bounded = streaming({ until: systemClock.now() + 150 });
    const late = streamOf(await ask('/stalls', bounded)).getReader();
    await late.read();
    await expect(late.read()).rejects.toThrow('broken: timeout');
  });

  it('holds the service back while nobody reads, and lets go when nobody will', async () => {
    const before = await server.connections();
    const stream = streamOf(await ask('/endless', streaming()));
    await sleep(200);
    const held = taken;
    await sleep(200);
    expect(taken).toBe(held);
    await stream.cancel();
    expect(await eventually(async () => (await server.connections()) <= before)).toBe(true);
  });

  it('ends a file when the caller says so', async () => {
    const control = new AbortController();
    const more = { ...streaming(), signal: control.signal };
    const reader = streamOf(await ask('/stalls', more)).getReader();
    await reader.read();
    const rest = reader.read();
    control.abort();
    await expect(rest).rejects.toThrow('broken: aborted');
  });
});

describe('over node', () => {
  it('does not begin to read a body that it cannot send', async () => {
    const transport = createNodeTransport();
    let begun = 0;
    async function* body() {
      begun += 1;
      yield Buffer.from('a');
    }
    const upload = { method: 'POST', origin: nowhere, body: body() } as const;
    expect(await over(transport, request('/', upload))).toMatchObject({ status: 0, sent: false });
    expect(begun).toBe(0);
  });

  it('uses connections again', async () => {
    const own = await startRoughServer({ '/echo': echo });
    const transport = createNodeTransport();
    for (let count = 0; count < 5; count += 1) {
      await over(transport, request('/echo', { origin: own.origin }));
    }
    // One may still be tidying up when the next request comes.
    expect(await own.connections()).toBeLessThanOrEqual(2);
    await transport.close();
    await own.close();
  });

  it('takes what waited too long for a connection out of the queue, unsent', async () => {
    const own = await startRoughServer(paths);
    const transport = createNodeTransport();
    const to = { origin: own.origin };
    const first = Array.from({ length: 128 }, () =>
      over(transport, request('/silent', { ...to, ...soon(1500) })),
    );
    expect(await eventually(() => own.seen.length === 128)).toBe(true);
    const queued = await over(transport, request('/echo', { ...to, ...soon(50) }));
    expect(queued).toMatchObject({ status: 0, fault: 'timeout', sent: false });
    for (const ending of await Promise.all(first)) expect(ending).toMatchObject({ sent: true });
    expect(textOf(await over(transport, request('/early', to)))).toBe('1');
    expect(own.seen.filter((each) => each.endsWith('/echo'))).toEqual([]);
    await own.close();
  });
});

describe('over any transport', () => {
  it('tells that nothing was sent where no request began, whatever the reason is called', async () => {
    const broken: Transport = {
      dispatch: (_, sink) => sink.onResponseError(undefined, { code: 'CERT_HAS_EXPIRED' }),
      close: async () => {},
    };
    const reason = 'CERT_HAS_EXPIRED';
    const ending = await over(broken, request('/'));
    expect(ending).toMatchObject({ status: 0, fault: 'unreachable', sent: false, reason });
  });
});

describe('over any fetch', () => {
  it('does not rely on it to stop, or to reject', async () => {
    const deaf = createFetchTransport(() => new Promise(() => {}));
    expect(await over(deaf, request('/', soon(30)))).toMatchObject({
      fault: 'timeout',
      sent: true,
    });
    const rude = createFetchTransport(() => {
      throw { code: 'not a code', headers: { authorization: 'x' } };
    });
    const ending = await over(rude, request('/'));
    expect(ending).toMatchObject({ status: 0, fault: 'connection-lost', sent: true });
  });

  it('notices that a body is shorter than announced, unless it was packed', async () => {
    const headers = { ...json, 'content-length': '10' };
    const short = createFetchTransport(async () => new Response('{}', { headers }));
    expect(await over(short, request('/'))).toMatchObject({ fault: 'truncated' });
    const packed = { ...headers, 'content-encoding': 'gzip' };
    const plain = createFetchTransport(async () => new Response('{}', { headers: packed }));
    expect(textOf(await over(plain, request('/')))).toBe('{}');
  });

  it('lets go of an answer that it held back, when nobody wants it', async () => {
    let cancelled = false;
    const body = new ReadableStream({
      pull: (output) => output.enqueue(new Uint8Array(2 ** 20)),
      cancel: () => {
        cancelled = true;
      },
    });
    const response = new Response(body, { headers: csv });
    const deaf = createFetchTransport(async () => response);
    const stream = streamOf(await over(deaf, request('/', streaming())));
    await sleep(20);
    await stream.cancel();
    expect(await eventually(() => cancelled)).toBe(true);
  });

  it('reads of a redirect that a browser hides that it is one', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null };
    const transport = createFetchTransport(async () => hidden as Response);
    expect(await over(transport, request('/'))).toMatchObject({ status: 302 });
  });
});
