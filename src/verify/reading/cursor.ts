/** A place in a text up to which it has been accounted for. */

export interface Cursor {
  readonly text: string;
  at: number;
  readonly end: number;
}

/** Moves past the words where they stand here; false where they do not. */
export function eat(cursor: Cursor, words: string): boolean {
  const next = cursor.at + words.length;
  if (next > cursor.end || !cursor.text.startsWith(words, cursor.at)) return false;
  cursor.at = next;
  return true;
}

/** Moves past what the sticky pattern matches here; null where it does not. */
export function eatPattern(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null || cursor.at + found[0].length > cursor.end) return null;
  cursor.at += found[0].length;
  return found;
}

/** Moves to the beginning of the next line and returns what was passed. */
export function skipLine(cursor: Cursor): string {
  const from = cursor.at;
  const newline = cursor.text.indexOf('\n', from);
  cursor.at = newline === -1 || newline + 1 > cursor.end ? cursor.end : newline + 1;
  return cursor.text.slice(from, cursor.at);
}
