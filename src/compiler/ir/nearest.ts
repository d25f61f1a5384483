/** The known name that was probably meant. */
import { distance } from 'fastest-levenshtein';

/**
 * The candidate within a third of the text's length in edits, case and separators aside; the first
 * by name where several are as near, null where none is.
 */
export function findNearest(text: string, candidates: Iterable<string>): string | null {
  const meant = fold(text);
  let nearest: string | null = null;
  let least = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const candidate of [...candidates].sort()) {
    if (candidate === text || Math.abs(candidate.length - text.length) > least + 2) continue;
    const edits = distance(meant, fold(candidate));
    if (edits >= least) continue;
    nearest = candidate;
    least = edits;
  }
  return nearest;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}
