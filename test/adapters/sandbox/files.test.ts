import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMultipart } from '../../../src/adapters/sandbox/multipart.js';
import { seed } from '../../seed.js';
import { receive, type Send, serve } from './serve.js';

function form(content: string | Uint8Array, name = 'note.txt', type = 'text/plain'): FormData {
  const data = new FormData();
  data.set('file', new Blob([content], { type }), name);
  return data;
}

async function uploaded(documents: Send, content: string | Uint8Array, name?: string) {
  return (await documents('POST', '/files/upload', { body: form(content, name) })).json;
}

describe('a file', () => {
  it('is uploaded, and downloaded byte by byte for a quarter of an hour', async () => {
    const { documents, sandbox } = await serve();
    const content = Buffer.from([0, 255, 13, 10, 45, 45, 0]);
    const file = await uploaded(documents, content, 'ä".bin');
    expect(file).toMatchObject({
      object: 'file',
      id: expect.stringMatching(/^file_/),
      name: 'ä".bin',
      type: 'text/plain',
      metadata: { sizeBytes: 7 },
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    const { presignedUrl } = (await documents('GET', `/files/${file.id}`)).json;
    expect((await receive(await fetch(presignedUrl))).bytes).toEqual(content);
    expect(
      (await fetch(presignedUrl.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))))
        .status,
    ).toBe(403);
    expect((await fetch(presignedUrl.replace('expires=', 'expires=9'))).status).toBe(403);
    sandbox.clock.advance(15 * 60_000);
    expect((await fetch(presignedUrl)).status).toBe(403);
  });

  it('shows its text where that is asked for', async () => {
    const { documents } = await serve();
    const { id } = await uploaded(documents, 'a < b');
    expect((await documents('GET', `/files/${id}`)).json.contents).toBeNull();
    const query = 'rawText=true&markdown=true&html=true';
    expect((await documents('GET', `/files/${id}?${query}`)).json.contents).toEqual({
      rawText: 'a < b',
      markdown: 'a < b',
      html: '<pre>a &lt; b</pre>',
    });
  });

  it('can be converted, and can have a password', async () => {
    const { documents } = await serve();
    const body = form('x');
    body.set('password', 'secret');
    const { json } = await documents('POST', '/files/upload?convertToPdf=true', { body });
    expect(json.type).toBe('application/pdf');
    expect(JSON.stringify(json)).not.toContain('secret');
  });

  it('is gone when it was deleted, its address too', async () => {
    const { documents } = await serve();
    const { id, presignedUrl } = await uploaded(documents, 'x');
    expect((await documents('DELETE', `/files/${id}`)).json).toEqual({ id });
    for (const method of ['GET', 'DELETE']) {
      const answer = await documents(method, `/files/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.json).toMatchObject({ code: 'NOT_FOUND', retryable: false });
    }
    expect((await fetch(presignedUrl)).status).toBe(404);
  });

  it('is listed by a part of its name, page by page', async () => {
    const { documents, sandbox } = await serve();
    for (const name of ['a1', 'b1', 'a2', 'a3']) {
      await uploaded(documents, 'x', name);
      sandbox.clock.advance(1000);
    }
    const namesOn = async (query: string) => {
      const { json } = await documents('GET', `/files?${query}`);
      const names = json.data.map(({ name }: { name: string }) => name);
      return { object: json.object, names, token: json.nextPageToken };
    };
    const first = await namesOn('nameContains=a&maxPageSize=2');
    expect(first).toMatchObject({ object: 'list', names: ['a3', 'a2'] });
    // What comes meanwhile neither repeats nor hides anything.
    await uploaded(documents, 'x', 'a4');
    const next = `nameContains=a&maxPageSize=2&nextPageToken=${first.token}`;
    expect(await namesOn(next)).toEqual({ object: 'list', names: ['a1'], token: undefined });
    expect((await namesOn('sortDir=asc')).names).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  });

  it.each([
    ['maxPageSize=0', 'maxPageSize must be from 1 to 1000'],
    ['nextPageToken=x', 'nextPageToken is not one that a list has returned'],
    ['sortDir=up', 'sortDir must be one of desc, asc'],
    ['sortBy=name', 'sortBy must be one of createdAt, updatedAt'],
  ])('is not listed with %s', async (query, message) => {
    const { documents } = await serve();
    const answer = await documents('GET', `/files?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual({
      code: 'INVALID_REQUEST',
      message,
      retryable: false,
      requestId: expect.stringMatching(/^req_/),
    });
  });
});

describe('a multipart body', () => {
  const type = 'multipart/form-data; boundary=b';

  it('holds any content, also such as looks like a boundary', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\r\n', '--b', '\r\n--b', '\r\n--bx', '--', '\r\n\r\n')
        .map((text) => Buffer.from(text)),
    );
    const part = fc.record({
      name: fc.stringMatching(/^[a-z]{1,5}$/),
      fileName: fc.option(
        fc.string({ unit: 'grapheme', maxLength: 10 }).filter((text) => !/[\r\n"\\%]/.test(text)),
      ),
      content: fc.array(piece, { maxLength: 6 }).map((pieces) => Buffer.concat(pieces)),
    });
    // No content has a line that is the boundary itself.
    const parts = fc
      .array(part, { maxLength: 4 })
      .filter((all) =>
        all.every(
          ({ content }) =>
            !/(?:^|\r\n)--b(?:--|[ \t]*(?:\r\n|$))/.test(`${content.toString('latin1')}`),
        ),
      );
    fc.assert(
      fc.property(parts, (all) => {
        const body = Buffer.concat([
          Buffer.from('a preamble'),
          ...all.flatMap(({ name, fileName, content }) => [
            Buffer.from(
              `\r\n--b\r\nContent-Disposition: form-data; name="${name}"` +
                `${fileName === null ? '' : `; filename="${fileName}"`}\r\n\r\n`,
            ),
            content,
          ]),
          Buffer.from('\r\n--b--\r\n'),
        ]);
        expect(readMultipart(type, body)).toEqual(
          all.map((each) => ({ ...each, contentType: null })),
        );
      }),
      { seed, numRuns: 300 },
    );
  });

  it.each([
    [type, '', 'incomplete'],
    [type, '--b\r\n', 'incomplete'],
    [type, '--b\r\n\r\nx', 'incomplete'],
    [type, '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b', 'incomplete'],
    [type, '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--', 'has no name'],
    [type, '--b\r\nContent-Disposition: form-data; name="file"\r\n--b--', 'has no end'],
    ['multipart/form-data', '--b--', 'with a boundary'],
    ['text/plain; boundary=b', '--b--', 'with a boundary'],
    [type, '--b--', 'no part named file'],
    [
      type,
      '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--b--',
      'no part named file',
    ],
  ])('is refused where it is not one: %s %j', async (contentType, body, message) => {
    const { documents } = await serve();
    const headers = { 'content-type': contentType };
    const answer = await documents('POST', '/files/upload', { body, headers });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain(message);
  });

  it('is refused where it is too large', async () => {
    const { documents } = await serve({ maxBodyBytes: 1000 });
    const answer = await documents('POST', '/files/upload', { body: form('x'.repeat(2000)) });
    expect(answer.status).toBe(413);
  });
});
