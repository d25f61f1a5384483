/** The binary as a process, bundled as the build does it: pipes, terminals, signals. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { builtMigrate } from '../batch/built-migrate.js';
import { hasScript, inTerminal, keys, pick, writeRun } from './answering.js';
import { golden, has, sendCalls } from './fake-io.js';

const { at, binary, squadc, squadcAfter } = builtMigrate();
const json = (path: string) => JSON.parse(readFileSync(at(path), 'utf8'));

describe('the binary', () => {
  it('compiles standard input into a file, and exits as the command does', async () => {
    expect(readFileSync(binary, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    writeFileSync(at('in.json'), golden('worked-pattern'));
    const made = await squadcAfter('exec < in.json', 'compile', '-', '-o', 'squad.json');
    expect(made).toMatchObject({ code: 0, out: '', err: has('complete: ') });
    expect(json('squad.json').squad.members.length).toBeGreaterThan(1);
    writeFileSync(at('in.json'), '{\n  "nodes": [,]\n}');
    const broken = await squadcAfter('exec < in.json', 'compile', '-');
    expect(broken).toMatchObject({ code: 1, out: '', err: has('--> standard input:2:13\n') });
    expect(await squadc('compile')).toMatchObject({ code: 64, out: '' });
  });

  it('exits quietly when the reader of a pipe has gone', async () => {
    const ended = await squadcAfter('exec > >(exit 0); sleep 0.2', 'schema', 'squad');
    expect(ended).toMatchObject({ code: 0, err: '' });
  });

  it.skipIf(!existsSync('/dev/full'))('exits with 1 if the device is full', async () => {
    const ended = await squadcAfter('exec > /dev/full', 'schema', 'squad');
    expect(ended).toMatchObject({ code: 1, err: has('squadc: cannot write: ENOSPC') });
  });

  it('leaves the old file, and nothing beside it, if there is no room for the new one', async () => {
    writeFileSync(at('in.json'), golden('worked-pattern'));
    writeFileSync(at('squad.json'), 'old');
    const ended = await squadcAfter('ulimit -f 1', 'compile', 'in.json', '-o', 'squad.json');
    expect(ended).toMatchObject({ code: 1, err: has('cannot write squad.json') });
    expect(readdirSync(at())).toEqual(['in.json', 'squad.json']);
    expect(readFileSync(at('squad.json'), 'utf8')).toBe('old');
  });

  it('finishes the calls in progress at Ctrl-C, and accepts no new ones', async () => {
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
    child.kill('SIGINT');
    const health = () => fetch(`${url}/health`).then(String, () => 'refused');
    await expect.poll(health).toBe('refused');
    const bill = { PaypointEntryname: 'shop', BillNumber: 'B-1' };
    const body = JSON.stringify({ responseData: bill, isSuccess: true });
    for (const each of waiting) each.setHeader('content-type', 'application/json').end(body);
    expect((await call)[0]?.result).toContain('Bill number B-1');
    expect(await exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ event: 'call', tool: 'get_bill', outcome: 'done' });
    expect(out).not.toContain('hidden-word');
  }, 30_000);
});

describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('at %s', (signal, code) => {
  it('a push finishes its request, records it and stops; again ends it at once', async () => {
    let arrived: (response: ServerResponse) => void = () => {};
    const platform = createServer((_, response) => arrived(response)).listen(0, '127.0.0.1');
    onTestFinished(() => void platform.close().closeAllConnections());
    await expect.poll(() => platform.listening).toBe(true);
    const member = { assistant: { name: 'A' } };
    for (const name of ['a', 'b']) {
      writeFileSync(at(`${name}.json`), JSON.stringify({ name, members: [member] }));
    }
    const baseUrl = `http://127.0.0.1:${(platform.address() as AddressInfo).port}`;
    const journal = `${signal}.jsonl`;
    const argv = ['push', 'a.json', 'b.json', '--yes', '--journal', journal, '--base-url', baseUrl];
    const states = () => readFileSync(at(journal), 'utf8').match(/(?<="state":")\w+/g);

    async function pushUntil(act: (child: ChildProcess, response: ServerResponse) => void) {
      const env = { VAPI_API_KEY: 'hidden-word' };
      const child = spawn(process.execPath, [binary, ...argv], { cwd: at(), env });
      let err = '';
      child.stderr.on('data', (piece) => {
        err += piece;
      });
      const closed = new Promise((resolve) => child.once('close', (...all) => resolve(all)));
      const response = await new Promise<ServerResponse>((resolve) => {
        arrived = resolve;
      });
      child.kill(signal);
      await expect.poll(() => err).toContain('stopping after the current request');
      act(child, response);
      return [await closed, err] as const;
    }

    const [ended, err] = await pushUntil((_, response) => {
      response.setHeader('content-type', 'application/json').end('{"id":"squad-1"}');
    });
    expect([ended, err]).toEqual([[code, null], has('squadc: stopped; finished work is kept')]);
    expect(states()).toEqual(['unknown', 'done']);
    const [killed] = await pushUntil((child) => child.kill(signal));
    expect(killed).toEqual([null, signal]);
    expect(states()).toEqual(['unknown', 'done', 'unknown']);
  }, 30_000);
});

describe.skipIf(!hasScript)('in a terminal (skipped without util-linux script)', () => {
  it('answer asks, saves and stops at Ctrl-C; it refuses to run behind a pipe', async () => {
    const key = 'moving-company-0a1b2c3d';
    const asks = 'What should happen?';
    writeRun(at(), [{ key, text: golden('saved-answers-with-a-policy') }]);
    const { code, screen } = await inTerminal(binary, at(), 'answer out --answers a.json', [
      [asks, ...pick(0)],
      ['A phone number', '+4930123456', keys.enter],
      [asks, ...pick(1)],
      ['header:', keys.ctrlC],
    ]);
    expect([code, screen]).toEqual([2, has('1 question answered, 0 skipped, 2 left')]);
    expect(screen).toContain('\u001b[36m');
    // The cursor is shown again.
    expect(screen.lastIndexOf('\u001b[?25h')).toBeGreaterThan(screen.lastIndexOf('\u001b[?25l'));
    const saved = { choice: 'number', value: '+4930123456', subject: expect.any(String) };
    expect(json('a.json').workflows[key].answers).toEqual({ 'missing-destination:planner': saved });
    const err = has('questions need a terminal, and this is not one');
    expect(await squadc('answer', 'out')).toMatchObject({ code: 64, err });
  });
});
