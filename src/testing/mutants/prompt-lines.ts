/** A prompt as lines, and parts of it by their offsets. */

/** A part of the prompt, by its offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** `Say: "…"` or an instruction, with the line that it stands in. */
export interface Quote {
  readonly line: Span;
  readonly text: Span;
}

export interface Line {
  readonly text: string;
  readonly start: number;
}

const said = /^( *Say: ")(.*)"$/;

/** Line breaks inside of the source's texts become something else, and all offsets stay. */
export function mask(text: string, multiline: readonly string[]): string {
  let masked = text;
  for (const each of multiline) {
    masked = masked.replaceAll(each, () => each.replaceAll('\n', '\u0001'));
  }
  return masked;
}

export function listLines(text: string): Line[] {
  let start = 0;
  return text.split('\n').map((line) => {
    const found = { text: line, start };
    start += line.length + 1;
    return found;
  });
}

export function spanOf({ text, start }: Line, from = 0, length = text.length - from): Span {
  return { start: start + from, end: start + from + length };
}

/** The line with its line break. */
export function wholeOf(line: Line): Span {
  return spanOf(line, 0, line.text.length + 1);
}

export function viewSaid(line: Line): Quote[] {
  const [, before, text] = said.exec(line.text) ?? [];
  if (before === undefined || text === undefined) return [];
  return [{ line: wholeOf(line), text: spanOf(line, before.length, text.length) }];
}
