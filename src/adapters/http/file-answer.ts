/** A file that a service answers with, from a stream or from bytes that were read before. */
import { headerOf } from './headers.js';
import type { AnswerHeaders } from './transport.js';

/** A file that is handed out while it arrives: read `body` to its end, or cancel it. */
export interface FileAnswer {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** The last part of the name that the service gives; never a path. */
  readonly filename?: string;
  /** In bytes, where it is known before the end. */
  readonly size?: number;
}

export function fileOf(headers: AnswerHeaders, body: FileAnswer['body'], bytes = 0): FileAnswer {
  const filename = fileNameOf(headerOf(headers, 'content-disposition'));
  const size = bytes || Number(headers['content-length'] ?? -1);
  return {
    body,
    contentType: headerOf(headers, 'content-type') || 'application/octet-stream',
    ...(filename && { filename }),
    ...(size >= 0 && { size }),
  };
}

/**
 * Reads the name of a file from `Content-Disposition`: the last part of it alone, since it comes
 * from outside and is likely to be joined to a folder. The extended form goes before the plain one.
 */
export function fileNameOf(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header);
  let name = plain?.[2] ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? '';
  try {
    name = decodeURIComponent(extended ?? '') || name;
  } catch {
    // The plain form is there for those who cannot read the other.
  }
  const part = name.replace(/^.*[/\\]/s, '');
  return /^\.{0,2}$|\p{Cc}/u.test(part) ? undefined : part;
}
