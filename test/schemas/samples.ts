/** Values that the platform's own schema accepts. */
import type { Json, JsonObject } from '../../src/index.js';
import { listOf, objectOf, platform, textOf, valueAt } from '../json.js';

/** The schema that a reference stands for. */
export function resolved(schema: Json | undefined): JsonObject {
  const { $ref, allOf, properties, ...others } = objectOf(schema);
  if ($ref !== undefined) return resolved(valueAt(platform, textOf($ref).replace('#', '')));
  if (allOf !== undefined && properties === undefined) return resolved(listOf(allOf)[0]);
  return { ...others, ...(properties !== undefined && { properties }) };
}

/** A value that fits: with all fields and an element for each alternative to this depth, else as small as possible. */
export function sampleOf(schema: Json | undefined, depth = 0): Json {
  const {
    anyOf,
    const: only,
    enum: choices,
    type,
    properties,
    required,
    items,
    ...limits
  } = resolved(schema);
  if (anyOf !== undefined) return sampleOf(listOf(anyOf)[0], depth);
  if (only !== undefined) return only;
  if (choices !== undefined) return listOf(choices)[0]!;
  switch (Array.isArray(type) ? type[0] : type) {
    case 'string':
      return 'pattern' in limits ? 'a' : 'text';
    case 'number':
      return Number(limits['minimum'] ?? 1);
    case 'boolean':
      return true;
    case 'array':
      return depth === 0
        ? []
        : listOf(resolved(items)['anyOf'] ?? [items!]).map((each) => sampleOf(each, depth - 1));
    default: {
      const own = depth === 0 ? listOf(required).map(textOf) : Object.keys(objectOf(properties));
      return Object.fromEntries(
        own.map((key) => [key, sampleOf(objectOf(properties)[key], Math.max(0, depth - 1))]),
      );
    }
  }
}

/** The alternatives of a field of a definition, each with a value for every field that it has. */
export function fullSamples(definition: string, field: string, depth = 0): JsonObject[] {
  const { anyOf, items } = resolved(valueAt(platform, `/$defs/${definition}/properties/${field}`));
  const all = listOf(anyOf ?? resolved(items)['anyOf']);
  return all.map((each) => {
    const { properties } = resolved(each);
    const fields = Object.entries(objectOf(properties));
    return Object.fromEntries(fields.map(([key, schema]) => [key, sampleOf(schema, depth)]));
  });
}
