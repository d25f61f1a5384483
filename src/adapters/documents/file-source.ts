/**
 * A file to be sent, wherever it stands, read piece by piece while it is sent.
 *
 * In: a path, bytes, a Blob or a stream. Out: how it is read, how long it is and whether it can be
 * read again. Guarantee: a stream is read once; read before or empty it is refused before anything
 * is sent, so that no attempt sends nothing in its place.
 */
import type { Readable } from 'node:stream';
import { invalidArgument } from '../http/api-error.js';

export type UploadSource =
  | string
  | Uint8Array
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>;

export interface FileSource {
  /** In bytes, where it is known before it is read. */
  readonly length?: number;
  readonly replayable: boolean;
  open(): AsyncIterable<Uint8Array>;
  /** What the source itself says about it. */
  readonly name?: string;
  readonly contentType?: string;
}

export async function fileSourceOf(operation: string, source: UploadSource): Promise<FileSource> {
  if (typeof source === 'string') return atPath(operation, source);
  if (source instanceof Uint8Array) return inMemory(source);
  if (source instanceof Blob) return asBlob(source);
  return asStream(operation, source);
}

async function atPath(operation: string, path: string): Promise<FileSource> {
  const { open, stat } = await import('node:fs/promises');
  const { basename } = await import('node:path');
  const found = await stat(path).catch(({ code }: { code: string }) => ({ code }));
  if (!('isFile' in found && found.isFile())) {
    throw invalidArgument(operation, `source (${'code' in found ? found.code : 'no file'})`);
  }
  const length = found.size;
  return {
    length,
    replayable: true,
    name: basename(path),
    async *open() {
      const file = await open(path);
      try {
        for (let left = length; left > 0; ) {
          // A buffer of its own for each piece: the one before may still be on its way.
          const { bytesRead, buffer } = await file.read(
            new Uint8Array(Math.min(left, pieceLength)),
          );
          if (bytesRead === 0) throw invalidArgument(operation, 'source (shortened)');
          left -= bytesRead;
          yield buffer.subarray(0, bytesRead);
        }
      } finally {
        await file.close();
      }
    },
  };
}

const pieceLength = 65_536;

function inMemory(bytes: Uint8Array): FileSource {
  return {
    length: bytes.length,
    replayable: true,
    async *open() {
      yield bytes;
    },
  };
}

function asBlob(blob: Blob & { readonly name?: string }): FileSource {
  return {
    length: blob.size,
    replayable: true,
    contentType: blob.type,
    ...(blob.name && { name: blob.name }),
    open: () => blob.stream(),
  };
}

/** The first piece is read now: it shows whether there is anything in the stream. */
async function asStream(operation: string, source: unknown): Promise<FileSource> {
  if (!(Symbol.asyncIterator in Object(source)) || isUsed(source as Stream)) {
    throw invalidArgument(operation, 'source');
  }
  const pieces = bytesOf(operation, source as Stream);
  const first = await pieces.next().catch(() => ({ done: true, value: undefined }));
  if (first.done) throw invalidArgument(operation, 'source');
  let opened = false;
  return {
    replayable: false,
    async *open() {
      if (opened) throw invalidArgument(operation, 'source');
      opened = true;
      yield first.value as Uint8Array;
      yield* pieces;
    },
  };
}

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Node's streams and those of the web each say it in their way, as far as they say it. */
function isUsed(source: Stream): boolean {
  const { locked, readableDidRead, destroyed } = source as Partial<ReadableStream & Readable>;
  return Boolean(locked || readableDidRead || destroyed);
}

/** Streams of Node may hand out texts; empty pieces are passed over. */
async function* bytesOf(operation: string, source: Stream): AsyncGenerator<Uint8Array, undefined> {
  for await (const given of source as AsyncIterable<unknown>) {
    const piece = typeof given === 'string' ? new TextEncoder().encode(given) : given;
    if (!(piece instanceof Uint8Array)) throw invalidArgument(operation, 'source');
    if (piece.length > 0) yield piece;
  }
}
