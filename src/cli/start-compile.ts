/** Starts the binary with `compile` as its only command; nothing of that is loaded late. */
import * as api from '../index.js';
import { addCompileCommand } from './compile.js';
import { runProcess } from './process.js';
import { runProgram } from './run-program.js';

export function start(): Promise<void> {
  return runProcess((argv, io) => runProgram(argv, io, async () => api, [addCompileCommand]));
}
