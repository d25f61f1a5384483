/** How generators and laws choose by random numbers. */

/** The element that a random number falls on. */
export function wheel<T>(list: readonly T[], number: number): T {
  if (list.length === 0) throw new RangeError('nothing to choose from');
  return list[number % list.length]!;
}

/** One number after the other, and from the start again; zero where there are none. */
export function drawing(numbers: readonly number[]): () => number {
  let drawn = 0;
  return () => (numbers.length > 0 ? wheel(numbers, drawn++) : 0);
}

/** The positions of what is wanted. */
export function positions<T>(list: readonly T[], isWanted: (each: T, at: number) => boolean) {
  return list.flatMap((each, at) => (isWanted(each, at) ? [at] : []));
}
