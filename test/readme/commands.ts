/** The commands of README's `sh` blocks: which are run here, and the exit code each promises. */
import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

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

/** Puts a `squadc` that runs dist/cli.js into `folder`, to be found by way of PATH. */
export function writeShim(folder: string): void {
  const shim = join(folder, 'squadc');
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli.js')}" "$@"\n`);
  chmodSync(shim, 0o755);
}

/** Runs one line in a shell, as a reader would, and tells its exit code with what it printed. */
export function runCommand(
  command: Command,
  options: { readonly cwd: string; readonly bin: string },
): { exit: number | null; printed: string } {
  const path = `${options.bin}${delimiter}${process.env.PATH ?? ''}`;
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command.text], {
    cwd: options.cwd,
    env: { ...process.env, PATH: path, NO_COLOR: '1' },
    encoding: 'utf8',
    input: '',
    timeout: 30_000,
  });
  return { exit: status, printed: `${stdout}${stderr}` };
}
