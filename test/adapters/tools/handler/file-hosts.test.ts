/** Addresses of files, apart from the schemas that keep the worst of them away before. */
import { describe, expect, it } from 'vitest';
import { fileHostsOf, takeFiles } from '../../../../src/adapters/tools/handler/arguments.js';
import { toolDefinitions } from '../../../../src/adapters/tools/table/definitions.js';

const hosts = fileHostsOf(['files.example.com', 'other.example:8443']);

/** The address that is sent; null where none is. */
function taken(fileUrl: unknown, bound: object = {}, operation = 'documents.parse'): unknown {
  const definition = toolDefinitions[operation];
  if (!definition) throw new Error(operation);
  const values = takeFiles(definition, { fileUrl }, { ...bound }, hosts);
  return values === null ? null : values['fileUrl'];
}

function mayTake(...given: Parameters<typeof taken>): boolean {
  return taken(...given) !== null;
}

describe('an address', () => {
  it('is taken from the hosts that are named', () => {
    for (const url of [
      'https://files.example.com/a.pdf?x=1#y',
      'https://FILES.example.com:443/',
      'https://other.example:8443/a.pdf',
    ]) {
      expect([url, mayTake(url)]).toEqual([url, true]);
      expect([url, mayTake(url, {}, 'documents.workflowRuns.create')]).toEqual([url, true]);
    }
  });

  it('is not taken from any other', () => {
    for (const url of [
      ...['http://files.example.com/a', 'ftp://files.example.com/a', 'javascript:alert(1)'],
      ...['https://user@files.example.com/a', 'https://:pw@files.example.com/a'],
      ...[
        'https://files.example.com:8443/a',
        'https://other.example/a',
        'https://files.example.com./a',
      ],
      ...['https://files.example.com.evil.example/a', 'https://evil.example/files.example.com'],
      ...[
        '//files.example.com/a',
        'files.example.com/a',
        '',
        7,
        null,
        ['https://files.example.com/'],
      ],
    ]) {
      expect([url, mayTake(url)]).toEqual([url, false]);
      expect([url, mayTake(url, {}, 'documents.workflowRuns.create')]).toEqual([url, false]);
    }
  });

  it.each([
    ['https://FILES.example.com:443', 'https://files.example.com/'],
    ['https://%66iles.example.com/a', 'https://files.example.com/a'],
    ['https://files\uff0eexample.com/a', 'https://files.example.com/a'],
    ['https://\ufb01les.example.com/a', 'https://files.example.com/a'],
    ['https://files.example.com/b/../a b', null],
    ['https://files.example.com/b/../a', 'https://files.example.com/a'],
    ['https://fi\u00adles.example.com/a', null],
    ['https://files.example.com/a\u0000', null],
    ['https://files.example.com/a%00.pdf', null],
    ['https://files.example.com\\@evil.example/', null],
    ['https://files.example.com/a\tb', null],
  ])('of %j is sent as it was judged', (fileUrl, sent) => expect(taken(fileUrl)).toBe(sent));

  it('of the configuration is its own business', () => {
    const fileUrl = 'https://intranet.example/a.pdf';
    expect(mayTake(fileUrl, { fileUrl })).toBe(true);
    expect(mayTake(undefined)).toBe(true);
  });
});
