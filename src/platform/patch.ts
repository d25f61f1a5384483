/** Changes of a text: made, and shown as `patch` and `git apply` read them. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** A replacement of the text from `start` to before `end`, in code units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The text with the edits made; they are in order and do not overlap. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}

/** The difference as a unified diff; empty where there is none. */
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
