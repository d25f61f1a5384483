/**
 * Writes the form of an upload, piece by piece.
 *
 * In: a file that is read only while it is sent, and the password that opens it, if there is one.
 * Out: a body for the request core. Invariants: names and texts stand in it so that none can begin a
 * part of its own: names escaped, and the boundary drawn anew for each form, too long to be guessed.
 */
import type { BodySource } from '../http/transport.js';
import type { FileSource } from './file-source.js';

export interface FormFile extends FileSource {
  readonly name: string;
  readonly contentType: string;
}

export function formOf(file: FormFile, password: string | undefined): BodySource {
  const { contentType, length, isSpent } = file;
  // RFC 2046 allows 70 characters.
  const boundary = `form-${crypto.randomUUID()}`;
  const part = (name: string, rest: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${rest}`;
  const name = file.name.replace(/[\r\n"]/g, encodeURIComponent);
  const head = encode(part('file', `; filename="${name}"\r\nContent-Type: ${contentType}\r\n\r\n`));
  const parts = password === undefined ? [] : [part('password', `\r\n\r\n${password}`)];
  const tail = encode(['', ...parts, `--${boundary}--\r\n`].join('\r\n'));
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    ...(length !== undefined && { length: head.length + length + tail.length }),
    isSpent,
    async *open() {
      yield head;
      yield* file.open();
      yield tail;
    },
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
