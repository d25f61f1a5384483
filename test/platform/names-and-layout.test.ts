import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../src/adapters/http/request.js';
import { fileNamesFor, pull, toolIdsIn } from '../../src/platform/pull.js';
import { isId, type Service } from '../../src/platform/service.js';
import { seed } from '../seed.js';

const anyText = fc.string({ unit: 'binary', maxLength: 20 });

describe('file names', () => {
  it('are safe, differ on every file system, and do not depend on the order', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.oneof(anyText.filter(isId), fc.constantFrom('a', 'A', 'con', '../x', '𐐀'.repeat(90))),
        ),
        (ids) => {
          const names = fileNamesFor(ids);
          for (const name of names.values()) {
            expect(name).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u);
            expect(name.normalize('NFC')).toBe(name);
            expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$/i);
            expect(Buffer.byteLength(name)).toBeLessThan(250);
          }
          expect(new Set([...names.values()].map((each) => each.toLowerCase())).size).toBe(
            ids.length,
          );
          expect(new Map([...fileNamesFor([...ids].reverse())].reverse())).toEqual(names);
        },
      ),
      { seed, numRuns: 500 },
    );
  });

  it('are the ids where those are safe', () => {
    const ids = ['6f1c2e90-1b2c', 'wf_ABC.v2', 'é'];
    expect([...fileNamesFor(ids).values()]).toEqual(ids);
  });
});

/** The text of a workflow that the server sent as this. */
async function pulled(text: string): Promise<string | undefined> {
  const service = { workflow: async () => text } as unknown as Service;
  for await (const each of pull(['a'], service)) return each.text;
  return undefined;
}

describe('layout of JSON', () => {
  it('changes no value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ stringUnit: 'binary' }), async (text) => {
        const object = { a: JSON.parse(text), b: [] };
        const expected = `${JSON.stringify(object, null, 2)}\n`;
        expect(await pulled(JSON.stringify(object))).toBe(expected);
        expect(await pulled(expected)).toBe(expected);
      }),
      { seed, numRuns: 300 },
    );
  });

  it('leaves a text that is nested too deeply, and takes long strings', async () => {
    const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(await pulled(deep)).toBe(deep);
    const long = JSON.stringify({ a: 'x"\\'.repeat(1_000_000) });
    expect((await pulled(long))?.length).toBe(long.length + 6);
  });
});

describe('ids of tools', () => {
  it('are found wherever they stand, and in no text', () => {
    const document = { toolId: 'a', b: [{ toolIds: ['c', 'a', 1, '..'] }], d: '"toolId":"e"' };
    expect(toolIdsIn(JSON.stringify(document))).toEqual(['a', 'c']);
    expect(toolIdsIn(JSON.stringify(document, null, 2))).toEqual(['a', 'c']);
  });
});

describe('addresses', () => {
  it.each([
    ['https://x.example/', 'https://x.example'],
    ['https://x.example/a/b//', 'https://x.example/a/b'],
    ['http://localhost:8080', 'http://localhost:8080'],
    ['http://[::1]/', 'http://[::1]'],
    ['x.example', { fault: 'no-url' }],
    ['ftp://x', { fault: 'scheme' }],
    ['https://u@x', { fault: 'credentials' }],
    ['https://x?a', { fault: 'query' }],
    ['https://x#a', { fault: 'query' }],
    ['http://127.1:80', 'http://127.0.0.1'],
    ['http://localhost.example', { fault: 'plain' }],
  ])('%s', (text, url) => {
    const read = readAddress(text);
    expect('fault' in read ? read : `${read.origin}${read.path}`).toEqual(url);
  });
});
