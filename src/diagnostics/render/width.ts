/** How many columns of a terminal a character takes. */

/** The columns of one character as it is shown; of several, one each. */
export function widthOf(shown: string): number {
  if (shown.length > 2) return shown.length;
  if (/^[\p{Mn}\p{Me}]/u.test(shown)) return 0;
  return isWide(shown) ? 2 : 1;
}

function isWide(character: string): boolean {
  if (/[\uff61-\uffdc]/u.test(character)) return false;
  return /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u.test(
    character,
  );
}
