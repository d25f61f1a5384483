/** squadc fuzz, with laws of its own; the laws themselves are in test/laws. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { SpecWorkflow } from '../../src/testing.js';
import { has, type Surroundings, temporaryFolder } from './fake-io.js';

const { folder, put, read, squadc } = temporaryFolder();
const repaired = vi.hoisted(() => ({ current: false }));

/** Laws about the workflows themselves, so that it is known which workflows break them. */
vi.mock('../../src/testing.js', async (original) => {
  const actual = await original<typeof import('../../src/testing.js')>();
  const laws = {
    holds: () => {},
    noEdges: ({ edges }: SpecWorkflow) => {
      if (edges.length > 0 && !repaired.current)
        throw new Error(`an edge:\n\u001b[31m${'x'.repeat(500)}`);
    },
    fewGlobals: ({ nodes }: SpecWorkflow) => {
      if (nodes.filter(({ isGlobal }) => isGlobal).length > 1) throw new Error('two globals');
    },
  };
  return { ...actual, laws };
});

const fuzz = (flags: string, given?: Surroundings) => squadc(`fuzz ${flags}`, given);
const usual = '--runs 100 --seed 7';

it('exits 0 where all laws hold', async () => {
  const out = '100 runs of 1 law, seed 7: no law failed\n';
  expect(await fuzz(`${usual} --laws holds`)).toEqual({ exitCode: 0, out, err: '' });
});

it('makes a failure small and writes it to a file, the same each time, to be tried again', async () => {
  const { exitCode, out } = await fuzz(`${usual} --out found`);
  expect([exitCode, out]).toEqual([1, expect.stringMatching(/: 2 laws failed\n$/)]);
  expect(out).toContain('\\u001b[31mxxx');
  expect(out).not.toContain('\u001b');
  const names = ['squadc-fuzz-fewGlobals-7.json', 'squadc-fuzz-noEdges-7.json'];
  expect(readdirSync(join(folder, 'found'))).toEqual(names);
  const { workflow, ...found } = JSON.parse(read(`found/${names[1]}`));
  // One shape is left, and no shape has more edges.
  expect(workflow.edges.length).toBeLessThanOrEqual(4);
  expect(found).toMatchObject({ law: 'noEdges', message: has('an edge:'), squadc: has('.') });
  const again = await fuzz(`${usual} --out again`);
  expect(again.out).toBe(out.replaceAll('found/', 'again/'));
  for (const name of names) {
    expect(out).toContain(`squadc fuzz --replay found/${name}\n`);
    expect(read(`again/${name}`)).toBe(read(`found/${name}`));
  }
  const fails = expect.stringMatching(/^noEdges fails:\nan edge:\n\\u001b\[31mx+\n$/);
  expect(await fuzz(`--replay found/${names[1]}`)).toEqual({ exitCode: 1, out: fails, err: '' });
  repaired.current = true;
  const holds = { exitCode: 0, out: 'noEdges holds\n', err: '' };
  expect(await fuzz(`--replay found/${names[1]}`)).toEqual(holds);
  repaired.current = false;
});

it('tries the laws that it is told to, and makes other runs with another seed', async () => {
  const failed = async (seed: number) => {
    const { exitCode, out } = await fuzz(`--seed ${seed} --runs 100 --laws fewGlobals,holds`);
    expect([exitCode, out]).toEqual([1, expect.not.stringContaining('noEdges')]);
    return out.match(/failed in run \d+/)?.[0];
  };
  expect(await failed(1)).not.toBe(await failed(2));
});

it('ends with what was done so far where it is stopped', async () => {
  const onInterrupt = (stop: () => void) => {
    setTimeout(stop, 100);
    return () => {};
  };
  const { exitCode, out } = await fuzz('--runs 100000 --seed 7', { onInterrupt });
  expect(exitCode).toBe(1);
  expect(out).toMatch(/^stopped after \d+ runs, seed 7: no law failed\n$/);
});

it.each([
  ['{', 'was not written by squadc fuzz\n  help: Pass a file that squadc fuzz wrote'],
  ['[]', 'was not written by squadc fuzz'],
  ['{"law":"noEdges","workflow":null,"options":{}}', 'was not written by squadc fuzz'],
  ['{"law":"constructor","workflow":{},"options":{}}', "the law 'constructor' no longer exists"],
])('does not replay another file: %s', async (text, message) => {
  const ran = await fuzz(`--replay ${put('other.json', text)}`);
  expect(ran).toMatchObject({ exitCode: 1, err: has(message) });
});

it.each([
  ['--runs 0', "option '--runs <number>' argument '0' is invalid"],
  ['--seed -1', "option '--seed <number>' argument '-1' is invalid"],
  ['--laws ,', 'Expected names with commas between them.'],
  ['--laws noEdgs', "unknown law 'noEdgs'\n(Did you mean noEdges?)"],
  ['--laws x', '\n(laws: holds, noEdges, fewGlobals)'],
  ['--replay x --runs 3', "option '--replay <file>' cannot be used with option '--runs"],
])('checks its arguments: %s', async (flags, message) => {
  expect(await fuzz(flags)).toMatchObject({ exitCode: 64, err: has(message) });
});
