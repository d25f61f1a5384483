import { escapeControls } from '../quote.js';

/** A place in a file that was read. */
export interface FilePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** In the form that editors and terminals take for a link. */
export function inFile({ file, line, column }: FilePlace): string {
  return `${escapeControls(file)}:${line}:${column}`;
}
