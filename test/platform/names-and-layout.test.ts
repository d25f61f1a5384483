import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readAddress } from '../../src/adapters/http/base-address.js';
import { isId, urlOf } from '../../src/platform/base-url.js';
import { findCallers } from '../../src/platform/callers.js';
import { fileNamesFor } from '../../src/platform/file-names.js';
import { compact, laidOut } from '../../src/platform/json-layout.js';
import { withEdits } from '../../src/platform/patch.js';
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

describe('layout of JSON', () => {
  it('changes no value', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(0, 1, '\t'), (text, space) => {
        const spaced = JSON.stringify(JSON.parse(text), null, space);
        expect(compact(spaced)).toBe(JSON.stringify(JSON.parse(text)));
        expect(laidOut(spaced)).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('leaves a text that is nested too deeply, and takes long strings', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(laidOut(deep)).toBe(deep);
    const long = JSON.stringify(['x"\\'.repeat(1_000_000)]);
    expect(compact(long)).toBe(long);
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

  it('keep an id in its segment', () => {
    fc.assert(
      fc.property(anyText.filter(isId), (id) => {
        const { pathname, origin } = new URL(urlOf('https://x/v1', 'workflow', id));
        expect([origin, pathname.split('/').length]).toEqual(['https://x', 4]);
        expect(decodeURIComponent(pathname.slice('/v1/workflow/'.length))).toBe(id);
      }),
      { seed },
    );
  });
});

describe('callers', () => {
  const squadIds = new Map([
    ['a', 'b'],
    ['b', 'c'],
  ]);
  const documents = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('a', 'b', 'z', null, 1),
      tie('array'),
      tie('object'),
    ),
    array: fc.array(tie('value'), { maxLength: 3 }),
    object: fc.dictionary(
      fc.constantFrom('workflowId', 'squadId', 'x', '__proto__'),
      tie('value'),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  })).value;
  const rewritten = (text: string) => withEdits(text, findCallers(text, squadIds).rewrites);

  it('become squads, and a second run changes nothing', () => {
    fc.assert(
      fc.property(documents, fc.constantFrom(0, 2), (document, space) => {
        const text = JSON.stringify(document, null, space);
        const after = rewritten(text);
        expect(JSON.parse(after)).toEqual(expected(JSON.parse(text)));
        expect(rewritten(after)).toBe(after);
      }),
      { seed, numRuns: 1000 },
    );
  });

  /** The same by hand, on the value. */
  function expected(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(expected);
    if (typeof value !== 'object' || value === null) return value;
    const clashes = 'squadId' in value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => {
        const squadId = key === 'workflowId' && !clashes ? squadIds.get(member) : undefined;
        return squadId === undefined ? [key, expected(member)] : ['squadId', squadId];
      }),
    );
  }
});
