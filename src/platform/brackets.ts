/**
 * The words of a text with the brackets around them, in one pass and in any language.
 *
 * Strings and comments are not told from code, so a bracket in a string may have no partner: one
 * that does not fit the innermost open bracket is ignored, except that `}` closes everything in its
 * braces.
 */

/** A pair of brackets, or the whole text. */
export interface Brackets {
  readonly open: '' | '(' | '[' | '{';
  readonly start: number;
  /** The offset of the closing bracket, or of the end of the text. */
  end: number;
  /** The offsets of the commas directly in it, if something is called with it. */
  readonly commas: number[] | null;
}

/** A word: letters, digits, `_`, `$` and `-`. */
export interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly inside: Brackets;
  /** The parentheses after the word, if it is called. */
  call?: Brackets;
}

/** Longer words are no names. */
const longestName = 120;

/** The words that match, in order. */
export function wordsOf(text: string, wanted: RegExp): Word[] {
  const words: Word[] = [];
  const stack: Brackets[] = [{ open: '', start: 0, end: text.length, commas: null }];
  let braces = 0;
  for (const { 0: token, index: start } of text.matchAll(/[\p{ID_Continue}$-]+|[()[\]{},]/gu)) {
    const inside = stack.at(-1)!;
    if (token === ',') inside.commas?.push(start);
    else if (token === '(' || token === '[' || token === '{') {
      const word = words.at(-1);
      const isCall = token === '(' && word !== undefined && isCalled(text, word.end, start);
      const commas = isCall ? [] : null;
      const brackets: Brackets = { open: token, start, end: text.length, commas };
      if (isCall) word.call = brackets;
      if (token === '{') braces += 1;
      stack.push(brackets);
    } else if (token === '}') {
      if (braces === 0) continue;
      braces -= 1;
      for (let closed = inside; ; closed = stack.at(-1)!) {
        closed.end = start;
        stack.pop();
        if (closed.open === '{') break;
      }
    } else if (token === ')' || token === ']') {
      if (inside.open !== (token === ')' ? '(' : '[')) continue;
      inside.end = start;
      stack.pop();
    } else if (token.length <= longestName && wanted.test(token)) {
      words.push({ text: token, start, end: start + token.length, inside });
    }
  }
  return words;
}

/** Whether nothing but `?.` and type arguments stands between a word and its parenthesis. */
function isCalled(text: string, end: number, parenthesis: number): boolean {
  if (parenthesis - end > 100) return false;
  return /^\s*(?:\?\.)?\s*(?:<[^()<>]*>)?$/.test(text.slice(end, parenthesis));
}
