#!/usr/bin/env node
/**
 * The binary: connects the commands to the process. It sets the exit code and lets the process end
 * by itself, so that no output is lost.
 */
import { exitCodes, type Io, type TextOutput } from './io.js';
import { internalError, run } from './run.js';

process.on('uncaughtException', quit);
process.on('unhandledRejection', quit);
let isTerminated = false;
const ended = await run(process.argv.slice(2), ioOfProcess());
// A failed write may already have set it.
process.exitCode ||= isTerminated && ended === exitCodes.stopped ? exitCodes.terminated : ended;

function quit(error: unknown): never {
  process.stderr.write(internalError(error, process.argv.includes('--debug')));
  process.exit(exitCodes.internalError);
}

function ioOfProcess(): Io {
  return {
    stdin: () => process.stdin,
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    onInterrupt: (stop) => {
      const ignore = () => process.off('SIGINT', end).off('SIGTERM', end);
      const end = (signal: string) => {
        // A second signal ends the process as usual.
        ignore();
        isTerminated = signal === 'SIGTERM';
        stop();
      };
      process.on('SIGINT', end).on('SIGTERM', end);
      return ignore;
    },
    env: process.env,
    cwd: process.cwd(),
  };
}

/** A closed pipe (`| head`) ends the output silently. Other errors are reported: exit code 1. */
function outputOf(stream: NodeJS.WriteStream): TextOutput {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    open = false;
    if (error.code === 'EPIPE') return;
    if (stream !== process.stderr) process.stderr.write(`squadc: cannot write: ${error.message}\n`);
    process.exitCode = exitCodes.invalid;
  });
  return {
    isTTY: stream.isTTY === true,
    columns: stream.columns,
    write: (text) => {
      if (open) stream.write(text);
    },
  };
}
