/** `squadc migrate` of the built package, and other programs, each measured as a process. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** @typedef {{ seconds: number, peak: number }} Run time from start to end, and megabytes at the highest */
/** @typedef {{ code: number | null, signal: string | null, said: string, run: Run }} Ended */

export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const peakReport = new URL('./peak.mjs', import.meta.url).href;
const floor = fileURLToPath(new URL('./floor.mjs', import.meta.url));

/** @param {string} input @param {string} output @param {...string} flags */
export function migrateArguments(input, output, ...flags) {
  // The key of the service that the workflows' requests call is given when a call starts.
  return [cli, 'migrate', input, '-o', output, '--dynamic', 'desk_key', ...flags];
}

/**
 * A run to its end. Some of the workflows are wrong, and squadc says so by its exit code.
 *
 * @param {string} input
 * @param {string} output
 * @param {...string} flags
 * @returns {Promise<Run>}
 */
export async function migrate(input, output, ...flags) {
  const ended = await start(migrateArguments(input, output, ...flags)).ended;
  if (![0, 1, 2].includes(ended.code ?? -1)) throw new Error(`migrate: ${whyOf(ended)}`);
  return ended.run;
}

/** The least that a second run could do, see `floor.mjs`. @param {...string} given @returns {Promise<Run>} */
export async function runFloor(...given) {
  const ended = await start([floor, ...given]).ended;
  if (ended.code !== 0) throw new Error(`floor: ${whyOf(ended)}`);
  return ended.run;
}

/** @param {readonly string[]} argv @returns {{ kill(): void, ended: Promise<Ended> }} */
export function start(argv) {
  const begun = performance.now();
  const stdio = /** @type {const} */ (['ignore', 'ignore', 'pipe', 'pipe']);
  const child = spawn(process.execPath, ['--import', peakReport, ...argv], { stdio: [...stdio] });
  let [said, peak] = ['', ''];
  child.stdio[2]?.on('data', (piece) => {
    said = `${said}${piece}`.slice(-2000);
  });
  child.stdio[3]?.on('data', (piece) => {
    peak += piece;
  });
  let seconds = 0;
  child.once('exit', () => {
    seconds = (performance.now() - begun) / 1000;
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve({ code, signal, said, run: { seconds, peak: Number(peak || Number.NaN) } });
    });
  });
  return { kill: () => void child.kill('SIGKILL'), ended };
}

/** @param {Ended} ended */
function whyOf({ code, signal, said }) {
  return `ended with ${code ?? signal}: ${said}`;
}
