/**
 * The fields that a request of the source sends, by their places in its body.
 *
 * In: the request, and the places that the operation's parameters have in its body. Out: one field
 * for each of those places, whatever stands there, and one for each value that leads to none, as
 * high up as that can be said. Static fields stand at the top of the body.
 *
 * Example: `{ "vendor": { "vendorNumber": "V-1", "name": "Acme" }, "tags": ["a"] }` has, for
 * `bills.create`, the fields `/vendor/vendorNumber`, `/vendor/name` and `/tags`.
 */
import { child, type JsonPointer } from '../../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';
import { type Traced, traced, within } from '../../ir/provenance.js';
import type { Request } from '../../ir/workflow.js';

export interface Field {
  readonly at: JsonPointer;
  readonly value: Traced<Json>;
  /** Whether the model fills it. */
  readonly isOpen: boolean;
}

export function listFields({ body, statics }: Request, places: readonly JsonPointer[]): Field[] {
  const beside = statics.map(({ key, value }) => ({ at: child('', key), value, isOpen: false }));
  if (body === null || !isJsonObject(body.value)) return beside;
  const object = traced(body.value, body.origin);
  const leadsOn = (at: JsonPointer) => places.some((place) => place.startsWith(`${at}/`));
  const listed = isSchema(body.value)
    ? fieldsOfSchema(object, '', leadsOn)
    : partsOf(body.value).flatMap((key) => fieldsOf(object, key, '', leadsOn));
  return [...listed, ...beside];
}

/** Whether a place holds others that are looked for. */
type LeadsOn = (at: JsonPointer) => boolean;

/** Values are at most as deep as a document may be, so the recursion is bounded. */
function fieldsOf(
  { value: holder, origin }: Traced<JsonObject | readonly Json[]>,
  key: string,
  above: JsonPointer,
  leadsOn: LeadsOn,
): Field[] {
  const value = (holder as JsonObject)[key]!;
  const inside = within(origin, key);
  const at = child(above, key);
  const parts = isHolder(value) && leadsOn(at) ? partsOf(value) : [];
  if (parts.length === 0) return [{ at, value: traced(value, inside), isOpen: false }];
  const holding = traced(value as JsonObject, inside);
  return parts.flatMap((part) => fieldsOf(holding, part, at, leadsOn));
}

function fieldsOfSchema(
  { value, origin }: Traced<JsonObject>,
  above: JsonPointer,
  leadsOn: LeadsOn,
): Field[] {
  const properties = value['properties'] as JsonObject;
  const inside = within(origin, 'properties');
  return partsOf(properties).flatMap((key): Field[] => {
    const schema = traced(properties[key]!, within(inside, key));
    const at = child(above, key);
    if (!isJsonObject(schema.value)) return [{ at, value: schema, isOpen: true }];
    if (isJsonObject(schema.value['properties']) && leadsOn(at)) {
      return fieldsOfSchema(traced(schema.value, schema.origin), at, leadsOn);
    }
    const only = ['value', 'const'].find((it) => Object.hasOwn(schema.value as object, it));
    if (only === undefined) return [{ at, value: schema, isOpen: true }];
    const part = traced(schema.value[only]!, within(schema.origin, only));
    return [{ at, value: part, isOpen: false }];
  });
}

function isSchema({ type, properties = null }: JsonObject): boolean {
  return type === 'object' && isJsonObject(properties);
}

function isHolder(value: Json): boolean {
  return typeof value === 'object' && value !== null;
}

function partsOf(value: Json): string[] {
  return Object.keys(value as object).sort();
}
