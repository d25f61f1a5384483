/** How a law says that it does not hold. */

/** Throws with the text of the fault where the fact is none. */
export function demand(holds: boolean, fault: () => string): asserts holds {
  if (!holds) throw new Error(fault());
}

/** The texts around the first place at which they differ. */
export function firstDifference(first: string, second: string): string {
  let at = 0;
  while (at < first.length && first[at] === second[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  return `differs at ${at}:\n${around(first)}\n${around(second)}`;
}
