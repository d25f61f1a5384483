/** Sentences of squadc's own in Markdown: they may have code in them, and neither cells nor HTML. */
export function ownText(text: string): string {
  return text.replaceAll('|', '&#124;').replaceAll('<', '&lt;');
}
