/** Uploads: every kind of source, read only while it is sent, never replaced by an empty file. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type CallOptions,
  createDocumentsClient,
  type UploadOptions,
  type UploadSource,
} from '../../../src/documents.js';
import { answer, failureOf, type Step, scripted, useServer } from '../harness.js';

const content = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 31) % 256));
const server = useServer(() => ({ body: { id: 'file_1' } }));
let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'upload-'));
  path = join(folder, 'scan of 2026.pdf');
  await writeFile(path, content);
});
afterAll(() => rm(folder, { recursive: true }));

const upload = (source: unknown, about: UploadOptions = {}, own: CallOptions = {}) => {
  const retry = { maxAttempts: 3, baseMs: 1, capMs: 1 };
  const client = createDocumentsClient({ baseUrl: server.url, apiKey: 'k', retry, ...own });
  return client.files.upload(source as UploadSource, about);
};

/** The form as a standard reader reads it. */
async function formAt(index: number): Promise<FormData> {
  const { body, headers } = server.requests[index] ?? { body: Buffer.of(), headers: {} };
  const init = { headers: { 'content-type': headers['content-type'] ?? '' } };
  return new Response(new Uint8Array(body), init).formData();
}

const fileAt = async (index: number) => (await formAt(index)).get('file') as unknown as File;

async function* generated(): AsyncGenerator<Uint8Array> {
  yield content.subarray(0, 70_000);
  yield content.subarray(70_000);
}

it.each<[kind: string, source: () => UploadSource, isStream: boolean]>([
  ['a path', () => path, false],
  ['a Buffer', () => content, false],
  ['a Uint8Array', () => new Uint8Array(content), false],
  ['a Blob', () => new Blob([content]), false],
  ['a Node stream', () => createReadStream(path), true],
  ['a web stream', () => Readable.toWeb(createReadStream(path)) as ReadableStream, true],
  ['a generator', generated, true],
])(
  'a file is sent unchanged from %s, and sent again unless it is a stream',
  async (_, source, isStream) => {
    const reply = { body: { id: 'file_1' } };
    server.behave = (_request, _response, count) =>
      count === 2 ? { status: 429, body: {} } : reply;
    expect(await upload(source(), { name: 'a.pdf' })).toEqual({ id: 'file_1' });
    const [sent] = server.requests;
    expect([sent?.method, sent?.url]).toEqual(['POST', '/files/upload']);
    const length = isStream ? undefined : String(sent?.body.length);
    expect(sent?.headers['content-length']).toBe(length);
    const again = upload(source());
    if (isStream) expect((await failureOf(again)).code).toBe('api/rate-limited');
    else await again;
    expect(server.requests).toHaveLength(isStream ? 2 : 3);
    for (const index of server.requests.keys()) {
      const file = await fileAt(index);
      expect(content.equals(Buffer.from(await file.arrayBuffer()))).toBe(true);
    }
  },
);

describe('an upload option', () => {
  it('overrides what the file says about itself', async () => {
    const short = join(folder, 'short');
    await writeFile(short, '.');
    const own = new File(['x'], 'own.txt', { type: 'text/plain' });
    await upload(path);
    await upload(short);
    await upload(own);
    await upload(own, { name: 'other.csv', contentType: 'text/csv' });
    const fetch = (...given: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...given);
    await upload(generated(), {}, { fetch });
    const files = await Promise.all([0, 1, 2, 3, 4].map(fileAt));
    const unknown = 'application/octet-stream';
    expect(files.map(({ name, type, size }) => [name, type, size])).toEqual([
      ['scan of 2026.pdf', unknown, content.length],
      ['short', unknown, 1],
      ['own.txt', 'text/plain', 1],
      ['other.csv', 'text/csv', 1],
      ['file', unknown, content.length],
    ]);
  });

  it('goes into form or query, and cannot start a part of its own', async () => {
    const password = 'geheim ä"\r\n--x';
    await upload(content, { name: 'a\r\n"; name="password', password, convertToPdf: true });
    const form = await formAt(0);
    expect([...form.keys()]).toEqual(['file', 'password']);
    expect(form.get('password')).toBe(password);
    expect(server.requests[0]?.url).toBe('/files/upload?convertToPdf=true');
    expect(String(server.requests[0]?.body)).toContain('filename="a%0D%0A%22; name=%22password"');
    await upload(content);
    const types = server.requests.map(({ headers }) => headers['content-type']);
    expect(types[0]).not.toBe(types[1]);
    expect(types[0]).toMatch(/^multipart\/form-data; boundary=[\w-]{40,70}$/);
  });

  it.each(['a', 'text/plain\r\nx: y'])('cannot be the content type %j', async (contentType) => {
    const told = { code: 'api/invalid-argument', operation: 'files.upload', outcome: 'not-sent' };
    const error = await failureOf(upload(content, { contentType }));
    expect(error).toMatchObject({ ...told, reason: 'contentType' });
    expect(server.requests).toHaveLength(0);
  });
});

/** A stream of which a part was read. */
async function begun(stream: Readable): Promise<Readable> {
  await once(stream, 'data');
  return stream.pause();
}
async function emptyFile(): Promise<string> {
  await writeFile(join(folder, 'empty'), '');
  return join(folder, 'empty');
}
function locked(stream: ReadableStream): ReadableStream {
  stream.getReader();
  return stream;
}

it.each<[string, () => unknown]>([
  ['a number', () => 7],
  ['a folder', () => folder],
  ['a path that leads nowhere', () => join(folder, 'nowhere')],
  ['a stream of which a part was read', () => begun(createReadStream(path))],
  ['a stream that is being read', () => locked(new Blob([content]).stream())],
  ['no bytes', () => new Uint8Array()],
  ['an empty Blob', () => new File([], 'empty.pdf')],
  ['a path of an empty file', () => emptyFile()],
  ['an empty stream', () => Readable.from([])],
  ['a stream of empty pieces', () => Readable.from([Buffer.of(), Buffer.of()])],
  ['a stream of objects', () => Readable.from([{ a: 1 }])],
])('an upload of %s is refused before anything is sent', async (_, source) => {
  const error = await failureOf(upload(await source()));
  expect(error.code).toBe('api/invalid-argument');
  expect(error.reason).toMatch(/^source/);
  expect(server.requests).toHaveLength(0);
});

describe('the form', () => {
  /** A transport that does something before it reads, and counts the bytes. */
  function reading(before: () => unknown, most = Infinity) {
    const found = { bytes: 0, announced: '' };
    const step: Step = async (request) => {
      found.announced = `${request.headers['content-length']}`;
      await before();
      for await (const piece of request.body as AsyncIterable<Uint8Array>) {
        found.bytes += piece.length;
        if (found.bytes > most) break;
      }
      return answer(200)(request);
    };
    return { found, fetch: scripted(step).fetch };
  }

  it('fails if the file has shrunk, and sends no more than announced if it has grown', async () => {
    const changing = join(folder, 'changing');
    await writeFile(changing, content);
    const shortened = reading(() => truncate(changing, 100));
    const error = await failureOf(upload(changing, {}, { fetch: shortened.fetch }));
    expect([error.code, error.outcome]).toEqual(['api/connection-lost', 'unknown']);
    for (const before of ['.', 'short']) {
      await writeFile(changing, before);
      const { found, fetch } = reading(() => writeFile(changing, content));
      await upload(changing, {}, { fetch });
      expect(`${found.bytes}`).toBe(found.announced);
    }
  });

  it('reads each piece only on demand', async () => {
    let given = 0;
    async function* counted(): AsyncGenerator<Uint8Array> {
      for (; given < 1000; given += 1) yield content;
    }
    const { fetch } = reading(() => {}, 4 * content.length);
    await upload(counted(), {}, { fetch });
    expect(given).toBeLessThan(9);
  });
});
