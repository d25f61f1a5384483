/** `squadc migrate` of the built package as a process, and what stands in its output folder. */
import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

/**
 * A run: `ended` gives its seconds, the megabytes that it had at the most (on Linux), and the signal
 * that ended it. Exit codes 1 and 2 say that some workflows are invalid or ask.
 *
 * @param {string} input @param {string} output @param {...string} flags
 */
export function migrate(input, output, ...flags) {
  const argv = [cli, 'migrate', input, '-o', output, '--dynamic', 'desk_key', ...flags];
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
  /** @type {Promise<{ seconds: number, megabytes: number, signal: string | null }>} */
  const ended = new Promise((resolve, reject) => {
    child.once('close', (code, signal) => {
      clearInterval(timer);
      const seconds = (performance.now() - begin) / 1000;
      if (signal !== null || [0, 1, 2].includes(code ?? -1))
        resolve({ seconds, megabytes, signal });
      else reject(new Error(`migrate ended with ${code}: ${said}`));
    });
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}

/** By path, what stands in the files of an output folder, but for what only squadc reads. @param {string} folder */
export function contentsOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const contents = entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    const digest = entry.isDirectory() ? '' : hash('sha256', readFileSync(path));
    return /** @type {const} */ ([path.slice(folder.length + 1), digest]);
  });
  return new Map(contents.filter(([path]) => !/(?:^|[\\/])\.squadc(?:[\\/]|$)/.test(path)));
}

/** The paths at which two outputs differ. @param {ReadonlyMap<string, string>} one @param {ReadonlyMap<string, string>} other */
export function differences(one, other) {
  const paths = new Set([...one.keys(), ...other.keys()]);
  return [...paths].filter((path) => one.get(path) !== other.get(path)).sort();
}

/** What a run has left behind that only a run needs. @param {string} folder */
export function leftovers(folder) {
  const inside = readdirSync(join(folder, '.squadc'), { recursive: true, encoding: 'utf8' });
  return inside.filter((path) => !['options.json', 'summaries.json', 'tmp'].includes(path)).sort();
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
