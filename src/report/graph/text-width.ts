/**
 * How wide a text is drawn, without a font at hand.
 *
 * The widths are those of Helvetica and Arial with a margin, because a reader's font may be a wider
 * one: a text that is drawn narrower than measured does no harm. In thousandths of the size.
 */

const margin = 1.14;

/** ASCII, from the space on. */
const ascii = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/** Marks that are drawn on the character before, joiners, and what is not drawn at all. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}]$/u;

/** East Asian letters and signs, and pictures. */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1b000}-\u{1b2ff}\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]$/u;

/** The width of one character; of other scripts a width that most of their letters keep. */
function unitsOf(character: string): number {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return 0;
  if (code < 0x7f) return ascii[code - 0x20]!;
  if (zeroWidth.test(character)) return 0;
  if (wide.test(character)) return 1150;
  // Many scripts have letters that are wider than ours.
  return code < 0x250 ? 680 : 860;
}

export function textWidth(text: string, size: number): number {
  let units = 0;
  for (const character of text) units += unitsOf(character);
  return (units * size * margin) / 1000;
}

/** Whether a character belongs to the one before it, so that no line may end between them. */
export function joinsBefore(character: string): boolean {
  return zeroWidth.test(character) || /^[\p{Mc}\p{Emoji_Modifier}]$/u.test(character);
}
