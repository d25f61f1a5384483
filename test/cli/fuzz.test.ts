/** squadc fuzz, with laws of its own; the laws themselves are in test/laws. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { SpecWorkflow } from '../../src/testing.js';
import { has, plain, temporaryFolder, transcript } from './fake-io.js';

const given = temporaryFolder();
const { folder, put, read, squadc } = given;
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

const usual = 'fuzz --runs 100 --seed 7';

it('shrinks a failure and writes it to a file, the same each time, which can be replayed', async () => {
  const { exitCode, out } = await squadc(`${usual} --out found`);
  expect([exitCode, out]).toEqual([1, expect.stringMatching(/: 2 laws failed\n$/)]);
  expect(out).toContain('\\u001b[31mxxx');
  expect(out).toMatch(plain);
  const names = ['squadc-fuzz-fewGlobals-7.json', 'squadc-fuzz-noEdges-7.json'];
  expect(readdirSync(join(folder, 'found'))).toEqual(names);
  const { workflow, ...found } = JSON.parse(read(`found/${names[1]}`));
  // One shape is left, and no shape has more edges.
  expect(workflow.edges.length).toBeLessThanOrEqual(4);
  expect(found).toMatchObject({ law: 'noEdges', message: has('an edge:'), squadc: has('.') });
  const again = await squadc(`${usual} --out again`);
  expect(again.out).toBe(out.replaceAll('found/', 'again/'));
  for (const name of names) {
    expect(out).toContain(`squadc fuzz --replay found/${name}\n`);
    expect(read(`again/${name}`)).toBe(read(`found/${name}`));
  }
  const replay = `fuzz --replay found/${names[1]}`;
  const failed = has('noEdges fails:\nan edge:\n\\u001b[31mxxx');
  expect(await squadc(replay)).toEqual({ exitCode: 1, out: failed, err: '' });
  repaired.current = true;
  expect(await squadc(replay)).toEqual({ exitCode: 0, out: 'noEdges holds\n', err: '' });
  repaired.current = false;
});

put('cut.json', '{');
put('none.json', '{"law":"noEdges","workflow":null,"options":{}}');
put('other.json', '{"law":"constructor","workflow":{},"options":{}}');
const others = ['cut', 'none', 'other'].map(
  (name) => `
  fuzz --replay ${name}.json => 1 was not written by this version of squadc fuzz
    | help: Pass a file that squadc fuzz wrote`,
);
const runs = `
  fuzz --runs 100 --seed 7 --laws holds => 0 > 100 runs of 1 law, seed 7: no law failed
  fuzz --runs 100 --seed 2 --laws fewGlobals,holds => 1 > fewGlobals failed in run 23:
  fuzz --runs 0 => 64 option '--runs <number>' argument '0' is invalid
  fuzz --laws , => 64 Expected names separated by commas.
  fuzz --laws noEdgs => 64 unknown law 'noEdgs'…(Did you mean noEdges?)
  fuzz --replay x --runs 3 => 64 '--replay <file>' cannot be used with option '--runs`;
transcript(given, runs + others.join(''));
