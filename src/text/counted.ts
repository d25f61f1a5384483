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

/** Minutes as `45 min`, `3 h 20 min`. */
export function duration(minutes: number): string {
  const hours = Math.floor(minutes / 60);
  const rest = minutes - hours * 60;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${grouped(hours)} h` : `${grouped(hours)} h ${rest} min`;
}
