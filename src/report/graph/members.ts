/** The members of a squad, by the pointers that the compiler writes for both targets. */

const member = /^(?:\/squad)?\/members\/(0|[1-9]\d{0,8})(?=\/|$)/;

/** Which member a place of a squad document lies in; null where it lies in none. */
export function memberIndex(pointer: string): number | null {
  const index = member.exec(pointer)?.[1];
  return index === undefined ? null : Number(index);
}
