/** Choices by random numbers, for generators and laws. */

/** The element that a random number selects. */
export function wheel<T>(list: readonly T[], number: number): T {
  if (list.length === 0) throw new RangeError('nothing to choose from');
  return list[number % list.length]!;
}

/** Returns the numbers in turn, starting again at the end; zero if there are none. */
export function drawing(numbers: readonly number[]): () => number {
  let drawn = 0;
  return () => (numbers.length > 0 ? wheel(numbers, drawn++) : 0);
}

/** The positions of the wanted elements. */
export function positions<T>(list: readonly T[], isWanted: (each: T, at: number) => boolean) {
  return list.flatMap((each, at) => (isWanted(each, at) ? [at] : []));
}
