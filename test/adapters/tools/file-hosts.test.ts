/** Addresses of files: only from hosts that the configuration names, and sent as they were judged. */
import { expect, it } from 'vitest';
import type { Bound } from '../../../src/tools.js';
import { messageOf, requestOf, resultsOf, stage } from './stage.js';

const hosts = ['files.example.com', 'other.example:8443'];

/** The address that the service gets of one that a caller gives; null where it gets none. */
async function sent(fileUrl: unknown, bound: Bound = {}): Promise<unknown> {
  let seen: unknown = null;
  const createAndPoll = async ({ file }: { file: { url: unknown } }) => {
    seen = file.url;
    return {};
  };
  const documents = { parseRuns: { createAndPoll } } as never;
  const options = { documents, allow: ['documents.parse'], bind: bound, fileHosts: hosts } as const;
  const call = { id: '1', name: 'parse_document', arguments: { fileUrl } };
  const on = await stage({});
  const [result] = await resultsOf(await on.another(options)(requestOf(messageOf([call]))));
  expect(result?.result === undefined).toBe(seen === null);
  return seen;
}

it.each<[unknown, string | null]>([
  ['https://files.example.com/a.pdf?x=1#y', 'https://files.example.com/a.pdf?x=1#y'],
  ['https://FILES.example.com:443', 'https://files.example.com/'],
  ['https://other.example:8443/a.pdf', 'https://other.example:8443/a.pdf'],
  ['https://%66iles.example.com/a', 'https://files.example.com/a'],
  ['https://files\uff0eexample.com/a', 'https://files.example.com/a'],
  ['https://\ufb01les.example.com/a', 'https://files.example.com/a'],
  ['https://files.example.com/b/../a', 'https://files.example.com/a'],
  ['https://files.example.com/b/../a b', null],
  ['https://fi\u00adles.example.com/a', null],
  ['https://files.example.com/a\u0000', null],
  ['https://files.example.com/a%00.pdf', null],
  ['https://files.example.com\\@evil.example/', null],
  ['https://files.example.com/a\tb', null],
  ['https://user@files.example.com/a', null],
  ['https://:pw@files.example.com/a', null],
  ['https://files.example.com:8443/a', null],
  ['https://other.example/a', null],
  ['https://files.example.com./a', null],
  ['https://files.example.com.evil.example/a', null],
  ['https://evil.example/files.example.com', null],
  ['http://files.example.com/a', null],
  ['//files.example.com/a', null],
  [['https://files.example.com/'], null],
])('%j is sent as %j', async (fileUrl, expected) => expect(await sent(fileUrl)).toBe(expected));

it('that the configuration binds is its own business', async () => {
  const fileUrl = 'https://intranet.example/a.pdf';
  expect(await sent(undefined, { fileUrl })).toBe(fileUrl);
});
