import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fileNameFor, pull } from '../../src/platform/pull.js';
import { isId, type Service } from '../../src/platform/service.js';
import { seed } from '../seed.js';

const anyId = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }).filter(isId),
  fc.constantFrom('a', 'A', 'con', 'CON', 'é', 'e\u0301', '../x', 'a.', '𐐀'.repeat(90)),
);

it('file names are safe, and unique on every file system', () => {
  fc.assert(
    fc.property(fc.uniqueArray(anyId), (ids) => {
      const names = ids.map(fileNameFor);
      for (const name of names) {
        expect(name).toMatch(/^[\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}._-]*$/u);
        expect(name.normalize('NFC')).toBe(name);
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|\.$/i);
        expect(Buffer.byteLength(name)).toBeLessThan(250);
      }
      // One that is a name already names itself alone.
      const all = new Set([...names, ...names.map(fileNameFor)].map((each) => each.toLowerCase()));
      const made = names.filter((name, at) => name !== ids[at]);
      expect(all.size).toBe(ids.length + made.length);
    }),
    { seed, numRuns: 200 },
  );
  const ids = ['6f1c2e90-1b2c-4d5e-8f90-0a1b2c3d4e5f', 'wf_abc.v2'];
  expect(ids.map(fileNameFor)).toEqual(ids);
});

/** The text of a workflow that the server sent as this. */
async function pulled(text: string): Promise<string | undefined> {
  const service = { workflow: async () => text } as unknown as Service;
  for await (const each of pull(['a'], service)) return each.text;
  return undefined;
}

it('JSON is indented without changing its values, unless it is nested too deeply', async () => {
  await fc.assert(
    fc.asyncProperty(fc.json({ stringUnit: 'binary' }), async (text) => {
      const object = { a: JSON.parse(text), b: [] };
      const expected = `${JSON.stringify(object, null, 2)}\n`;
      expect(await pulled(JSON.stringify(object))).toBe(expected);
      expect(await pulled(expected)).toBe(expected);
    }),
    { seed, numRuns: 100 },
  );
  const deep = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(await pulled(deep)).toBe(deep);
  const long = JSON.stringify({ a: 'x"\\'.repeat(100_000) });
  expect((await pulled(long))?.length).toBe(long.length + 6);
});
