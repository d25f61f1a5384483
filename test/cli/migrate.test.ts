/** squadc migrate, assess and report, as far as the commands go; what a run does is in test/batch. */
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { workflowKey } from '../../src/batch/key.js';
import { openProgress } from '../../src/cli/output/terminal.js';
import { renderSummaryCsv } from '../../src/report/summary-csv.js';
import { here, lines, rowsOf, tree, workflow } from '../batch/migrating.js';
import { schemaFaults } from '../json.js';
import { hostileTexts } from '../report/example-run.js';
import { fakeIo, has, plain, type Surroundings, temporaryFolder, transcript } from './fake-io.js';

const root = temporaryFolder();
let tests = 0;
beforeEach(() => {
  tests += 1;
});

/** A path in the folder of this test. */
const at = (path = '') => join(root.folder, `${tests}`, path);
const put = (path: string, content: string | object) => root.put(`${tests}/${path}`, content);
const read = (path: string) => root.read(`${tests}/${path}`);
const squadc = (line: string | readonly string[], given: Surroundings = {}) =>
  root.squadc(line, { cwd: at(), threads: here(), ...given });
const folderOf = (name: string) => rowsOf(at('out')).find((row) => row.name === name)!.folder;
const threads = here();

describe('squadc migrate', () => {
  const one = { 'One.json': workflow('One') };
  for (const [folder, files] of Object.entries({
    one,
    open: { ...one, 'Two.json': workflow('Two', 'open') },
    broken: { ...one, 'Two.json': workflow('Two', 'broken') },
    evil: { '\u001b[31mred\u202e.json': '{' },
  })) {
    for (const [name, content] of Object.entries(files)) root.put(`${folder}/${name}`, content);
  }
  root.put('a.json', workflow('A'));
  const broken = Array.from({ length: 12 }, (_, id) => ({
    ...workflow('W', 'broken'),
    id: `${id}`,
  }));
  root.put('many/all.jsonl', lines(...broken));
  const misspelt = { answers: { 'mising-auth:x': { choice: 'none' } } };
  root.put('odd.json', {
    workflows: { [workflowKey('one/One.json', workflow('One'), null)]: misspelt },
  });
  transcript(
    root,
    `
    migrate one -o out => 0 1 complete…1 workflow in out, the summary in out/summary.html
    migrate one -o it's --no-report => 0 the summary in it's/summary.md…squadc report 'it'\\''s'
    migrate open -o out => 2 1 complete…1 with open questions…1 question: 1 undefined-variable
      | 2 workflows in out, the summary in out/summary.html…next: squadc answer out
    migrate open -o part --shard 1/2 => 2 next: squadc report part, once all shards are done, writes
    migrate broken -o out => 1 1 invalid…2 workflows in out, the summary in out/summary.html
      | broken/Two.json:1:148: flow/missing-node: This edge leads to “nowhere”, but no node has
      | all errors: in out/summary.sarif, and on the pages that the summary links to
      | next: correct what is listed above, and run the command again
    migrate broken -o out --no-report => 1 all errors: in out/summary.sarif
    migrate many -o out --no-report => 1 many/all.jsonl:1: flow/missing-node
      | many/all.jsonl:10: flow/missing-node…… and 2 more (--verbose lists all)
    migrate many -o out --no-report --verbose => 1 many/all.jsonl:12: flow/missing-node
    migrate one -o own --answers odd.json => 0
      | one/One.json: api/stale-answer: warning: There is an answer to “mising-auth:x”, but
    migrate broken -o out --no-report --json => 1 > "workflows":[
      | broken/Two.json:1:148: flow/missing-node: This edge leads to…1 complete…1 invalid
      | next: correct what is listed above, and run the command again
    migrate one -o out --json => 0 > "workflows":[
      | 1 complete…1 workflow in out, the summary in out/summary.html
    migrate evil -o out --json => 1 > "workflows":[
      | red\\u202e.json:1:2: shape/not-json: 
    migrate evil -o out => 1 1 workflow in out
    migrate a.json -o . => 0 . also holds sources, such as a.json
    migrate one -o one => 74 batch/empty: one: it is in the output folder; choose another one
    migrate one/*.json -o one => 74 batch/missing: one/*.json: it is in the output folder
    migrate -o out => 64 missing required argument 'sources'
    migrate a.json -o out --shard 3/2 => 64 Expected i/n, with i from 1 to n.
    migrate a.json -o out --jobs 0 => 64 Expected a whole number from 1 to 256.
    migrate a.json -o out --policy missing-auth=x => 1 --> --policy missing-auth
    migrate no\u001bne -o out => 74 batch/missing: no\\u001bne:
    assess open => 2 > B 1
    assess --json --csv a.json => 64 option '--csv' cannot be used with
    assess a.json --target vapi --answers gone.json => 1 cannot read gone.json
    assess a.json --policy missing-auth=nobody --accept-proposals => 1 nobody
    report no => 1 squadc: no is not an output folder: there is no summary.json
      | help: Pass the output folder of squadc migrate.`,
    { threads },
  );

  it('removes outdated pages, and keeps those that somebody has changed', async () => {
    for (const name of ['One', 'Two']) put(`in/${name}.json`, workflow(name));
    await squadc('migrate in -o out');
    const [kept, gone] = ['One', 'Two'].map((name) => `${folderOf(name)}/report.html`);
    put(`out/${kept}`, 'mine');
    for (const name of ['One', 'Two']) put(`in/${name}.json`, { ...workflow(name), warns: 'of' });
    const { err } = await squadc('migrate in -o out --no-report');
    expect(err.match(/^.*outdated.*$/gm)?.sort()).toEqual([
      `outdated, but kept because it was changed: ${kept}`,
      'removed because it is outdated: summary.html',
      `removed because it is outdated: ${gone}`,
    ]);
    expect(read(`out/${kept}`)).toBe('mine');
    for (const path of ['summary.html', gone]) expect(existsSync(at(`out/${path}`))).toBe(false);
  });

  it('shows with --diff what a run would change, and changes nothing', async () => {
    const give = (name: string, kind?: 'open', more: object = {}) =>
      put(`in/${name}.json`, { ...workflow(name, kind), ...more });
    for (const name of ['Alpha', 'Beta', 'Delta']) give(name);
    expect((await squadc('migrate in -o out --diff')).exitCode).toBe(0);
    expect(existsSync(at('out'))).toBe(false);
    await squadc('migrate in -o out');
    const before = tree(at('out'));
    const [alpha, beta, delta] = ['Alpha', 'Beta', 'Delta'].map(folderOf);
    give('Alpha', 'open');
    give('Beta', undefined, { globalPrompt: 'Be kind.' });
    give('Gamma');
    // Touched, it is looked at again.
    utimesSync(at(`out/${delta}/squad.json`), 1, 1);
    const { out, err } = await squadc('migrate in -o out --diff');
    expect(err).toContain(`would be removed because it is outdated: ${alpha}/squad.json\n`);
    expect(err).toMatch(/^new: gamma-[0-9a-f]{8}\/squad\.json$/m);
    expect(err).not.toContain(delta);
    expect(out.match(/^--- .*$/gm)).toEqual([`--- a/${beta}/squad.json`]);
    expect(out).toMatch(/^\+.*Be kind\./m);
    expect(tree(at('out'))).toEqual(before);
  });
});

describe('squadc assess', () => {
  it('shows the totals, and the workflows with the most work first', async () => {
    put('in/one.json', workflow('Fine'));
    put('in/z.json', workflow('Broken', 'broken'));
    put('in/more.jsonl', lines(workflow('Open', 'open'), { ...workflow('x', 'open'), name: ' ' }));
    const before = readdirSync(at(), { recursive: true });
    const { exitCode, out, err } = await squadc('assess in');
    expect([exitCode, err]).toEqual([1, '']);
    expect(out).toBe(
      `4 workflows
  6 nodes → 3 assistants
  A 1 automatic, B 2 answers needed, C 1 work needed
  1 invalid
  open questions: 2 undefined-variable
  about 55 min of manual work

level    min  nodes  assistants  open  err  warn  workflow
   C1     20      0           0     0    1     0  Broken
   B1     15      2           1     1    0     0  Open
   B1     15      2           1     1    0     0  in/more.jsonl:2
   A1      5      2           1     0    0     0  Fine
`,
    );
    const onInterrupt = (stop: () => void) => {
      stop();
      return () => {};
    };
    const stopped = { exitCode: 130, out: '', err: has('stopped; nothing was written\n') };
    expect(await squadc('assess in', { onInterrupt })).toEqual(stopped);
    expect(readdirSync(at(), { recursive: true })).toEqual(before);
  });

  it('lists at most 200, on a line each, or all as JSON or a table', async () => {
    const names = [...hostileTexts, ...Array.from({ length: 200 }, (_, index) => `w${index}`)];
    put('flows.jsonl', lines(...names.map((name) => ({ ...workflow('a', 'open'), name }))));
    const { out } = await squadc('assess flows.jsonl');
    expect(out).toMatch(plain);
    expect(out).toContain(`\n… and ${names.length - 200} more with less work (--csv lists all)\n`);
    expect(out.match(/^ +[BC]\d .*$/gm)).toHaveLength(200);
    put('few.jsonl', lines(workflow('One'), workflow('Two', 'open')));
    const summary = JSON.parse((await squadc('assess few.jsonl --json --target vapi')).out);
    expect([summary.workflows.length, summary.options.target]).toEqual([2, 'vapi']);
    expect(schemaFaults('run-summary', summary)).toEqual([]);
    const csv = await squadc('assess few.jsonl --csv --target vapi');
    expect(csv.out).toBe([...renderSummaryCsv(summary.workflows)].join(''));
  });
});

it('progress is said every five seconds where there is no terminal', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const io = fakeIo();
  const progress = openProgress(100, 'pages', io);
  vi.advanceTimersByTime(5000);
  progress.update(4, 0);
  vi.advanceTimersByTime(1000);
  progress.update(20, 1);
  progress.stop();
  // Too little is done at first for an estimate.
  expect(io.err()).toBe('4/100 pages\n20/100 pages, 1 failed, 24s left\n');
});
