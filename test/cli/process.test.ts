/** The binary as a process, bundled as the build does it. */
import {
  type ChildProcessWithoutNullStreams,
  type SpawnSyncReturns,
  spawn,
  spawnSync,
} from 'node:child_process';
import { copyFileSync, existsSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { goldenText } from '../report/example-run.js';
import { buildBinary, hasScript, inTerminal, keys, pick, writeRun } from './answering.js';
import { sendCalls, temporaryFolder } from './fake-io.js';

// Inside node_modules, so that the packages are found.
const built = join('node_modules', '.cache', `squadc-cli-test-${process.pid}`);
const binary = join(process.cwd(), built, 'dist', 'cli.js');
const { folder, put } = temporaryFolder();

beforeAll(async () => {
  await buildBinary(join(built, 'dist'));
  copyFileSync('package.json', join(built, 'package.json'));
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

describe('the binary', () => {
  function squadc(argv: string[], input = '', stdout: 'pipe' | number = 'pipe') {
    const run: SpawnSyncReturns<string> = spawnSync(process.execPath, [binary, ...argv], {
      input,
      encoding: 'utf8',
      cwd: folder,
      stdio: ['pipe', stdout, 'pipe'],
      env: { PATH: process.env.PATH },
    });
    return { exitCode: run.status, out: run.stdout, err: run.stderr };
  }

  const workflow = JSON.stringify({
    name: 'Front desk',
    nodes: [
      { id: 'greeting', type: 'conversation', firstMessage: 'Hello.', systemPrompt: 'Greet.' },
      { id: 'bye', type: 'endCall' },
    ],
    edges: [{ from: 'greeting', to: 'bye' }],
  });

  describe('the binary', () => {
    it('has the same command in the file of its own as among all', () => {
      for (const argument of ['--help', put('alike.json', workflow)]) {
        const alone = squadc(['compile', argument]);
        expect(squadc(['compile', argument, '--debug'])).toEqual(alone);
      }
    });

    it('compiles standard input', () => {
      const { exitCode, out, err } = squadc(['compile', '-'], workflow);
      expect(err).toMatch(/^complete: 2 nodes → 1 assistant, 0 handoffs, 0 extractions\n$/);
      expect(exitCode).toBe(0);
      expect(JSON.parse(out).squad.members).toHaveLength(1);
    });

    it('compiles a file into a file', () => {
      const file = put('workflow.json', workflow);
      expect(squadc(['compile', file, '-o', 'squad.json'])).toMatchObject({ exitCode: 0, out: '' });
      expect(JSON.parse(readFileSync(join(folder, 'squad.json'), 'utf8'))).toHaveProperty('squad');
    });

    it('exits 1 for what is not a workflow, at its line', () => {
      const { exitCode, out, err } = squadc(['compile', '-'], '{\n  "nodes": [,]\n}');
      expect([exitCode, out]).toEqual([1, '']);
      expect(err).toContain('error[shape/not-json]');
      expect(err).toContain('--> standard input:2:13\n');
    });

    it('exits 64 for wrong usage', () => {
      expect(squadc(['compile'])).toMatchObject({ exitCode: 64, out: '' });
    });

    it('ends quietly where nobody reads on', async () => {
      const child = spawn(process.execPath, [binary, 'schema', 'squad']);
      child.stdout.destroy();
      let err = '';
      child.stderr.on('data', (chunk) => {
        err += chunk;
      });
      const exitCode = await new Promise((resolve) => child.on('close', resolve));
      expect([exitCode, err]).toEqual([0, '']);
    });

    it.skipIf(!existsSync('/dev/full'))('exits 1 where the output is full', () => {
      const full = openSync('/dev/full', 'w');
      const { exitCode, err } = squadc(['schema', 'squad'], '', full);
      expect(exitCode).toBe(1);
      expect(err).toMatch(/^squadc: cannot write: ENOSPC/);
    });

    it('starts with the line that makes it a program', () => {
      expect(readFileSync(binary, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    });
  });
});

describe('answering', () => {
  // Inside node_modules, so that the packages are found.
  const built = join('node_modules', '.cache', `squadc-answer-test-${process.pid}`);
  const binary = join(process.cwd(), built, 'dist', 'cli.js');
  const { folder } = temporaryFolder();
  const at = { binary, folder };

  const key = 'moving-company-0a1b2c3d';
  const asks = 'What should happen?';

  describe.skipIf(!hasScript)(
    'squadc answer in a terminal (skipped without util-linux script)',
    () => {
      beforeAll(async () => {
        await buildBinary(join(built, 'dist'));
        copyFileSync('package.json', join(built, 'package.json'));
        writeRun(folder, [{ key, text: goldenText('saved-answers-with-a-policy') }]);
      });
      afterAll(() => rmSync(built, { recursive: true, force: true }));

      const answers = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

      it('asks, saves and ends at Ctrl-C', async () => {
        const { code, screen } = await inTerminal(at, 'answer out --answers a.json', [
          [asks, ...pick(0)],
          ['A phone number', '+4930123456', keys.enter],
          [asks, ...pick(1)],
          ['header:', keys.ctrlC],
        ]);
        expect(code).toBe(2);
        expect(screen).toContain('1 question answered, 0 skipped, 2 left');
        expect(screen).toContain('\u001b[36m');
        // The cursor is shown again.
        expect(screen.lastIndexOf('\u001b[?25h')).toBeGreaterThan(
          screen.lastIndexOf('\u001b[?25l'),
        );
        expect(answers('a.json').workflows[key].answers).toEqual({
          'missing-destination:planner': {
            choice: 'number',
            value: '+4930123456',
            subject: expect.any(String),
          },
        });
      });

      it('ends at Ctrl-D, and paints nothing with NO_COLOR', async () => {
        const env = { NO_COLOR: '1' };
        const { code, screen } = await inTerminal(at, 'answer out', [[asks, keys.ctrlD]], env);
        expect(code).toBe(2);
        expect(screen).toContain('0 questions answered, 0 skipped, 3 left');
        // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are written with them
        expect(screen).not.toMatch(/\u001b\[(?:3\d|9\d)m/);
      });

      it('is no terminal behind a pipe', () => {
        const { status, stderr } = spawnSync(process.execPath, [binary, 'answer', 'out'], {
          cwd: folder,
          encoding: 'utf8',
          input: '\r\r\r',
        });
        expect(status).toBe(64);
        expect(stderr).toContain('questions are asked in a terminal, and this is none');
      });
    },
  );
});

describe('serving', () => {
  interface Running {
    readonly child: ChildProcessWithoutNullStreams;
    readonly url: string;
    readonly out: () => string;
    readonly exitCode: Promise<number | null>;
  }

  async function squadc(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Running> {
    const options = { cwd: folder, env: { PATH: process.env.PATH, ...env } };
    const child = spawn(process.execPath, [binary, 'serve', '--port', '0', ...argv], options);
    onTestFinished(() => void child.kill('SIGKILL'));
    const texts = { out: '', err: '' };
    child.stdout.on('data', (piece) => {
      texts.out += piece;
    });
    child.stderr.on('data', (piece) => {
      texts.err += piece;
    });
    const exitCode = new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    await expect.poll(() => texts.err, { timeout: 20_000 }).toContain('Press Ctrl-C to stop.');
    const url = /^tools +(http:\S+)$/m.exec(texts.err)?.[1] ?? '';
    return { child, url, out: () => texts.out, exitCode };
  }

  /** A bills service that answers when it is told to. */
  async function slowService() {
    const waiting: ServerResponse[] = [];
    const server = createServer((_, response) => void waiting.push(response));
    server.listen(0, '127.0.0.1');
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await expect.poll(() => server.listening).toBe(true);
    const bill = {
      responseData: { PaypointEntryname: 'shop', BillNumber: 'B-1' },
      isSuccess: true,
    };
    return {
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      waiting,
      answer: () => {
        for (const each of waiting) {
          each.setHeader('content-type', 'application/json').end(JSON.stringify(bill));
        }
      },
    };
  }

  describe('the process', () => {
    it.each(['SIGTERM', 'SIGINT'] as const)(
      'finishes what was begun at a %s',
      async (signal) => {
        const { baseUrl, waiting, answer } = await slowService();
        const config = {
          bills: { baseUrl, apiKeyEnv: 'KEY' },
          allow: ['bills.get'],
          bind: { entry: 'shop' },
        };
        const file = put('serve.json', JSON.stringify(config));
        const { child, url, out, exitCode } = await squadc(['--config', file], {
          KEY: 'hidden-word',
        });
        const call = sendCalls(url, [{ id: '1', name: 'get_bill', arguments: { idBill: 1 } }]);
        await expect.poll(() => waiting.length).toBe(1);
        child.kill(signal);
        const refused = () => fetch(`${url}/health`).then(String, () => 'refused');
        await expect.poll(refused).toBe('refused');
        answer();
        expect((await call)[0]?.result).toContain('Bill number B-1');
        expect(await exitCode).toBe(0);
        const logged = JSON.parse(out());
        expect(logged).toMatchObject({ event: 'call', tool: 'get_bill', outcome: 'done' });
        expect(out()).not.toContain('hidden-word');
      },
      30_000,
    );

    it('ends where nothing was begun, sandbox and all', async () => {
      const { child, url, exitCode } = await squadc(['--sandbox']);
      expect((await fetch(`${url}/health`)).status).toBe(200);
      child.kill('SIGTERM');
      expect(await exitCode).toBe(0);
    }, 20_000);
  });
});
