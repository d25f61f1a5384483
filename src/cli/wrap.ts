/** Breaks running text into lines for a terminal. */

const readable = 100;

/** The text, each line indented and broken between words so that it fits the width. */
export function indented(text: string, width: number, indent = 2): string {
  const room = Math.max(20, Math.min(width, readable) - indent);
  const margin = ' '.repeat(indent);
  return text
    .split('\n')
    .flatMap((line) => linesOf(line, room))
    .map((line) => (line === '' ? '' : margin + line))
    .join('\n');
}

function linesOf(text: string, room: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1] ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= room) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
