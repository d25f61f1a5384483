/** A place in a text up to which it has been accounted for. */

export interface Cursor {
  readonly text: string;
  at: number;
  readonly end: number;
}

/** Moves past the words where they stand here; false where they do not. */
export function eat(cursor: Cursor, words: string): boolean {
  const next = cursor.at + words.length;
  if (next > cursor.end || !stands(cursor.text, words, cursor.at)) return false;
  cursor.at = next;
  return true;
}

/** From this length on, cutting a part out and comparing it costs less than letter by letter. */
const long = 20;

/** As `startsWith`, which looks at one letter after the other. */
function stands(text: string, words: string, at: number): boolean {
  const { length } = words;
  if (length < long) return text.startsWith(words, at);
  return text.charCodeAt(at) === words.charCodeAt(0) && text.slice(at, at + length) === words;
}

/** Moves past a number; null where there is none. */
export function eatNumber(cursor: Cursor): number | null {
  let number: number | null = null;
  for (; cursor.at < cursor.end; cursor.at += 1) {
    const digit = cursor.text.charCodeAt(cursor.at) - zero;
    if (digit < 0 || digit > 9) break;
    number = (number ?? 0) * 10 + digit;
  }
  return number;
}

const zero = 48;

/** Moves past what the sticky pattern matches here; null where it does not. */
export function eatPattern(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null || cursor.at + found[0].length > cursor.end) return null;
  cursor.at += found[0].length;
  return found;
}

/** Moves to the beginning of the next line. */
export function skipLine(cursor: Cursor): void {
  const newline = cursor.text.indexOf('\n', cursor.at);
  cursor.at = newline === -1 || newline + 1 > cursor.end ? cursor.end : newline + 1;
}

/** Moves to the beginning of the next line and returns what was passed. */
export function takeLine(cursor: Cursor): string {
  const from = cursor.at;
  skipLine(cursor);
  return cursor.text.slice(from, cursor.at);
}
