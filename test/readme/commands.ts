/** The commands of README's `sh` blocks: which are run here, and the exit code each promises. */
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve as resolvePath } from 'node:path';

export interface Command {
  /** The line as README has it, without `npx` and without its comment. */
  readonly text: string;
  /** The code that a trailing `# exit 2` states; otherwise 0. */
  readonly exit: number;
}

/** The commands of a block, one per line; a backslash at the end of a line joins the next to it. */
export function commandsOf(code: string): Command[] {
  return code
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/^\$ /, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, text = line, comment = ''] = /^(.*?)\s+(#.*)$/.exec(line) ?? [];
      return {
        text: text.replace(/\bnpx (?=squadc\b)/g, ''),
        exit: Number(/\bexit (\d+)/.exec(comment)?.[1] ?? 0),
      };
    });
}

/** Whether the command calls the binary; what else a reader may type is not run by the tests. */
export function callsSquadc({ text }: Command): boolean {
  return /(?:^|[|;&]\s*)squadc\b/.test(text);
}

/** Puts a `squadc` that runs dist/cli.js into `folder`, to be found on the PATH. */
export function writeShim(folder: string): void {
  const shim = join(folder, 'squadc');
  writeFileSync(
    shim,
    `#!/bin/sh\nexec "${process.execPath}" "${resolvePath('dist/cli.js')}" "$@"\n`,
  );
  chmodSync(shim, 0o755);
}

/** Whether the command asks somebody in a terminal, which a shell without one has not. */
export function asksInTerminal({ text }: Command): boolean {
  return /^squadc answer (?!.*--json)/.test(text);
}

/** Where commands run, and the platform that they call in place of the real one. */
export interface Ground {
  readonly cwd: string;
  readonly bin: string;
  readonly platform?: { readonly address: string; readonly key: string };
}

export interface Ended {
  readonly exit: number;
  readonly printed: string;
}

/** Runs one line in a shell, as a reader would, and tells its exit code with what it printed. */
export function runCommand({ text }: Command, { cwd, bin, platform }: Ground): Promise<Ended> {
  const path = `${bin}${delimiter}${process.env.PATH ?? ''}`;
  const env = { ...process.env, PATH: path, NO_COLOR: '1', VAPI_API_KEY: platform?.key };
  const calls = /^squadc (?:pull|push|rollback)\b/.test(text);
  const line = platform && calls ? `${text} --base-url ${platform.address}` : text;
  return new Promise((resolve) => {
    const child = execFile(
      '/bin/sh',
      ['-c', line],
      { cwd, env, timeout: 60_000 },
      (error, out, err) => {
        const exit = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
        resolve({ exit, printed: `${out}${err}` });
      },
    );
    child.stdin?.end();
  });
}
