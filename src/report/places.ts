/** Places in documents, as JSON Pointers, and what stands there. */
import type { Json } from '../text/json.js';
import { valueAt } from '../text/pointer.js';

/** The innermost of these places that contains the pointer or equals it. */
export function ownerOf(pointer: string, places: { has(place: string): boolean }): string | null {
  for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
    if (places.has(place)) return place;
    if (place === '' || !place.startsWith('/')) return null;
  }
}

const member = /^(?:\/squad)?\/members\/(0|[1-9]\d{0,8})(?=\/|$)/;

/** The member of a squad that contains the place. */
export function memberIndex(pointer: string): number | null {
  const index = member.exec(pointer)?.[1];
  return index === undefined ? null : Number(index);
}

/** The first text at these places that is not empty. */
export function textAt(document: Json, ...pointers: readonly string[]): string | null {
  const texts = pointers.map((at) => valueAt(document, at));
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}
