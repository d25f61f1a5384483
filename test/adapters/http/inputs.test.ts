/** What both clients send of what they are given, and what they refuse before anything is sent. */
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createBillsClient } from '../../../src/bills.js';
import { createDocumentsClient } from '../../../src/documents.js';

const json = { 'content-type': 'application/json' };
const usual = () => new Response('{}', { headers: json });
const empty = () => new Response(null, { status: 204 });

interface Sent {
  readonly url: string;
  readonly body: unknown;
}

let sent: Sent[] = [];
let answer = usual;
beforeEach(() => {
  [sent, answer] = [[], usual];
});

const fetch = (async (url: string, init: RequestInit) => {
  sent.push({ url, body: init.body });
  return answer();
}) as typeof globalThis.fetch;

const baseUrl = 'https://api.example.com/v1';
const auth = { apiKey: 'k' };
const bills = createBillsClient({ baseUrl, auth, fetch });
const documents = createDocumentsClient({ baseUrl, apiKey: 'k', fetch });

describe('an address', () => {
  const refused = [
    'http://api.example.com',
    'http://localhost.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost@example.com',
    'http://169.254.169.254',
    'http://10.0.0.1',
    'http://0.0.0.0',
    'http://[::2]',
    'ws://localhost',
    'file:///etc/passwd',
    'https://user:S3CRET@example.com',
    'https://example.com/?S3CRET',
    'S3CRET',
  ];
  it.each(refused)('is not %s', (text) => {
    const makers = [
      () => createBillsClient({ baseUrl: text, auth }),
      () => createDocumentsClient({ baseUrl: text, apiKey: 'k' }),
      () => createDocumentsClient({ region: 'us2', baseUrls: { us2: text }, apiKey: 'k' }),
    ];
    for (const make of makers) {
      expect(make).toThrow(/api\/invalid-option/);
      expect(make).not.toThrow(/S3CRET/);
    }
  });

  it.each(['https://x.example.com', 'http://localhost:1', 'http://127.0.0.1', 'http://[::1]:9/a'])(
    'is %s',
    (text) => {
      expect(() => createBillsClient({ baseUrl: text, auth })).not.toThrow();
      expect(() => createDocumentsClient({ baseUrl: text, apiKey: 'k' })).not.toThrow();
    },
  );
});

describe('what stands in a path', () => {
  const refused = { code: 'api/invalid-argument', outcome: 'not-sent' };

  it.each(['', '.', '..', 'a\0', 'a\nb', 'a\u007f', '\ud800', 7, null, undefined, {}, ['a']])(
    'is not %j',
    async (value) => {
      const id = value as string;
      const calls = [
        documents.files.get(id),
        documents.files.delete(id),
        documents.extractors.versions.get('a', id),
        documents.workflowRuns.cancel(id),
        bills.create(id, {}),
        bills.getAttachment(1, id),
      ];
      for (const call of calls) await expect(call).rejects.toMatchObject(refused);
      expect(sent).toEqual([]);
    },
  );

  it('is one segment, whatever it holds', async () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    const texts = fc.string({ unit, minLength: 1, maxLength: 9 });
    const given = fc.oneof(texts, fc.constantFrom('a/b', '../x', '%2e%2e', 'a?b#c', '...', 'ex_1'));
    await fc.assert(
      fc.asyncProperty(given, async (id) => {
        sent = [];
        const error = await documents.extractors.versions.get('a b', id).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) {
          expect(error).toMatchObject(refused);
          expect(sent).toEqual([]);
          return;
        }
        const { pathname, search, hash } = new URL(sent[0]?.url ?? '');
        expect([search, hash]).toEqual(['', '']);
        const segments = pathname.split('/').map(decodeURIComponent);
        expect(segments).toEqual(['', 'v1', 'extractors', 'a b', 'versions', id]);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a body', () => {
  it('that is absent is {} in POST, PUT and PATCH, and none elsewhere', async () => {
    await bills.create('e', undefined as never);
    await bills.update(1, undefined as never);
    await documents.evaluationSets.items.update('a', 'b', undefined as never);
    await documents.workflowRuns.cancel('a');
    await documents.files.get('a');
    await bills.delete(1);
    expect(sent.map(({ body }) => body)).toEqual(['{}', '{}', '{}', '{}', undefined, undefined]);
  });

  it('that cannot be written is refused', async () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const body of [circle, { n: 1n }, () => 1]) {
      const refused = { code: 'api/invalid-argument', reason: 'body', outcome: 'not-sent' };
      await expect(bills.create('e', body as never)).rejects.toMatchObject(refused);
    }
    expect(sent).toEqual([]);
  });
});

describe('an answer without a body', () => {
  it('is undefined where none is told of, and an error elsewhere', async () => {
    answer = empty;
    expect(await documents.files.delete('a')).toBeUndefined();
    expect(await documents.workflowRuns.cancel('a')).toBeUndefined();
    for (const call of [documents.files.get('a'), bills.get(1), bills.delete(1)]) {
      await expect(call).rejects.toMatchObject({ code: 'api/wrong-type', status: 204 });
    }
  });
});
