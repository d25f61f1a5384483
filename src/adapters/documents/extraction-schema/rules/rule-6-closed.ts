/** 6. Every object lists all of its properties in `required` and sets `additionalProperties` to false. */
import { child, type Find } from '../finding.js';
import type { Place } from '../place.js';
import { has, isObject, own } from '../reading.js';
import type { Rule } from './rule.js';

export const objectsAreClosed: Rule = (place, find) => {
  if (!place.isObject) return;
  const { schema, at } = place;
  const placeOf = (key: string) => (has(schema, key) ? child(at, key) : at);
  if (!isObject(own(schema, 'properties'))) find('extraction/properties', placeOf('properties'));
  checkRequired(place, placeOf('required'), find);
  if (own(schema, 'additionalProperties') !== false) {
    find('extraction/additional-properties', placeOf('additionalProperties'));
  }
};

/** Missing names are one fault, mended in one place. */
function checkRequired({ schema, names }: Place, at: string, find: Find): void {
  const given = own(schema, 'required');
  const entries: readonly unknown[] = Array.isArray(given) ? given : [];
  const malformed = given !== undefined && !Array.isArray(given);
  if (malformed) find('extraction/malformed', at, 'required');
  const required = new Set(entries);
  const missing = names.filter((name) => !required.has(name));
  if (missing.length > 0 && !malformed) find('extraction/required', at, missing.join(', '));
  checkEntries(entries, new Set(names), at, find);
}

function checkEntries(
  entries: readonly unknown[],
  names: ReadonlySet<string>,
  at: string,
  find: Find,
): void {
  const seen = new Set<unknown>();
  entries.forEach((name, index) => {
    const place = child(at, index);
    if (typeof name !== 'string') find('extraction/malformed', place, 'required');
    else if (seen.has(name)) find('extraction/duplicate', place, name);
    else if (!names.has(name)) find('extraction/required-unknown', place, name);
    seen.add(name);
  });
}
