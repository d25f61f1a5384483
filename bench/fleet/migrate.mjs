/** `squadc migrate` of the built package as a process, and a folder for it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/**
 * Gives the seconds of a run, and the megabytes that it had at the most (on Linux). Exit codes 1 and 2
 * say that some workflows are invalid or ask.
 *
 * @param {string} input @param {string} output @param {...string} flags
 */
export async function migrate(input, output, ...flags) {
  const config = `${output}.config.json`;
  writeFileSync(config, '{ "dynamicVariables": ["desk_key"] }');
  const argv = [cli, 'migrate', input, '-o', output, '--config', config, ...flags];
  const begin = performance.now();
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  let [said, megabytes] = ['', 0];
  child.stderr.on('data', (piece) => {
    said = `${said}${piece}`.slice(-2000);
  });
  const timer = setInterval(() => {
    const status = `/proc/${child.pid}/status`;
    const text = existsSync(status) ? readFileSync(status, 'utf8') : '';
    megabytes = Math.max(megabytes, Number(/^VmHWM:\s+(\d+)/m.exec(text)?.[1] ?? 0) / 1024);
  }, 50);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (![0, 1, 2].includes(code)) throw new Error(`migrate ended with ${code}: ${said}`);
  return { seconds: (performance.now() - begin) / 1000, megabytes };
}

/** Gives `use` a folder, in memory where there is such a place, and removes it. @template T @param {(folder: string) => Promise<T>} use */
export async function inFolder(use) {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'squadc-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
