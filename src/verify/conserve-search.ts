/** Searches for many texts in long ones, in time that does not grow with their product. */

export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

export const wordsIn = (text: string) => text.matchAll(/[\p{L}\p{N}]+/gu);

/** Where the rarest word within a text begins in it, and what is known of that word. */
export function rarest<T>(text: string, known: ReadonlyMap<string, readonly T[]>) {
  let rare: { readonly at: number; readonly found: readonly T[] } | null = null;
  for (const { 0: word, index } of wordsIn(text)) {
    // At its ends, a text may continue a word.
    if (index === 0 || index + word.length === text.length) continue;
    const found = known.get(word) ?? [];
    if (rare === null || found.length < rare.found.length) rare = { at: index, found };
  }
  return rare;
}

/** A test of whether a long text contains another, by the positions of its words. */
export function createSearch(text: string) {
  const positions = new Map<string, number[]>();
  for (const { 0: word, index } of wordsIn(text)) append(positions, word, index);
  return (part: string): boolean => {
    const rare = rarest(part, positions);
    if (rare === null) return text.includes(part);
    return rare.found.some((at) => at >= rare.at && text.startsWith(part, at - rare.at));
  };
}
