/**
 * Sends an answer, or what a fault makes of it.
 *
 * A broken connection is reset, not closed: what was sent before may be lost on the way, as it is
 * when a process dies.
 */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './answer.js';
import type { Fault } from './fault.js';

const slowParts = 8;

export async function deliver(
  response: ServerResponse,
  answer: Answer,
  fault: Fault,
): Promise<void> {
  if (fault.kind === 'reset') return reset(response);
  // The connection stays open, without a word, until one side gives up.
  if (fault.kind === 'hang') return;
  if (fault.kind === 'latency') await pause(fault.number, undefined, { ref: false });
  const { status, headers, body } = fault.kind === 'wrong-type' ? markup : answer;
  response.writeHead(status, { ...headers, 'content-length': body.byteLength });
  if (fault.kind === 'truncate') return cut(response, body);
  if (fault.kind === 'slow-body') return drip(response, body, fault.number);
  response.end(body);
}

const markup: Answer = {
  status: 200,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: Buffer.from('<!doctype html><title>Please stand by</title>'),
};

function reset({ socket }: ServerResponse): void {
  socket?.resetAndDestroy();
}

/** Half of the body arrives; the head has promised all of it. */
function cut(response: ServerResponse, body: Uint8Array): void {
  const half = body.subarray(0, Math.floor(body.byteLength / 2));
  const end = () => setImmediate(() => response.socket?.destroy());
  // Destroyed only when the half is on its way, so that the client has surely begun to read.
  if (half.byteLength > 0) response.write(half, end);
  else {
    response.flushHeaders();
    end();
  }
}

async function drip(response: ServerResponse, body: Uint8Array, waitMs: number): Promise<void> {
  const size = Math.max(1, Math.ceil(body.byteLength / slowParts));
  for (let from = 0; from < body.byteLength && !response.destroyed; from += size) {
    await pause(waitMs, undefined, { ref: false });
    response.write(body.subarray(from, from + size));
  }
  response.end();
}
