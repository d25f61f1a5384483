#!/usr/bin/env node
/**
 * The process around the binary: its streams, its end.
 *
 * The exit code is set and the process left to end by itself, so that nothing written is lost.
 */
import { exitCodes } from './exit.js';
import type { Io, TextOutput } from './io.js';
import { internalError, run } from './run.js';

const debug = process.argv.includes('--debug');

function quit(error: unknown): never {
  process.stderr.write(internalError(error, debug));
  process.exit(exitCodes.internalError);
}

/** A reader that has gone away (`| head`) ends the output quietly; other faults end the program. */
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

async function readStdin(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}

process.on('uncaughtException', quit);
process.on('unhandledRejection', quit);

const io: Io = {
  readStdin,
  stdinPieces: () => process.stdin,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  onInterrupt: (stop) => {
    // After the first, the usual end.
    process.once('SIGINT', stop);
    return () => process.off('SIGINT', stop);
  },
  env: process.env,
  cwd: process.cwd(),
};
const exitCode = await run(process.argv.slice(2), io);
// A failed write may have set it already.
process.exitCode ||= exitCode;
