/** Places inside of others, as JSON Pointers. */

/** The innermost of the places that the pointer lies in, itself included; null where none is. */
export function ownerOf(pointer: string, places: { has(place: string): boolean }): string | null {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    if (places.has(place)) return place;
    if (place === '' || !place.startsWith('/')) return null;
  }
}

const member = /^(?:\/squad)?\/members\/(0|[1-9]\d{0,8})(?=\/|$)/;

/** Which member a place of a squad document lies in; null where it lies in none. */
export function memberIndex(pointer: string): number | null {
  const index = member.exec(pointer)?.[1];
  return index === undefined ? null : Number(index);
}
