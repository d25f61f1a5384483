/** The binary as a process, bundled as the build does it: pipes, terminals, signals, a whole way. */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtMigrate } from '../batch/built-migrate.js';
import { goldenText } from '../report/example-run.js';
import { hasScript, inTerminal, keys, pick, type Step, writeRun } from './answering.js';
import { has, sendCalls } from './fake-io.js';
import { secret, startJourneyPlatform } from './platform-server.js';

const { at, binary, squadc, squadcAfter } = builtMigrate();
const read = (path: string) => readFileSync(at(path), 'utf8');
const json = (path: string) => JSON.parse(read(path));
const answer = (args: string, steps: readonly Step[], env: Record<string, string> = {}) =>
  inTerminal({ binary, folder: at() }, `answer ${args}`, steps, env);

describe('the binary', () => {
  it('compiles standard input into a file, and exits as the command does', async () => {
    expect(readFileSync(binary, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    writeFileSync(at('in.json'), goldenText('worked-pattern'));
    const made = await squadcAfter('exec < in.json', 'compile', '-', '-o', 'squad.json');
    expect(made).toMatchObject({ code: 0, out: '', err: has('complete: ') });
    expect(json('squad.json').squad.members.length).toBeGreaterThan(1);
    writeFileSync(at('in.json'), '{\n  "nodes": [,]\n}');
    const broken = await squadcAfter('exec < in.json', 'compile', '-');
    expect(broken).toMatchObject({ code: 1, out: '', err: has('--> standard input:2:13\n') });
    expect(await squadc('compile')).toMatchObject({ code: 64, out: '' });
  });

  it('ends quietly where nobody reads on', async () => {
    const ended = await squadcAfter('exec > >(exit 0); sleep 0.2', 'schema', 'squad');
    expect(ended).toMatchObject({ code: 0, err: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('exits 1 where the output is full', async () => {
    const ended = await squadcAfter('exec > /dev/full', 'schema', 'squad');
    expect(ended).toMatchObject({ code: 1, err: has('squadc: cannot write: ENOSPC') });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'finishes at a %s what was begun, and takes nothing new',
    async (signal) => {
      const waiting: ServerResponse[] = [];
      const bills = createServer((_, response) => void waiting.push(response));
      bills.listen(0, '127.0.0.1');
      onTestFinished(() => {
        bills.close();
        bills.closeAllConnections();
      });
      await expect.poll(() => bills.listening).toBe(true);
      const baseUrl = `http://127.0.0.1:${(bills.address() as AddressInfo).port}`;
      const config = {
        bills: { baseUrl, apiKeyEnv: 'KEY' },
        allow: ['bills.get'],
        bind: { entry: 'shop' },
      };
      writeFileSync(at('serve.json'), JSON.stringify(config));
      const argv = [binary, 'serve', '--port', '0', '--config', 'serve.json'];
      const child = spawn(process.execPath, argv, { cwd: at(), env: { KEY: 'hidden-word' } });
      onTestFinished(() => void child.kill('SIGKILL'));
      let [out, err] = ['', ''];
      child.stdout.on('data', (piece) => {
        out += piece;
      });
      child.stderr.on('data', (piece) => {
        err += piece;
      });
      const exitCode = new Promise((resolve) => child.once('close', resolve));
      await expect.poll(() => err).toContain('Press Ctrl-C to stop.');
      const url = /^tools +(http:\S+)$/m.exec(err)?.[1] ?? '';
      const call = sendCalls(url, [{ id: '1', name: 'get_bill', arguments: { idBill: 1 } }]);
      await expect.poll(() => waiting.length).toBe(1);
      child.kill(signal);
      const health = () => fetch(`${url}/health`).then(String, () => 'refused');
      await expect.poll(health).toBe('refused');
      const bill = { PaypointEntryname: 'shop', BillNumber: 'B-1' };
      const body = JSON.stringify({ responseData: bill, isSuccess: true });
      for (const each of waiting) each.setHeader('content-type', 'application/json').end(body);
      expect((await call)[0]?.result).toContain('Bill number B-1');
      expect(await exitCode).toBe(0);
      expect(JSON.parse(out)).toMatchObject({ event: 'call', tool: 'get_bill', outcome: 'done' });
      expect(out).not.toContain('hidden-word');
    },
    30_000,
  );
});

describe.skipIf(!hasScript)('in a terminal (skipped without util-linux script)', () => {
  it('answer asks, saves and ends at Ctrl-C and Ctrl-D; behind a pipe is no terminal', async () => {
    const key = 'moving-company-0a1b2c3d';
    const asks = 'What should happen?';
    writeRun(at(), [{ key, text: goldenText('saved-answers-with-a-policy') }]);
    const first = await answer('out --answers a.json', [
      [asks, ...pick(0)],
      ['A phone number', '+4930123456', keys.enter],
      [asks, ...pick(1)],
      ['header:', keys.ctrlC],
    ]);
    expect([first.code, first.screen]).toEqual([2, has('1 question answered, 0 skipped, 2 left')]);
    expect(first.screen).toContain('\u001b[36m');
    // The cursor is shown again.
    const [hidden, shown] = ['\u001b[?25l', '\u001b[?25h'].map((each) =>
      first.screen.lastIndexOf(each),
    );
    expect(shown).toBeGreaterThan(hidden!);
    const saved = { choice: 'number', value: '+4930123456', subject: expect.any(String) };
    expect(json('a.json').workflows[key].answers).toEqual({ 'missing-destination:planner': saved });
    const second = await answer('out', [[asks, keys.ctrlD]], { NO_COLOR: '1' });
    expect([second.code, second.screen]).toEqual([
      2,
      has('0 questions answered, 0 skipped, 3 left'),
    ]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are written with them
    expect(second.screen).not.toMatch(/\u001b\[(?:3\d|9\d)m/);
    const err = has('questions are asked in a terminal, and this is none');
    expect(await squadc('answer', 'out')).toMatchObject({ code: 64, err });
  });

  /** pull ─▶ migrate ─▶ answer ─▶ migrate ─▶ report ─▶ check ─▶ push ─▶ callers ─▶ rollback */
  it('a team moves two workflows from the platform, and takes all of it back', async () => {
    const platform = await startJourneyPlatform();
    onTestFinished(() => platform.close());
    const squads = () => [...platform.held.values()].filter((each) => 'members' in each);
    const idOf = (name: string) => squads().find((squad) => squad['name'] === name)?.['id'];

    /** Runs a command line; one that did not end as expected shows what it wrote. */
    async function run(line: string, code = 0) {
      const ended = await squadcAfter(`export API_KEY=${secret}`, ...line.split(' '));
      expect(ended, line).toMatchObject({ code });
      expect(ended.out + ended.err).not.toContain(secret);
      return ended;
    }

    mkdirSync(at('app'));
    writeFileSync(at('app/start.js'), "calls.create({ workflowId: 'wf-clinic', customer });\n");
    writeFileSync(at('app/night.json'), '{ "workflowId": "wf-garage" }\n');
    const there = `--base-url ${platform.baseUrl} --key-env API_KEY`;
    await run(`pull wf-clinic wf-garage ${there} -o workflows`);
    expect(readdirSync(at('workflows'))).toEqual(['wf-clinic.json', 'wf-garage.json']);

    const first = await run('migrate workflows -o out --target vapi', 2);
    expect(first.err).toContain('1 complete\n1 with open questions\n');
    expect(first.err).toContain('next: squadc answer out');
    const answered = await answer('out', [
      // The proposal is the nearest name there is.
      ['proposed: “customer_name”', keys.enter],
      ['The name of a variable', keys.enter],
    ]);
    expect([answered.code, answered.screen]).toEqual([
      0,
      has('1 question answered, 0 skipped, 0 left'),
    ]);
    const second = await run('migrate workflows -o out --target vapi --answers out/answers.json');
    expect(second.err).toContain('2 complete\n');
    expect(json('out/summary.json').totals).toMatchObject({ byStatus: { complete: 2 } });

    await run('report out');
    const folders = readdirSync(at('out')).filter((name) =>
      existsSync(at('out', name, 'result.json')),
    );
    expect(read('out/summary.html')).toContain(`${folders[0]}/report.html`);
    for (const name of folders.map((each) => `out/${each}`)) {
      expect(read(`${name}/report.html`)).toContain('<!doctype html>');
      const { source } = json(`${name}/result.json`);
      await run(`check ${source} ${name}/squad.json --result ${name}/result.json`);
    }

    const push = `push ${folders.map((name) => `out/${name}/squad.json`).join(' ')} ${there}`;
    expect((await run(push)).err).toContain('nothing was sent');
    expect(squads()).toEqual([]);
    await run(`${push} --yes`);
    expect(
      squads()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['Clinic desk', 'Garage desk']);

    const callers = 'callers app --journal squadc-journal.jsonl';
    expect((await run(callers)).out).toContain('-calls.create({ workflowId:');
    await run(`${callers} --write`);
    expect(read('app/start.js')).toContain(`squadId: '${idOf('Clinic desk')}'`);
    expect(json('app/night.json')).toEqual({ squadId: idOf('Garage desk') });

    expect((await run('rollback --key-env API_KEY')).err).toContain('2 squads to take back');
    await run('rollback --key-env API_KEY --yes');
    expect(squads()).toEqual([]);
    expect((await run('rollback --key-env API_KEY --yes')).err).toBe('nothing to take back\n');
  }, 180_000);
});
