import { describe, expect, it } from 'vitest';
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
    const content = Buffer.from('\0\xff\r\n--b\r\n----\r\n\r\n--b--', 'latin1');
    const file = await uploaded(documents, content, 'ä".bin');
    expect(file).toMatchObject({
      object: 'file',
      id: expect.stringMatching(/^file_/),
      name: 'ä".bin',
      type: 'text/plain',
      metadata: { sizeBytes: content.length },
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

describe('what is no form with a file', () => {
  const type = 'multipart/form-data; boundary=b';
  const field = 'Content-Disposition: form-data; name="file"';

  it.each([
    [type, ''],
    [type, `--b\r\n${field}; filename="a"\r\n\r\nx\r\n--b`],
    [type, `--b\r\n${field}\r\n\r\nx\r\n--b--\r\n`],
    ['multipart/form-data', '--b--\r\n'],
    ['text/plain; boundary=b', `--b\r\n${field}; filename="a"\r\n\r\nx\r\n--b--\r\n`],
  ])('is refused: %s %j', async (contentType, body) => {
    const { documents } = await serve();
    const headers = { 'content-type': contentType };
    const answer = await documents('POST', '/files/upload', { body, headers });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain('no form with a file');
  });
});
