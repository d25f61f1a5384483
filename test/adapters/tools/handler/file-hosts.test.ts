/** Addresses of files, apart from the schemas that keep the worst of them away before. */
import { describe, expect, it } from 'vitest';
import { fileHostsOf, mayTakeFiles } from '../../../../src/adapters/tools/handler/file-hosts.js';
import { toolDefinitions } from '../../../../src/adapters/tools/table/definitions.js';

const hosts = fileHostsOf(['files.example.com', 'other.example:8443']);

function mayTake(fileUrl: unknown, bound: object = {}, operation = 'documents.parse'): boolean {
  const definition = toolDefinitions[operation];
  if (!definition) throw new Error(operation);
  return mayTakeFiles(definition, { fileUrl }, { ...bound }, hosts);
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

  it('of the configuration is its own business', () => {
    const fileUrl = 'https://intranet.example/a.pdf';
    expect(mayTake(fileUrl, { fileUrl })).toBe(true);
    expect(mayTake(undefined)).toBe(true);
  });
});
