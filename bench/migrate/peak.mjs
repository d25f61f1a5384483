/**
 * Loaded before a program that is measured: when it ends, says how much memory it had at the
 * highest, all threads together, in megabytes. Only where the system tells (Linux).
 */
import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** Where it is said. */
const report = 3;

if (isMainThread) {
  process.once('exit', () => {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status()) ?? [];
    if (kilobytes !== undefined) writeSync(report, `${Number(kilobytes) / 1024}`);
  });
}

function status() {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
