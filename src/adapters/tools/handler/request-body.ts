/**
 * Reads the body of a request, as far as it may go.
 *
 * In: a request of anyone. Out: its bytes, once for all who ask; or a refusal with the status that
 * answers the request (413, 400). No more is read than is allowed, whatever the headers say.
 */
import type { ToolRequest } from './options.js';

/** A request that is answered with a status and nothing else. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`the request is answered with ${status}`);
    this.status = status;
  }
}

export function bodyReader(request: ToolRequest, maxBytes: number): () => Promise<Uint8Array> {
  let reading: Promise<Uint8Array> | undefined;
  return () => {
    reading ??= readBody(request, maxBytes);
    return reading;
  };
}

async function readBody(request: ToolRequest, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length')) > maxBytes) throw new Refusal(413);
  let body: Uint8Array | null;
  try {
    body = await (request.read?.(maxBytes) ?? readPieces(request, maxBytes));
  } catch {
    // Broken off, or read before by someone else.
    throw new Refusal(400);
  }
  if (body === null) throw new Refusal(413);
  return body;
}

async function readPieces({ body }: ToolRequest, maxBytes: number): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > maxBytes) return null;
    pieces.push(piece);
  }
  return joined(pieces, length);
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Keeps nothing from one text to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

export function parseBody(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    throw new Refusal(400);
  }
}
