/** pull ─▶ migrate ─▶ answer ─▶ migrate ─▶ report ─▶ check ─▶ push to two organizations ─▶ numbers ─▶ rollback */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { here } from '../batch/migrating.js';
import { fakeTerminal, keys } from './answering.js';
import { temporaryFolder } from './fake-io.js';
import { prodKey, secret, startJourneyPlatform } from './platform-server.js';

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
  const env = { API_KEY: secret, PROD_KEY: prodKey, VAPI_URL: platform.baseUrl };
  const given = { env, threads: here(), terminal };

  /** Runs a command line, and looks for what it says; gives all of that. */
  async function run(line: string, exitCode: number, says: string) {
    const ended = await squadc(line, { ...given, isTTY: line.startsWith('answer') });
    expect([line, ended.exitCode], ended.err).toEqual([line, exitCode]);
    for (const key of [secret, prodKey]) expect(ended.out + ended.err).not.toContain(key);
    expect(ended.out + ended.err).toContain(says);
  }

  put('app/start.js', "calls.create({ workflowId: 'wf-clinic', customer });\n");
  put('app/night.json', '{ "workflowId": "wf-garage" }\n');
  put(
    'squadc.config.json',
    `{ // The team's.
      "target": "vapi", "answers": "answers.json",
      "environments": {
        "dev": { "keyEnv": "API_KEY", "baseUrlEnv": "VAPI_URL" },
        "prod": { "keyEnv": "PROD_KEY", "baseUrlEnv": "VAPI_URL" } } }`,
  );
  await run('pull --all --env dev -o workflows', 0, '2 of 2 workflows written');
  await run('assess workflows', 2, '2 workflows');
  const migrate = 'migrate workflows -o out';
  await run(migrate, 2, '2 with open questions\n3 questions');
  await run('answer out', 0, '3 questions answered, 0 skipped, 0 left');
  expect(terminal.left()).toEqual([]);
  await run(migrate, 0, '2 complete\n');
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

  const files = made.map((name) => `out/${name}/squad.json`).join(' ');
  const push = `push ${files} --env dev`;
  await run(push, 0, 'Dry run: nothing was sent.');
  expect(squads()).toEqual([]);
  await run(`${push} --yes`, 0, '2 of 2 squads up to date');
  expect(squads().map(({ name }) => name)).toEqual(['Clinic desk', 'Garage desk']);

  await run(`scenarios workflows/wf-clinic.json --format markdown -o calls.md`, 0, 'complete: ');
  const live = `push ${files} --saved --env prod`;
  await run(`${live} --yes`, 0, '2 of 2 squads up to date; journal: squadc-journal.prod.jsonl');
  const numbers = () => ['pn-1', 'pn-2'].map((id) => platform.prod.get(`phone-number/${id}`)!);
  const moved = () => numbers().map(({ squadId }) => squadId);
  await run(`${live} --numbers --only +12025550101 --yes`, 0, '+12025550101 (pn-1) now uses squad');
  expect(moved()).toEqual([expect.any(String), undefined]);
  await run(`${live} --numbers --yes`, 0, '1 of 1 phone numbers');
  expect(new Set(moved()).size).toBe(2);

  const callers = 'callers app --journal squadc-journal.dev.jsonl';
  await run(callers, 1, '-calls.create({ workflowId:');
  await run(`${callers} --write`, 0, '2 places rewritten in 2 files');
  expect(read('app/start.js')).toContain(`squadId: '${idOf('Clinic desk')}'`);
  expect(JSON.parse(read('app/night.json'))).toEqual({ squadId: idOf('Garage desk') });

  await run('rollback --env prod --only +12025550101 --yes', 0, '1 of 1 undone');
  expect(numbers()[0]).toMatchObject({ workflowId: 'wf-clinic', squadId: null });
  await run('rollback --env prod --yes', 0, 'names workflow wf-garage again');
  expect([...platform.prod.keys()]).toEqual(['phone-number/pn-1', 'phone-number/pn-2']);
  await run('rollback --env dev', 0, '2 squads to undo');
  await run('rollback --env dev --yes', 0, '2 of 2 undone');
  expect(squads()).toEqual([]);
  await run('rollback --env dev --yes', 0, 'nothing to undo');
});
