import { basename } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pulledFile, pulledSources } from '../../../src/batch/sources/pulled.js';
import { runs, seed } from '../../seed.js';
import { testFolder } from './folder.js';

const { at, put } = testFolder();
const nameOf = (id: string) => basename(pulledFile('pulled', id), '.json');

describe('fetched workflows', () => {
  it('are sources by their ids', () => {
    put('b2.json', '{"id":"b2"}');
    put('a1.json');
    expect(pulledSources(at(), ['b2', 'a1', 'b2', 'gone'])).toEqual({
      sources: [
        { path: at('b2.json'), name: 'pull/b2.json', form: 'document', bytes: 11 },
        { path: at('a1.json'), name: 'pull/a1.json', form: 'document', bytes: 2 },
      ],
      faults: [
        { name: 'pull/gone.json', code: 'batch/missing', message: 'no such file or directory' },
      ],
    });
  });

  it.each([
    ['9f1c2b7e-0000-4000-8000-1234567890ab', '9f1c2b7e-0000-4000-8000-1234567890ab'],
    ['wf_1.v2', 'wf_1.v2'],
    ['Wf', expect.stringMatching(/^_Wf-[0-9a-f]{12}$/)],
    ['con', expect.stringMatching(/^_con-[0-9a-f]{12}$/)],
    ['aux.x', expect.stringMatching(/^_aux\.x-[0-9a-f]{12}$/)],
    ['../../etc/passwd', expect.stringMatching(/^_\.\._\.\._etc_passwd-[0-9a-f]{12}$/)],
    ['', expect.stringMatching(/^_-[0-9a-f]{12}$/)],
    ['a.', expect.stringMatching(/^_a\.-[0-9a-f]{12}$/)],
    ['x'.repeat(10_000), expect.stringMatching(/^_x{50}-[0-9a-f]{12}$/)],
  ])('%s has a safe name', (id, name) => expect(nameOf(id)).toEqual(name));

  it('has a name that no other id has, on any file system', () => {
    const ids = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 70 }),
      fc.stringMatching(/^[aA_.:/-]{0,5}$/),
      fc.constantFrom('con', 'CON', 'nul.json', '..', 'e\u0301', '\u00e9', '\ud800', '\ud801'),
    );
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        expect(nameOf(one)).toMatch(/^(?!(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$))[\w][\w.-]*$/i);
        expect(nameOf(one)).not.toMatch(/\.$/);
        expect(nameOf(one).length).toBeLessThan(70);
        if (one !== other) expect(nameOf(one).toLowerCase()).not.toBe(nameOf(other).toLowerCase());
      }),
      { seed, numRuns: runs(1000) },
    );
  });
});
