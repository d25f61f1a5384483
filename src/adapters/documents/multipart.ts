/**
 * Writes a form with one file, piece by piece.
 *
 * In: texts and a file that is read only while it is sent. Out: a body for the request core.
 * Invariants: names and texts stand in it escaped, so that none can begin a part of its own; the
 * boundary is drawn anew for each form and is too long to be met in a file.
 */
import type { BodySource } from '../http/transport.js';
import type { FileSource } from './file-source.js';

export interface FormFile extends FileSource {
  readonly name: string;
  readonly contentType: string;
}

export function formOf(file: FormFile, texts: Readonly<Record<string, string>>): BodySource {
  const boundary = `form-${crypto.randomUUID()}-${crypto.randomUUID()}`;
  const head = encode(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(file.name)}"` +
      `\r\nContent-Type: ${file.contentType}\r\n\r\n`,
  );
  const fields = Object.entries(texts).map(
    ([name, text]) =>
      `\r\n--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${text}`,
  );
  const tail = encode(`${fields.join('')}\r\n--${boundary}--\r\n`);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    ...(file.length === undefined ? {} : { length: head.length + file.length + tail.length }),
    replayable: file.replayable,
    async *open() {
      yield head;
      yield* file.open();
      yield tail;
    },
  };
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** As browsers write it. */
const escaped = (text: string): string =>
  text.replace(/[\r\n"]/g, (character) => encodeURIComponent(character));
