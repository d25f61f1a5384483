/** Numbers as words of a sentence. */

/** `3 nodes`, or `nodes` without the number. */
export function counted(count: number, word: string, withNumber = true): string {
  const words = count === 1 ? word : `${word}s`;
  return withNumber ? `${grouped(count)} ${words}` : words;
}

/** `1,234,567`, the same in every locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',');
}
