/** Runs the binary behind a pseudo-terminal, by way of util-linux's `script`, which every Debian has. */
import { spawn, spawnSync } from 'node:child_process';
import type { Step } from './answering.js';

export const hasScript = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout,
);

export interface Ended {
  readonly code: number | null;
  readonly screen: string;
}

/** Runs the binary in a terminal; each step waits for its text after that of the step before. */
export function inTerminal(
  { binary, folder }: { readonly binary: string; readonly folder: string },
  args: string,
  steps: readonly Step[],
  env: Record<string, string> = {},
): Promise<Ended> {
  return new Promise<Ended>((resolve) => {
    const command = `stty rows 40 cols 80; exec "${process.execPath}" "${binary}" ${args}`;
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: folder,
      timeout: 30_000,
      env: { PATH: process.env.PATH, TERM: 'xterm-256color', ...env },
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
