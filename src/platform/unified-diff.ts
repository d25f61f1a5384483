/**
 * The edits of one text as a unified diff.
 *
 * In: the text, and edits in order that do not overlap. Out: hunks with three lines of context, as
 * `patch` and `git apply` read them; empty without edits. Lines keep their ends, CRLF too.
 */
import type { Edit } from './caller-place.js';
import { withEdits } from './callers.js';
import { lineIndexOf, linesOf, type TextLines } from './text-lines.js';

const context = 3;

/** Adjacent lines of the old text that change, from the first to before the end, and their edits. */
interface Change {
  readonly first: number;
  end: number;
  readonly edits: Edit[];
}

/** The diff of the file from its text to the text with the edits. */
export function unifiedDiff(path: string, text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return '';
  const lines = linesOf(text);
  const total = text.endsWith('\n') ? lines.starts.length - 1 : lines.starts.length;
  const out = [`--- a/${path}\n+++ b/${path}\n`];
  let shift = 0;
  for (const hunk of hunksOf(changesOf(lines, edits))) {
    const printed = printHunk(text, lines, total, hunk, shift);
    out.push(printed.text);
    shift = printed.shift;
  }
  return out.join('');
}

function changesOf(lines: TextLines, edits: readonly Edit[]): Change[] {
  const changes: Change[] = [];
  for (const edit of edits) {
    const first = lineIndexOf(lines, edit.start);
    const end = lineIndexOf(lines, Math.max(edit.start, edit.end - 1)) + 1;
    const last = changes.at(-1);
    if (last !== undefined && first <= last.end) {
      last.edits.push(edit);
      last.end = Math.max(last.end, end);
    } else {
      changes.push({ first, end, edits: [edit] });
    }
  }
  return changes;
}

/** Changes whose contexts touch are one hunk. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const hunk = hunks.at(-1);
    const last = hunk?.at(-1);
    if (hunk !== undefined && last !== undefined && change.first - last.end <= 2 * context) {
      hunk.push(change);
    } else {
      hunks.push([change]);
    }
  }
  return hunks;
}

function printHunk(
  text: string,
  lines: TextLines,
  total: number,
  hunk: readonly Change[],
  shift: number,
): { text: string; shift: number } {
  const from = Math.max(0, (hunk[0] as Change).first - context);
  const to = Math.min(total, (hunk.at(-1) as Change).end + context);
  const body: string[] = [];
  let at = from;
  let added = 0;
  for (const change of hunk) {
    body.push(...rows(' ', textOfLines(text, lines, at, change.first)));
    body.push(...rows('-', textOfLines(text, lines, change.first, change.end)));
    const after = rows('+', changedText(text, lines, change));
    body.push(...after);
    added += after.length - (change.end - change.first);
    at = change.end;
  }
  body.push(...rows(' ', textOfLines(text, lines, at, to)));
  const head = `@@ -${range(from, to - from)} +${range(from + shift, to - from + added)} @@\n`;
  return { text: head + body.join(''), shift: shift + added };
}

function range(from: number, count: number): string {
  return count === 1 ? `${from + 1}` : `${from + 1},${count}`;
}

function textOfLines(text: string, { starts }: TextLines, from: number, to: number): string {
  return text.slice(starts[from] ?? text.length, starts[to] ?? text.length);
}

function changedText(text: string, lines: TextLines, { first, end, edits }: Change): string {
  const base = lines.starts[first] as number;
  const moved = edits.map((edit) => ({
    start: edit.start - base,
    end: edit.end - base,
    text: edit.text,
  }));
  return withEdits(textOfLines(text, lines, first, end), moved);
}

/** Each line with its sign; a last line without an end says so, as `diff` does. */
function rows(sign: string, text: string): string[] {
  if (text === '') return [];
  const parts = text.split('\n');
  const unfinished = parts.pop() as string;
  const finished = parts.map((line) => `${sign}${line}\n`);
  if (unfinished === '') return finished;
  return [...finished, `${sign}${unfinished}\n\\ No newline at end of file\n`];
}
