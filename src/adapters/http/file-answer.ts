/** A file that a service answers with, from a stream or from bytes that were read before. */
import { fileNameOf } from './file-name.js';
import { headerOf } from './headers.js';
import type { AnswerHeaders } from './transport.js';

export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** The last part of the name that the service gives; never a path. */
  readonly filename?: string;
  /** In bytes, where it is known before the end. */
  readonly size?: number;
}

export function fileOf(
  headers: AnswerHeaders,
  content: ReadableStream<Uint8Array> | Uint8Array,
): FileAnswer {
  const whole = content instanceof Uint8Array;
  const length = whole ? content.length : headers['content-length'];
  const filename = fileNameOf(headerOf(headers, 'content-disposition'));
  return {
    body: whole ? new Blob([content as Uint8Array<ArrayBuffer>]).stream() : content,
    contentType: headerOf(headers, 'content-type') || 'application/octet-stream',
    ...(filename === undefined ? {} : { filename }),
    ...(length === undefined ? {} : { size: Number(length) }),
  };
}
