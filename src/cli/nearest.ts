/** Finds what a mistyped word was meant to be. */

/** The candidate with the fewest edits, or null where none is near; the first of equals. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  let best: string | null = null;
  // Up to a third of the word may be wrong, and always two letters.
  let limit = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(word.length - candidate.length) >= limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance >= limit) continue;
    best = candidate;
    limit = distance;
  }
  return best;
}

/** Suggestion for the end of a message, in the form that the argument parser uses. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const suggestion = nearest(word, candidates);
  return suggestion === null ? '' : `\n(Did you mean ${suggestion}?)`;
}

/** Insertions, deletions and replacements between the two words (Levenshtein). */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const deleted = (previous[column] ?? 0) + 1;
      const inserted = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, deleted, inserted));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
