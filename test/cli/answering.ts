/** A run with open questions, and somebody at a terminal who answers them. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { build } from 'esbuild';
import type { CompileOptions } from '../../src/index.js';
import type { ResultFile } from '../../src/report/model.js';
import { exampleOf, rowOf } from '../report/example-run.js';

export interface RunWorkflow {
  readonly key: string;
  readonly text: string;
  readonly options?: CompileOptions;
  readonly parts?: Partial<ResultFile>;
}

/** Writes sources, results and the summary as `squadc migrate` does; the output is in `out`. */
export function writeRun(folder: string, workflows: readonly RunWorkflow[]): ResultFile[] {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  const results = workflows.map(({ key, text, options, parts }) => {
    const source = `workflows/${key}.json`;
    put(source, text);
    return { ...exampleOf(text, source, options).result, key, ...parts };
  });
  for (const result of results) put(`out/${result.key}/result.json`, JSON.stringify(result));
  const { answers, ...options } = workflows[0]?.options ?? {};
  const summary = { squadc: '0.0.0', options, workflows: results.map(rowOf) };
  put('out/summary.json', JSON.stringify(summary));
  return results;
}

export const keys = {
  enter: '\r',
  down: '\u001b[B',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  /** Empties the line. */
  ctrlU: '\u0015',
} as const;

/** Goes so many options down and takes that one. */
export function pick(down: number): string[] {
  return [...Array<string>(down).fill(keys.down), keys.enter];
}

/** What is waited for on the screen, and the keys that are pressed then. */
export type Step = readonly [screen: string, ...keys: readonly string[]];

/** Each step waits for its text among what was written since the step before. */
export function fakeTerminal(steps: readonly Step[], columns = 80) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const left = [...steps];
  let written = '';
  let seen = 0;
  const press = async (pressed: readonly string[]) => {
    for (const key of pressed) {
      await new Promise((resolve) => setImmediate(resolve));
      input.write(key);
    }
  };
  const output = Object.assign(
    new Writable({
      write(chunk, _, done) {
        written += String(chunk);
        const [step] = left;
        if (step !== undefined && written.slice(seen).includes(step[0])) {
          left.shift();
          seen = written.length;
          void press(step.slice(1));
        }
        done();
      },
    }),
    { isTTY: true, columns, rows: 40 },
  );
  return { input, output, screen: () => written, left: () => left };
}

export const hasScript = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout,
);

/** Runs the binary in a terminal; each step waits for its text after that of the step before. */
export function inTerminal(
  binary: string,
  folder: string,
  args: string,
  steps: readonly Step[],
): Promise<{ readonly code: number | null; readonly screen: string }> {
  return new Promise((resolve) => {
    const command = `stty rows 40 cols 80; exec "${process.execPath}" "${binary}" ${args}`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: folder,
      timeout: 30_000,
      env: { PATH: process.env.PATH, TERM: 'xterm-256color' },
    });
    const left = [...steps];
    let screen = '';
    let seen = 0;
    child.stdout.setEncoding('utf8').on('data', async (text: string) => {
      screen += text;
      const [step] = left;
      if (step === undefined || !screen.slice(seen).includes(step[0])) return;
      left.shift();
      seen = screen.length;
      for (const pressed of step.slice(1)) {
        // As somebody types: keys that come at once could be taken for one escape sequence.
        await new Promise((later) => setTimeout(later, 30));
        child.stdin.write(pressed);
      }
    });
    child.on('close', (code) => resolve({ code, screen }));
  });
}

/** Writes `cli.js` and the thread of `migrate` into the folder. */
export async function buildBinary(folder: string): Promise<void> {
  await build({
    entryPoints: { cli: 'src/cli/main.ts', 'migrate-worker': 'src/batch/thread.ts' },
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
}
