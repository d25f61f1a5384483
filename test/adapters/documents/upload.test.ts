/** Uploads: every kind of source, nothing read before it is sent, nothing sent in place of a file. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { uploadArguments } from '../../../src/adapters/documents/upload.js';
import type { BodySource } from '../../../src/adapters/http/request.js';
import {
  createDocumentsClient,
  type DocumentsClientOptions,
  type UploadOptions,
  type UploadSource,
} from '../../../src/documents.js';
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

const upload = (source: unknown, about: UploadOptions = {}, changes: object = {}) => {
  const retry = { maxAttempts: 3, baseMs: 1, capMs: 1 };
  const options = { baseUrl: server.url, apiKey: 'k', retry, ...changes } as DocumentsClientOptions;
  return createDocumentsClient(options).files.upload(source as UploadSource, about);
};

/** The form as a standard reader reads it. */
async function formAt(index: number): Promise<FormData> {
  const { body, headers } = server.requests[index] ?? { body: Buffer.of(), headers: {} };
  const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
  return new Response(new Uint8Array(body), init).formData();
}

const fileAt = async (index: number) => (await formAt(index)).get('file') as unknown as File;

async function expectContentAt(index: number): Promise<void> {
  const bytes = Buffer.from(await (await fileAt(index)).arrayBuffer());
  expect(bytes.equals(content)).toBe(true);
}

async function* generated(): AsyncGenerator<Uint8Array> {
  yield content.subarray(0, 70_000);
  yield content.subarray(70_000);
}

const once429 = { status: 429, body: { code: 'RATE_LIMIT_EXCEEDED', message: 'slow' } };

describe.each<[kind: string, source: () => UploadSource, isStream: boolean]>([
  ['a path', () => path, false],
  ['a Buffer', () => content, false],
  ['a Uint8Array', () => new Uint8Array(content), false],
  ['a Blob', () => new Blob([content]), false],
  ['a Node stream', () => createReadStream(path), true],
  ['a web stream', () => Readable.toWeb(createReadStream(path)) as ReadableStream, true],
  ['a generator', generated, true],
])('a file is sent from %s', (_, source, isStream) => {
  it('unchanged, with its length if that is known', async () => {
    expect(await upload(source(), { name: 'a.pdf' })).toEqual({ id: 'file_1' });
    await expectContentAt(0);
    const { name, type } = await fileAt(0);
    expect([name, type]).toEqual(['a.pdf', 'application/octet-stream']);
    const [sent] = server.requests;
    expect(sent).toMatchObject({ method: 'POST', path: '/files/upload', query: [] });
    const length = isStream ? undefined : String(sent?.body.length);
    expect(sent?.headers['content-length']).toBe(length);
  });

  it('by an injected fetch', async () => {
    const fetch = (...given: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...given);
    await upload(source(), { password: 'p' }, { fetch });
    await expectContentAt(0);
    expect((await formAt(0)).get('password')).toBe('p');
  });

  it('again after a refusal, all of it, unless it is a stream', async () => {
    server.answer = (_request, count) => (count === 1 ? once429 : { body: { id: 'file_1' } });
    const sent = upload(source());
    if (isStream) {
      await expect(sent).rejects.toMatchObject({ code: 'api/rate-limited', status: 429 });
    } else await sent;
    expect(server.requests).toHaveLength(isStream ? 1 : 2);
    for (const index of server.requests.keys()) await expectContentAt(index);
  });

  it('in a form that says how long it is, and opens once or twice', async () => {
    const body = await bodyOf(source());
    expect(body.isSpent?.() ?? false).toBe(false);
    const length = await read(body);
    expect(body.length).toBe(isStream ? undefined : length);
    expect(body.isSpent?.() ?? false).toBe(isStream);
    const again = read(body);
    if (!isStream) expect(await again).toBe(length);
    else await expect(again).rejects.toMatchObject({ code: 'api/invalid-argument' });
  });
});

const bodyOf = async (source: UploadSource) =>
  (await uploadArguments('files.upload', source)).body as BodySource;

async function read(body: BodySource): Promise<number> {
  let bytes = 0;
  for await (const piece of body.open()) bytes += piece.length;
  return bytes;
}

it('an upload never follows an attempt that may have stored the file', async () => {
  server.answer = () => ({ status: 503, body: { code: 'INTERNAL_ERROR' } });
  await expect(upload(content)).rejects.toMatchObject({ outcome: 'unknown' });
  expect(server.requests).toHaveLength(1);
});

describe('what is said about a file', () => {
  it('goes before what it says of itself', async () => {
    const empty = join(folder, 'empty');
    await writeFile(empty, '');
    const own = new File(['x'], 'own.txt', { type: 'text/plain' });
    await upload(path);
    await upload(empty);
    await upload(own);
    await upload(own, { name: 'other.csv', contentType: 'text/csv' });
    await upload(Buffer.from('x'));
    const files = await Promise.all([0, 1, 2, 3, 4].map(fileAt));
    const unknown = 'application/octet-stream';
    expect(files.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['scan of 2026.pdf', unknown, content.length],
      ['empty', unknown, 0],
      ['own.txt', 'text/plain', 1],
      ['other.csv', 'text/csv', 1],
      ['file', unknown, 1],
    ]);
  });

  it('goes into form and query, and cannot begin a part of its own', async () => {
    const password = 'geheim ä"\r\n--x';
    await upload(content, { name: '"; name="password', password, convertToPdf: true });
    const form = await formAt(0);
    expect([...form.keys()]).toEqual(['file', 'password']);
    expect(form.get('password')).toBe(password);
    expect(server.requests[0]?.query).toEqual([['convertToPdf', 'true']]);
    expect(String(server.requests[0]?.body)).toContain('filename="%22; name=%22password"');
    await upload(content);
    const types = server.requests.map(({ headers }) => headers['content-type']);
    expect(types[0]).not.toBe(types[1]);
    expect(types[0]).toMatch(/^multipart\/form-data; boundary=[\w-]{40,70}$/);
  });

  it.each<[string, object]>([
    ['name', { name: '' }],
    ['name', { name: 'a\r\nContent-Type: text/html' }],
    ['name', { name: 7 }],
    ['contentType', { contentType: 'a' }],
    ['contentType', { contentType: 'text/plain\r\nx: y' }],
    ['password', { password: 7 }],
  ])('is refused: %s in %j', async (reason, about) => {
    const told = { code: 'api/invalid-argument', operation: 'files.upload', outcome: 'not-sent' };
    await expect(upload(content, about)).rejects.toMatchObject({ ...told, reason });
    expect(server.requests).toHaveLength(0);
  });
});

const streamOf = () => new Blob([content]).stream();

it.each<[string, () => unknown]>([
  ['no source', () => undefined],
  ['a number', () => 7],
  ['an object', () => ({})],
  ['a folder', () => folder],
  ['a path that leads nowhere', () => join(folder, 'nowhere')],
  [
    'a stream of which a part was read',
    async () => {
      const stream = createReadStream(path);
      await once(stream, 'data');
      return stream.pause();
    },
  ],
  [
    'a stream that was read',
    async () => {
      const stream = createReadStream(path);
      for await (const _ of stream) break;
      return stream;
    },
  ],
  [
    'a stream that is being read',
    () => {
      const stream = streamOf();
      stream.getReader();
      return stream;
    },
  ],
  [
    'a web stream that was read',
    async () => {
      const stream = streamOf();
      for await (const _ of stream);
      return stream;
    },
  ],
  ['an empty stream', () => Readable.from([])],
  ['a stream of empty pieces', () => Readable.from([Buffer.of(), Buffer.of()])],
  ['a stream of objects', () => Readable.from([{ a: 1 }])],
])('an upload of %s is refused before anything is sent', async (_, source) => {
  const reason = expect.stringMatching(/^source/);
  const told = { code: 'api/invalid-argument', reason };
  await expect(upload(await source())).rejects.toMatchObject(told);
  expect(server.requests).toHaveLength(0);
});

describe('the form', () => {
  it('breaks when the file got shorter, and takes no more than was there when it got longer', async () => {
    const changing = join(folder, 'changing');
    await writeFile(changing, content);
    const shortened = await bodyOf(changing);
    await truncate(changing, 100);
    await expect(read(shortened)).rejects.toMatchObject({ reason: 'source (shortened)' });
    for (const before of ['', 'short']) {
      await writeFile(changing, before);
      const body = await bodyOf(changing);
      await writeFile(changing, content);
      expect(await read(body)).toBe(body.length);
    }
  });

  it('reads a piece when it is asked for, not before', async () => {
    let given = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (; given < 1000; given += 1) yield content;
    }
    const pieces = (await bodyOf(counted())).open()[Symbol.asyncIterator]();
    for (let asked = 0; asked < 5; asked += 1) await pieces.next();
    expect(given).toBeLessThan(6);
    await pieces.return?.();
  });
});
