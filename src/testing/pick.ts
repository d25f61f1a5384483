/** How generators and laws choose by random numbers. */

/** The element at this position, which the caller knows to exist. */
export function nth<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new RangeError(`no element ${index} of ${list.length}`);
  return found;
}

/** The element that a random number falls on. */
export function wheel<T>(list: readonly T[], number: number): T {
  return nth(list, number % list.length);
}
