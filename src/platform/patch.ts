/** Applies edits to a text, and shows them in the format of `patch` and `git apply`. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Replaces the text from `start` up to `end`, in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that are in order and do not overlap. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}

/** The difference as a unified diff; empty if there is none. */
export function patchOf(path: string, before: string, after: string): string {
  if (before === after) return '';
  const options = { context: 3, headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(
    `a/${path}`,
    `b/${path}`,
    before,
    after,
    undefined,
    undefined,
    options,
  );
}
