/** Places inside of others, as JSON Pointers. */

/** The innermost of the places that the pointer lies in, itself included; null where none is. */
export function ownerOf(pointer: string, places: { has(place: string): boolean }): string | null {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    if (places.has(place)) return place;
    if (place === '' || !place.startsWith('/')) return null;
  }
}
