/** Starts the binary with all commands. */
import { runProcess } from './process.js';
import { run } from './run.js';

export function start(): Promise<void> {
  return runProcess(run);
}
