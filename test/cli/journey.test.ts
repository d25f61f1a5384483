/** pull ─▶ migrate ─▶ answer ─▶ migrate ─▶ report ─▶ check ─▶ push ─▶ callers ─▶ rollback */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { here } from '../batch/migrating.js';
import { fakeTerminal, keys } from './answering.js';
import { temporaryFolder } from './fake-io.js';
import { secret, startJourneyPlatform } from './platform-server.js';

const { folder, put, read, squadc } = temporaryFolder();

it('a team moves two workflows from the platform, and takes all of it back', async () => {
  const platform = await startJourneyPlatform();
  onTestFinished(() => platform.close());
  const squads = () => [...platform.held.values()].filter((each) => 'members' in each);
  const idOf = (name: string) => squads().find((squad) => squad['name'] === name)?.['id'];
  const terminal = fakeTerminal([
    ['Report them after the call', keys.enter],
    // The proposal is the nearest name there is.
    ['proposed: “customer_name”', keys.enter],
    ['The name of a variable', keys.enter],
    ['Report them after the call', keys.enter],
  ]);
  const given = { env: { API_KEY: secret }, threads: here(), terminal };

  /** Runs a command line, and looks for what it says; gives all of that. */
  async function run(line: string, exitCode: number, says: string) {
    const ended = await squadc(line, { ...given, isTTY: line.startsWith('answer') });
    expect([line, ended.exitCode], ended.err).toEqual([line, exitCode]);
    expect(ended.out + ended.err).not.toContain(secret);
    expect(ended.out + ended.err).toContain(says);
  }

  put('app/start.js', "calls.create({ workflowId: 'wf-clinic', customer });\n");
  put('app/night.json', '{ "workflowId": "wf-garage" }\n');
  const there = `--base-url ${platform.baseUrl} --key-env API_KEY`;
  await run(`pull wf-clinic wf-garage ${there} -o workflows`, 0, '2 of 2 workflows written');
  const migrate = 'migrate workflows -o out --target vapi';
  await run(migrate, 2, '2 with open questions\n3 questions');
  await run('answer out', 0, '3 questions answered, 0 skipped, 0 left');
  expect(terminal.left()).toEqual([]);
  await run(`${migrate} --answers out/answers.json`, 0, '2 complete\n');
  await run('report out', 0, '2 pages of workflows');

  const names = readdirSync(join(folder, 'out'));
  const made = names.filter((name) => existsSync(join(folder, 'out', name, 'result.json')));
  expect(read('out/summary.html')).toContain(`${made[0]}/report.html`);
  for (const name of made.map((each) => `out/${each}`)) {
    expect(read(`${name}/report.html`)).toContain('<!doctype html>');
    const { source } = JSON.parse(read(`${name}/result.json`));
    const result = `--result ${name}/result.json`;
    await run(`check ${source} ${name}/squad.json ${result}`, 0, 'holds: 9 items');
  }

  const push = `push ${made.map((name) => `out/${name}/squad.json`).join(' ')} ${there}`;
  await run(push, 0, 'nothing was sent');
  expect(squads()).toEqual([]);
  await run(`${push} --yes`, 0, '2 of 2 squads are there');
  expect(squads().map(({ name }) => name)).toEqual(['Clinic desk', 'Garage desk']);

  const callers = 'callers app --journal squadc-journal.jsonl';
  await run(callers, 1, '-calls.create({ workflowId:');
  await run(`${callers} --write`, 0, '2 places rewritten in 2 files');
  expect(read('app/start.js')).toContain(`squadId: '${idOf('Clinic desk')}'`);
  expect(JSON.parse(read('app/night.json'))).toEqual({ squadId: idOf('Garage desk') });

  await run('rollback --key-env API_KEY', 0, '2 squads to undo');
  await run('rollback --key-env API_KEY --yes', 0, '2 of 2 undone');
  expect(squads()).toEqual([]);
  await run('rollback --key-env API_KEY --yes', 0, 'nothing to undo');
});
