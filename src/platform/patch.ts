/** Applies edits to a text, and shows them in the format of `patch` and `git apply`. */
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Unchanged lines around a change. */
const context = 3;

/** Replaces the text from `start` up to `end`, in UTF-16 units. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits that are in order and do not overlap. */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let end = 0;
  for (const edit of edits) {
    parts.push(text.slice(end, edit.start), edit.text);
    end = edit.end;
  }
  return parts.join('') + text.slice(end);
}

/** The difference of two texts as a unified diff. */
export function patchOf(path: string, before: string, after: string): string {
  const options = { context, headerOptions: FILE_HEADERS_ONLY };
  const [from, to] = [`a/${path}`, `b/${path}`];
  return createTwoFilesPatch(from, to, before, after, undefined, undefined, options);
}

/** The same for texts whose lines correspond; nothing has to be searched for, however many differ. */
export function patchOfLines(path: string, before: string, after: string): string {
  const [lines, others] = [before, after].map((text) => text.split(/(?<=\n)/)) as [
    string[],
    string[],
  ];
  const changed = lines.flatMap((line, index) => (line === others[index] ? [] : [index]));
  const hunks = [`--- ${nameOf(`a/${path}`)}\n+++ ${nameOf(`b/${path}`)}\n`];
  for (let [first, last] = [0, 0]; first < changed.length; first = last += 1) {
    while (changed[last + 1]! - changed[last]! <= 2 * context + 1) last += 1;
    const start = Math.max(0, changed[first]! - context);
    const end = Math.min(lines.length, changed[last]! + context + 1);
    hunks.push(`@@ -${start + 1},${end - start} +${start + 1},${end - start} @@\n`);
    let added = '';
    for (let index = start; index < end; index += 1) {
      const isSame = lines[index] === others[index];
      hunks.push(isSame ? added : '', marked(isSame ? ' ' : '-', lines[index]!));
      added = isSame ? '' : added + marked('+', others[index]!);
    }
    hunks.push(added);
  }
  return hunks.join('');
}

const marked = (mark: string, line: string) =>
  `${mark}${line}${line.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`;

/** A name as git writes it: a tab ends one with spaces, and quotes surround one with control characters. */
function nameOf(path: string): string {
  if (!/[\p{Cc}"\\]/u.test(path)) return path.includes(' ') ? `${path}\t` : path;
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;
  return `"${path.replace(/[\p{Cc}"\\]/gu, (it) => [...Buffer.from(it)].map(octal).join(''))}"`;
}
