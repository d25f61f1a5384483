/** Lines and columns of a text, both counted from 1; columns are code units. */

export interface TextLines {
  /** Where each line begins. */
  readonly starts: readonly number[];
}

/** The lines of the text; a line end belongs to the line before it. */
export function linesOf(text: string): TextLines {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return { starts };
}

/** The number of the line that the offset is in, from 0. */
export function lineIndexOf({ starts }: TextLines, offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] as number) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Line and column of an offset. */
export function placeAt(lines: TextLines, offset: number): { line: number; column: number } {
  const index = lineIndexOf(lines, offset);
  return { line: index + 1, column: offset - (lines.starts[index] as number) + 1 };
}
