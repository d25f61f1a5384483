/**
 * A file to be sent, wherever it stands, read piece by piece while it is sent.
 *
 * In: a path, bytes, a Blob or a stream. Out: how it is read, how long it is and whether it can be
 * read again. Guarantee: a stream is read once; read before or empty it is refused before anything
 * is sent, so that no attempt sends nothing in its place.
 */
import type { Readable } from 'node:stream';
import { type ApiError, invalidArgument } from '../http/api-error.js';

/**
 * A path, the bytes themselves, or a stream that is read piece by piece; never held whole in
 * memory unless it comes so.
 */
export type UploadSource =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface FileSource {
  /** In bytes, where it is known before it is read. */
  readonly length?: number;
  /** Whether it was begun and cannot be read again. Absent: it can always be. */
  readonly isSpent?: () => boolean;
  open(): AsyncIterable<Uint8Array>;
  /** What the source itself says about it. */
  readonly name?: string;
  readonly contentType?: string;
}

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** The error for a source that cannot be sent, and why. */
type Refuse = (why?: string) => ApiError;

export async function fileSourceOf(operation: string, source: UploadSource): Promise<FileSource> {
  const refuse = (why = '') => invalidArgument(operation, `source${why}`);
  if (typeof source === 'string') return atPath(source, refuse);
  if (source instanceof Uint8Array) return inMemory(source);
  return source instanceof Blob ? asBlob(source) : asStream(source, refuse);
}

async function atPath(path: string, refuse: Refuse): Promise<FileSource> {
  const { createReadStream, promises } = await import('node:fs');
  const found = await promises.stat(path).catch(({ code }: { code: string }) => ` (${code})`);
  if (typeof found === 'string') throw refuse(found);
  if (!found.isFile()) throw refuse(' (no file)');
  const { size: length } = found;
  return {
    length,
    name: path.replace(/^.*[/\\]/s, ''),
    async *open() {
      let left = length;
      // No more than was announced, even if the file has grown.
      for await (const piece of left > 0 ? createReadStream(path, { end: left - 1 }) : []) {
        left -= piece.length;
        yield piece;
      }
      if (left > 0) throw refuse(' (shortened)');
    },
  };
}

function inMemory(bytes: Uint8Array): FileSource {
  return {
    length: bytes.length,
    async *open() {
      yield bytes;
    },
  };
}

function asBlob(blob: Blob & { readonly name?: string }): FileSource {
  return {
    length: blob.size,
    contentType: blob.type,
    ...(blob.name && { name: blob.name }),
    open: () => blob.stream(),
  };
}

/** The first piece is read now: it shows whether there is anything in the stream. */
async function asStream(source: Stream, refuse: Refuse): Promise<FileSource> {
  // One of Node goes on where it was left; others that were read refuse, or have nothing to give.
  if ((source as Partial<Readable> | undefined)?.readableDidRead) throw refuse();
  const pieces = bytesOf(source, refuse);
  let first = (await pieces.next().catch(() => undefined))?.value;
  if (first === undefined) throw refuse();
  return {
    isSpent: () => first === undefined,
    async *open() {
      if (first === undefined) throw refuse();
      const begun = first;
      first = undefined;
      yield begun;
      yield* pieces;
    },
  };
}

/** Streams of Node may hand out texts; empty pieces are passed over. */
async function* bytesOf(source: Stream, refuse: Refuse): AsyncGenerator<Uint8Array, undefined> {
  for await (const given of source as AsyncIterable<unknown>) {
    const piece = typeof given === 'string' ? new TextEncoder().encode(given) : given;
    if (!(piece instanceof Uint8Array)) throw refuse();
    if (piece.length > 0) yield piece;
  }
}
