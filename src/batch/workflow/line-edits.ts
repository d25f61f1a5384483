/**
 * The edits that make one text of another, line by line.
 *
 * In: two texts. Out: replacements in the old text, in order, that do not overlap; few of them, by
 * the greedy search for the shortest way (Myers 1986) between what both begin and end with. Texts
 * that have next to nothing in common are replaced from the first difference to the last.
 */

/** A part of the old text, in UTF-16 units, and what stands there in the new one. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Lines that are gone or new; above it, the texts are not compared any further. */
const mostChanges = 1000;

export function lineEdits(before: string, after: string): LineEdit[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, now.length) - start;
  while (same < most && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  const [a, b] = [old.slice(start, old.length - same), now.slice(start, now.length - same)];
  return editsOf(changesOf(a, b), a, b, lengthOf(old.slice(0, start)));
}

/** With their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** Lines of the old text that give way to lines of the new one. */
interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

function changesOf(a: readonly string[], b: readonly string[]): Change[] {
  if (a.length === 0 && b.length === 0) return [];
  const kept = a.length === 0 || b.length === 0 ? [] : (keptLines(a, b) ?? []);
  const changes: Change[] = [];
  let [x, y] = [0, 0];
  for (const [oldLine, newLine] of [...kept, [a.length, b.length] as const]) {
    if (oldLine > x || newLine > y) {
      changes.push({ oldStart: x, oldEnd: oldLine, newStart: y, newEnd: newLine });
    }
    [x, y] = [oldLine + 1, newLine + 1];
  }
  return changes;
}

/** Pairs of equal lines on a shortest way; null where it is too long. */
function keptLines(
  a: readonly string[],
  b: readonly string[],
): (readonly [number, number])[] | null {
  // By diagonal, shifted so that all are from 0 on: how far the old text is used up.
  const most = Math.min(a.length + b.length, mostChanges);
  const reach = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let changes = 0; changes <= most; changes += 1) {
    trail.push(reach.slice());
    for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
      let { x } = entryOf(reach, diagonal, changes, most);
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x += 1;
      reach[diagonal + most + 1] = x;
      if (x >= a.length && x - diagonal >= b.length) return wayBack(trail, a, b, most);
    }
  }
  return null;
}

/** Where the diagonal is entered: by a line that is new, or by one that is gone. */
function entryOf(reach: Int32Array, diagonal: number, changes: number, most: number) {
  if (changes === 0) return { x: 0, isNew: false };
  const below = reach[diagonal + most] as number;
  const above = reach[diagonal + most + 2] as number;
  const isNew = diagonal === -changes || (diagonal !== changes && below < above);
  return { x: isNew ? above : below + 1, isNew };
}

function wayBack(
  trail: readonly Int32Array[],
  a: readonly string[],
  b: readonly string[],
  most: number,
): (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  let [x, y] = [a.length, b.length];
  for (let changes = trail.length - 1; changes >= 0; changes -= 1) {
    const diagonal = x - y;
    const entry = entryOf(trail[changes] as Int32Array, diagonal, changes, most);
    while (x > entry.x) {
      [x, y] = [x - 1, y - 1];
      kept.push([x, y]);
    }
    if (entry.isNew) y -= 1;
    else x -= 1;
  }
  return kept.reverse();
}

function editsOf(
  changes: readonly Change[],
  a: readonly string[],
  b: readonly string[],
  offset: number,
): LineEdit[] {
  let at = offset;
  let line = 0;
  return changes.map(({ oldStart, oldEnd, newStart, newEnd }) => {
    const start = at + lengthOf(a.slice(line, oldStart));
    const end = start + lengthOf(a.slice(oldStart, oldEnd));
    [at, line] = [end, oldEnd];
    return { start, end, text: b.slice(newStart, newEnd).join('') };
  });
}

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}
