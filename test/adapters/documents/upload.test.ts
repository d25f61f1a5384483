/** Uploads: every kind of source, nothing read before it is sent, nothing sent in place of a file. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { UploadSource } from '../../../src/adapters/documents/upload.js';
import { type UploadOptions, uploadArguments } from '../../../src/adapters/documents/upload.js';
import type { BodySource } from '../../../src/adapters/http/request.js';
import { createDocumentsClient, type DocumentsClientOptions } from '../../../src/documents.js';
import { type RecordingServer, startRecordingServer } from './recording-server.js';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) % 256));
let folder: string;
let path: string;
let server: RecordingServer;

beforeAll(async () => {
  server = await startRecordingServer();
  folder = await mkdtemp(join(tmpdir(), 'upload-'));
  path = join(folder, 'scan of 2026.pdf');
  await writeFile(path, content);
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = () => ({ body: { id: 'file_1' } });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const client = (changes: Partial<DocumentsClientOptions> = {}) =>
  createDocumentsClient({
    baseUrl: server.url,
    apiKey: 'k',
    retry: { maxAttempts: 3, baseMs: 1, capMs: 1 },
    ...changes,
  } as DocumentsClientOptions);

/** The form as a standard reader reads it. */
async function formAt(index: number): Promise<FormData> {
  const { body, headers } = server.requests[index] ?? { body: Buffer.of(), headers: {} };
  const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
  return new Response(new Uint8Array(body), init).formData();
}

async function fileAt(index: number): Promise<File> {
  return (await formAt(index)).get('file') as unknown as File;
}

const inPieces = () => [content.subarray(0, 70_000), content.subarray(70_000)];

async function* generated(): AsyncGenerator<Uint8Array> {
  yield* inPieces();
}

const sources: Record<string, () => UploadSource> = {
  'a path': () => path,
  'a Buffer': () => content,
  'a Uint8Array': () => new Uint8Array(content),
  'a Blob': () => new Blob([content]),
  'a Node stream': () => createReadStream(path),
  'a web stream': () => Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
  'a generator': generated,
};

describe('a file is sent from', () => {
  for (const [kind, source] of Object.entries(sources)) {
    it(`${kind}, unchanged`, async () => {
      expect(await client().files.upload(source(), { name: 'a.pdf' })).toEqual({ id: 'file_1' });
      const file = await fileAt(0);
      expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBe(true);
      expect([file.name, file.type]).toEqual(['a.pdf', 'application/octet-stream']);
      expect(server.requests[0]).toMatchObject({
        method: 'POST',
        path: '/files/upload',
        query: [],
      });
    });
  }

  it('a path at which nothing stands in the file', async () => {
    const empty = join(folder, 'empty');
    await writeFile(empty, '');
    await client().files.upload(empty);
    expect([(await fileAt(0)).name, (await fileAt(0)).size]).toEqual(['empty', 0]);
  });

  it.each(['a path', 'a Buffer', 'a Blob'])(
    '%s with its length, so that nothing is chunked',
    async (kind) => {
      await client().files.upload(sources[kind]?.() as UploadSource);
      const { headers, body } = server.requests[0] ?? { headers: {}, body: Buffer.of() };
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers).not.toHaveProperty('transfer-encoding');
    },
  );
});

describe('an injected fetch', () => {
  it.each(Object.keys(sources))('sends the same from %s', async (kind) => {
    const { files } = client({ fetch: (...given) => globalThis.fetch(...given) });
    await files.upload(sources[kind]?.() as UploadSource, { password: 'p' });
    expect(Buffer.from(await (await fileAt(0)).arrayBuffer()).equals(content)).toBe(true);
    expect((await formAt(0)).get('password')).toBe('p');
  });
});

describe('what is said about a file', () => {
  it('goes before what it says of itself', async () => {
    await client().files.upload(path);
    await client().files.upload(new File(['x'], 'own.txt', { type: 'text/plain' }));
    await client().files.upload(new File(['x'], 'own.txt', { type: 'text/plain' }), {
      name: 'other.csv',
      contentType: 'text/csv',
    });
    await client().files.upload(Buffer.from('x'));
    const files = await Promise.all([fileAt(0), fileAt(1), fileAt(2), fileAt(3)]);
    expect(files.map(({ name, type }) => [name, type])).toEqual([
      ['scan of 2026.pdf', 'application/octet-stream'],
      ['own.txt', 'text/plain'],
      ['other.csv', 'text/csv'],
      ['file', 'application/octet-stream'],
    ]);
  });

  it('goes into form and query', async () => {
    await client().files.upload(content, { password: 'geheim ä"\r\n--x', convertToPdf: true });
    const form = await formAt(0);
    expect([...form.keys()]).toEqual(['file', 'password']);
    expect(form.get('password')).toBe('geheim ä"\r\n--x');
    expect(server.requests[0]?.query).toEqual([['convertToPdf', 'true']]);
  });

  it('cannot begin a part of its own', async () => {
    await client().files.upload(Buffer.from('x'), { name: '"; name="password' });
    const form = await formAt(0);
    expect([...form.keys()]).toEqual(['file']);
    expect(String(server.requests[0]?.body)).toContain('filename="%22; name=%22password"');
  });

  it.each<[string, UploadOptions]>([
    ['name', { name: '' }],
    ['name', { name: 'a\r\nContent-Type: text/html' }],
    ['name', { name: 7 as unknown as string }],
    ['contentType', { contentType: 'a' }],
    ['contentType', { contentType: 'text/plain\r\nx: y' }],
    ['password', { password: 7 as unknown as string }],
  ])('is refused: %s in %j', async (reason, about) => {
    await expect(client().files.upload(content, about)).rejects.toMatchObject({
      code: 'api/invalid-argument',
      operation: 'files.upload',
      outcome: 'not-sent',
      reason,
    });
    expect(server.requests).toHaveLength(0);
  });

  it('has a boundary of its own in each form, no longer than the standard allows', async () => {
    const types = await Promise.all(
      [1, 2].map(async () => ((await argumentsOf(content)).body as BodySource).contentType),
    );
    expect(types[0]).not.toBe(types[1]);
    expect(types[0]).toMatch(/^multipart\/form-data; boundary=[\w-]{40,70}$/);
  });
});

const argumentsOf = (source: UploadSource) => uploadArguments('files.upload', source);

describe('an upload that is refused before anything is sent', () => {
  const used = async () => {
    const stream = createReadStream(path);
    for await (const _ of stream) break;
    return stream;
  };
  const begun = async () => {
    const stream = createReadStream(path);
    await once(stream, 'data');
    return stream.pause();
  };
  const locked = () => {
    const stream = new Blob([content]).stream();
    stream.getReader();
    return stream;
  };
  const drained = async () => {
    const stream = new Blob([content]).stream();
    for await (const _ of stream);
    return stream;
  };
  it.each<[string, () => unknown]>([
    ['no source', () => undefined],
    ['a number', () => 7],
    ['an object', () => ({})],
    ['a folder', () => folder],
    ['a path that leads nowhere', () => join(folder, 'nowhere')],
    ['a stream that was read', used],
    ['a stream of which a part was read', begun],
    ['a stream that is being read', locked],
    ['a web stream that was read', drained],
    ['an empty stream', () => Readable.from([])],
    ['a stream of empty pieces', () => Readable.from([Buffer.of(), Buffer.of()])],
    ['a stream of objects', () => Readable.from([{ a: 1 }])],
  ])('is one of %s', async (_, source) => {
    const upload = client().files.upload((await source()) as UploadSource);
    await expect(upload).rejects.toMatchObject({
      code: 'api/invalid-argument',
      reason: expect.stringMatching(/^source/),
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe('an upload that is sent again', () => {
  const once = { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', message: 'slow' } };

  it.each(['a path', 'a Buffer', 'a Blob'])('has all of %s', async (kind) => {
    server.answer = (_, count) => (count === 1 ? once : { body: { id: 'file_1' } });
    await client().files.upload(sources[kind]?.() as UploadSource);
    expect(server.requests).toHaveLength(2);
    for (const index of [0, 1]) {
      const bytes = Buffer.from(await (await fileAt(index)).arrayBuffer());
      expect(bytes.equals(content)).toBe(true);
    }
  });

  it.each(['a Node stream', 'a web stream', 'a generator'])('is refused for %s', async (kind) => {
    server.answer = () => once;
    const upload = client().files.upload(sources[kind]?.() as UploadSource);
    await expect(upload).rejects.toMatchObject({ code: 'api/rate-limited', status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  it('never follows an attempt that may have stored the file', async () => {
    server.answer = () => ({ status: 503, body: { code: 'INTERNAL_ERROR' } });
    await expect(client().files.upload(content)).rejects.toMatchObject({ outcome: 'unknown' });
    expect(server.requests).toHaveLength(1);
  });
});

describe('the form', () => {
  const bodyOf = async (source: UploadSource) => (await argumentsOf(source)).body as BodySource;
  const read = async (body: BodySource) => {
    let bytes = 0;
    for await (const piece of body.open()) bytes += piece.length;
    return bytes;
  };

  it.each(['a path', 'a Buffer', 'a Blob'])(
    'is as long as it says, from %s, twice',
    async (kind) => {
      const body = await bodyOf(sources[kind]?.() as UploadSource);
      expect([await read(body), await read(body)]).toEqual([body.length, body.length]);
      expect(body.isSpent?.()).not.toBe(true);
    },
  );

  it.each(['a Node stream', 'a generator'])(
    'opens once from %s, and has no length',
    async (kind) => {
      const body = await bodyOf(sources[kind]?.() as UploadSource);
      const pieces = body.open()[Symbol.asyncIterator]();
      expect([body.isSpent?.(), body.length]).toEqual([false, undefined]);
      // The head of the form, then what the stream gives.
      await pieces.next();
      await pieces.next();
      expect(body.isSpent?.()).toBe(true);
      await pieces.return?.();
      await expect(read(body)).rejects.toMatchObject({ code: 'api/invalid-argument' });
    },
  );

  it('breaks rather than ends when the file got shorter', async () => {
    const changing = join(folder, 'changing');
    await writeFile(changing, content);
    const body = await bodyOf(changing);
    await truncate(changing, 100);
    await expect(read(body)).rejects.toMatchObject({ reason: 'source (shortened)' });
  });

  it('takes no more than was there when the file got longer', async () => {
    const changing = join(folder, 'growing');
    for (const before of ['', 'short']) {
      await writeFile(changing, before);
      const body = await bodyOf(changing);
      await writeFile(changing, content);
      expect(await read(body)).toBe(body.length);
    }
  });

  it('reads a piece when it is asked for, not before', async () => {
    let read = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (; read < 1000; read += 1) yield content;
    }
    const pieces = (await bodyOf(counted())).open()[Symbol.asyncIterator]();
    for (let asked = 0; asked < 5; asked += 1) await pieces.next();
    expect(read).toBeLessThan(6);
    await pieces.return?.();
  });
});
