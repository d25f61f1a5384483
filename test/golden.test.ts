/**
 * Golden cases: golden/<case>/ holds a workflow and what is expected of it.
 *
 * `npm run golden:update` writes the expected files anew. An expectation is a claim that the
 * output is right: read the difference before it is committed.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../src/index.js';
import { listFolders, listStrayFiles, readCase } from './golden/cases.js';
import { compareFiles, wantsUpdate, writeFiles } from './golden/compare.js';
import { expectedFiles, listUnknownGroupings } from './golden/expected.js';
import {
  ignoresOrder,
  isDeterministic,
  isValid,
  keepsItsInput,
  namesRealPlaces,
  pointsAtItsInput,
} from './golden/laws.js';
import { runs, seed } from './seed.js';

const update = wantsUpdate(process.env);
const folders = listFolders();

describe.each(folders)('golden/%s', (name) => {
  const golden = readCase(name);
  if (golden === null) {
    it('has an input', () => expect.unreachable('the folder has neither input.json nor input.txt'));
    return;
  }
  const { reading, options } = golden;

  it('gives what is expected', () => {
    const files = expectedFiles(golden);
    const folder = `${golden.folder}/expected`;
    if (update) writeFiles(folder, files);
    compareFiles(folder, files);
  });

  it('is one small input', () => {
    expect(listStrayFiles(name)).toEqual([]);
    expect(reading.diagnostics.length > 0).toBe(golden.input === 'input.txt');
    expect(golden.lines).toBeLessThan(60);
  });

  if (golden.input === 'input.txt') return;

  it('keeps the laws of every case', () => {
    const result = compile(reading.workflow, options);
    isValid(golden, result);
    namesRealPlaces(golden, result);
    pointsAtItsInput(golden, result);
    keepsItsInput(golden);
    isDeterministic(golden);
  });

  it('does not depend on order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 40 }), (numbers) => {
        ignoresOrder(golden, numbers);
      }),
      { seed, numRuns: runs(20) },
    );
  });
});

describe('the golden suite', () => {
  it('knows the cases that it shows the regions of', () => {
    expect(listUnknownGroupings(folders)).toEqual([]);
  });

  it('refuses to update in CI', () => {
    expect(wantsUpdate({ UPDATE_GOLDENS: '1' })).toBe(true);
    expect(wantsUpdate({ UPDATE_GOLDENS: '0', CI: 'true' })).toBe(false);
    expect(() => wantsUpdate({ UPDATE_GOLDENS: '1', CI: 'true' })).toThrow(/refused in CI/);
  });
});
