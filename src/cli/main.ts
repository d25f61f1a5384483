#!/usr/bin/env node
/**
 * The binary: connects the commands to the process. It sets the exit code and lets the process end
 * by itself, so that no output is lost.
 */
import { exitCodes, type Io, type TextOutput } from './io.js';
import { internalError, run } from './run.js';

process.on('uncaughtException', quit);
process.on('unhandledRejection', quit);
const exitCode = await run(process.argv.slice(2), ioOfProcess());
// A failed write may already have set it.
process.exitCode ||= exitCode;

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
      // A second Ctrl-C ends the process as usual.
      process.once('SIGINT', stop);
      return () => process.off('SIGINT', stop);
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
