/** Places in documents, as JSON Pointers, and what stands there. */
import { isJsonObject, type Json } from '../text/json.js';

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

/** Undefined if there is nothing; only own properties count. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  let value: Json | undefined = document;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(key) ? value[Number(key)] : undefined;
    else if (isJsonObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined;
    else return undefined;
  }
  return value;
}

/** The first text at these places that is not empty. */
export function textAt(document: Json, ...pointers: readonly string[]): string | null {
  const texts = pointers.map((at) => valueAt(document, at));
  return texts.find((text): text is string => typeof text === 'string' && text !== '') ?? null;
}
