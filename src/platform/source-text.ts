/** A file's bytes as a text that can be written back as it was, or why it is none. */

/** Longer files are made by programs; those are changed at their source. */
export const maxBytes = 2 * 1024 * 1024;

const mark = '\ufeff';

export interface SourceText {
  /** The byte order mark, where the file begins with one. */
  readonly mark: string;
  readonly text: string;
}

/** The text of the bytes; null where they are none (a NUL, or no UTF-8). */
export function sourceText(bytes: Uint8Array): SourceText | null {
  if (bytes.includes(0)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith(mark) ? { mark, text: text.slice(1) } : { mark: '', text };
  } catch {
    return null;
  }
}
