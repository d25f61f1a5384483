/** What newcomers give in the place of a workflow: they hear what it is and what to do. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

const { folder, put } = temporaryFolder();

async function squadc(...argv: string[]) {
  const io = fakeIo({ cwd: folder });
  const exitCode = await run(argv, io);
  return { exitCode, out: io.out(), err: io.err() };
}

const workflow = { name: 'Desk', nodes: [{ id: 'a', type: 'conversation' }], edges: [] };
const summary = { totals: {}, workflows: [] };

it.each([
  ['YAML', 'nodes:\n  - id: a\nedges: []\n', 'yq -o json'],
  ['YAML', '# made by hand\n\n---\nname: Desk\n', 'yq -o json'],
  ['a page of a browser', '<!doctype html><title>Desk</title>', 'squadc pull'],
  ['a list of workflows', JSON.stringify([workflow, workflow]), 'squadc migrate'],
  ['the summary of a migration', JSON.stringify(summary), 'squadc report'],
])('%s given as a workflow says so', async (what, text, help) => {
  const { exitCode, out, err } = await squadc('compile', put('given.json', text));
  expect([exitCode, out]).toEqual([1, '']);
  expect(err).toContain(`: This is ${what}, not a workflow.\n --> given.json:1:1\n`);
  expect(err).toMatch(new RegExp(`= help: .*${help}`));
  expect(err).toMatch(/\ninvalid: 1 error\n$/);
});

it('a result given as a workflow says so', async () => {
  const { out } = await squadc('compile', put('desk.json', JSON.stringify(workflow)), '--json');
  const { exitCode, err } = await squadc('graph', put('result.json', out));
  expect(exitCode).toBe(1);
  expect(err).toContain('This is the result of a compilation, not a workflow.');
});

it('an array of something else is still no object', async () => {
  const { err } = await squadc('compile', put('list.json', '[1]'));
  expect(err).toContain('Expected an object, but found a list.');
});

it('makes the folder of an output file', async () => {
  const file = put('desk.json', JSON.stringify(workflow));
  expect((await squadc('compile', file, '-o', 'new/folder/squad.json')).exitCode).toBe(0);
  expect(existsSync(join(folder, 'new/folder/squad.json'))).toBe(true);
});
