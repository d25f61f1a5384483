/**
 * Lays out JSON without touching its values: numbers keep their digits, and of keys that occur
 * twice both stay, which parsing and printing would not keep.
 */

/** Beyond this depth the margin would outgrow the text. */
const maxDepth = 100;

const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** The text (valid JSON) without white space between its values. */
export function compact(text: string): string {
  return (text.match(token) ?? []).join('');
}

/** The text (valid JSON) with two spaces for each level; as it was where it is nested too deeply. */
export function laidOut(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let previous = '';
  for (const [each] of text.matchAll(token)) {
    const closes = each === '}' || each === ']';
    if (closes) depth -= 1;
    const afterOpening = previous === '{' || previous === '[';
    if (closes ? !afterOpening : afterOpening || previous === ',') {
      parts.push(`\n${'  '.repeat(depth)}`);
    }
    parts.push(each === ':' ? ': ' : each);
    if (each === '{' || each === '[') depth += 1;
    if (depth > maxDepth) return text;
    previous = each;
  }
  return `${parts.join('')}\n`;
}
