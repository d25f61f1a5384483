/**
 * A text of a document as it may be shown: on one line, and without what would steer the display.
 *
 * Controls, characters that XML does not allow, halves of surrogate pairs, and the marks that change
 * the order of what follows are left out.
 */
export function plainText(text: string): string {
  return text.toWellFormed().replace(/\s+/gu, ' ').replace(unshown, '').trim();
}

const unshown =
  /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff]/gu;

/** The beginning of a text as it may be shown; one that is longer ends in `…`. */
export function beginning(text: string, length: number): string {
  const characters = [...plainText(text.slice(0, 4 * length))];
  if (characters.length <= length && text.length <= 4 * length) return characters.join('');
  return `${characters.slice(0, length).join('').trimEnd()}…`;
}
