/**
 * The form of an upload: a file from any source, read piece by piece while it is sent.
 *
 * In: a path, bytes, a Blob or a stream, and the caller's options. Out: query and body.
 * Invariants: a stream is read only once. What is empty, or a stream that has been read before, is
 * refused before anything is sent, so no attempt sends an empty file. No name or text can start a
 * form part of its own: names are escaped, and each upload gets a new, unguessable boundary.
 */
import type { Readable } from 'node:stream';
import { type ApiError, invalidArgument } from '../http/error.js';
import { type BodySource, encode, type SendArguments } from '../http/request.js';
import { anyBytes } from '../http/response.js';

/**
 * A path, the bytes themselves, or a stream that is read piece by piece. The upload never loads a
 * whole file into memory.
 */
export type UploadSource = string | Uint8Array | Blob | Stream;

interface Streams {
  from(pieces: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array>;
}

type Stream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** Options of the caller; they override what the source says about itself. */
export interface UploadOptions {
  /** Default: the last part of the path, the name of a File, otherwise `file`. */
  readonly name?: string;
  /** Default: the type of a Blob, otherwise `application/octet-stream`. */
  readonly contentType?: string;
  /** Opens a protected document. */
  readonly password?: string;
  readonly convertToPdf?: boolean;
}

/** A file to send; `name` and `contentType` are what the source says about it. */
interface FileSource extends Pick<BodySource, 'isSpent'> {
  open(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** In bytes, if known. */
  readonly length?: number;
  readonly name?: string | undefined;
  readonly contentType?: string;
}

/** Makes the error for a source that cannot be sent. */
type Refuse = (why?: string) => ApiError;

export async function uploadArguments(
  operation: string,
  given: UploadSource,
  options: UploadOptions = {},
): Promise<SendArguments> {
  const { password, convertToPdf } = options;
  const refuse: Refuse = (why = '') => invalidArgument(operation, `source${why}`);
  const file = await fileSourceOf(given, refuse);
  const { length, isSpent } = file;
  if (length === 0) throw refuse(' (empty)');
  const type = options.contentType || file.contentType || anyBytes;
  if (!/^[!-~]+\/[ -~]+$/.test(type)) throw invalidArgument(operation, 'contentType');
  const fileName = (options.name || file.name || 'file').replace(/[\p{Cc}"]/gu, encodeURIComponent);
  // RFC 2046 allows up to 70 characters.
  const boundary = `form-${crypto.randomUUID()}`;
  const part = (name: string, rest: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`;
  const head = encode(part('file', `; filename="${fileName}"\r\nContent-Type: ${type}\r\n\r\n`));
  const parts = password === undefined ? [] : [part('password', `\r\n\r\n${password}`)];
  const tail = encode(['', ...parts, `--${boundary}--\r\n`].join('\r\n'));
  async function* pieces() {
    yield head;
    yield* file.open();
    yield tail;
  }
  const source: BodySource = {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(length !== undefined && { 'content-length': `${head.length + length + tail.length}` }),
    },
    isSpent,
    // Node and browsers have it, but the types for browsers do not yet.
    open: () => (ReadableStream as unknown as Streams).from(pieces()),
  };
  return { query: [['convertToPdf', convertToPdf]], source, secrets: [password ?? ''] };
}

async function fileSourceOf(source: UploadSource, refuse: Refuse): Promise<FileSource> {
  if (typeof source === 'string') return atPath(source, refuse);
  if (source instanceof Uint8Array) return { length: source.length, open: () => [source] };
  if (!(source instanceof Blob)) return asStream(source, refuse);
  const { size, type, name }: Blob & { readonly name?: string } = source;
  return { length: size, contentType: type, name, open: () => source.stream() };
}

async function atPath(path: string, refuse: Refuse): Promise<FileSource> {
  const { createReadStream, promises } = await import('node:fs');
  const found = await promises.stat(path).catch(({ code }: { code: string }) => code);
  if (typeof found === 'string') throw refuse(` (${found})`);
  if (!found.isFile()) throw refuse(' (no file)');
  return {
    length: found.size,
    name: path.replace(/^.*[/\\]/s, ''),
    async *open() {
      let left = found.size;
      // Sends no more than was announced, even if the file has grown.
      for await (const piece of createReadStream(path, { end: left - 1 })) {
        left -= piece.length;
        yield piece;
      }
      if (left > 0) throw refuse(' (shortened)');
    },
  };
}

/** Reads the first piece now, to find out whether the stream is empty. */
async function asStream(source: Stream, refuse: Refuse): Promise<FileSource> {
  // A Node stream that was partly read would continue from there; others fail or are empty.
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

/** Node streams may yield strings; empty pieces are skipped. */
async function* bytesOf(source: Stream, refuse: Refuse): AsyncGenerator<Uint8Array, undefined> {
  for await (const given of source as AsyncIterable<unknown>) {
    const piece = typeof given === 'string' ? encode(given) : given;
    if (!(piece instanceof Uint8Array)) throw refuse();
    if (piece.length > 0) yield piece;
  }
}
