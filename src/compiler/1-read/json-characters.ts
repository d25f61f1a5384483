/** The characters that JSON is made of, and where its texts end. */

export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBracket = 0x5b;
const backslash = 0x5c;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

/**
 * Offset of the quote that ends the string which begins at `start`; the end of the text where none
 * does. A quote is escaped by an odd number of backslashes.
 */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  for (; end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}
