/** What the platform's API would refuse of a squad: fields, types, values and ranges. */
import { findNearest } from '../compiler/ir/names.js';
import { type PlatformType, platformTypes } from '../schemas/platform-types.generated.js';
import type { SchemaFault } from '../schemas/validator.generated.js';
import { isObject, type Json, type JsonObject } from '../text/json.js';
import { child, type JsonPointer } from '../text/pointer.js';

/** A violation, and the name or value that was probably meant. */
export interface PlatformFault extends SchemaFault {
  readonly near: string | null;
}

type Kind = Exclude<PlatformType, string>;
type Fields = Extract<Kind, { readonly fields: unknown }>;

export function platformFaults(squad: Json): PlatformFault[] {
  return faultsOf(platformTypes.root, squad, '');
}

function fault(
  at: JsonPointer,
  keyword: string,
  params: SchemaFault['params'],
  near: string | null = null,
): PlatformFault {
  return { instancePath: at, schemaPath: '', keyword, params, near };
}

/** The type that a name stands for; a name without one is a kind of JSON. */
function resolve(type: PlatformType): PlatformType {
  return typeof type === 'string' ? (platformTypes.types[type] ?? type) : type;
}

function kindOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function faultsOf(given: PlatformType, value: Json, at: JsonPointer): PlatformFault[] {
  const type = resolve(given);
  if (typeof type === 'string') {
    return type === 'any' || type === kindOf(value) ? [] : [fault(at, 'type', { type })];
  }
  if ('any' in type) return faultsOfUnion(type.any, value, at);
  if ('enum' in type) return faultsOfChoice(type.enum, value, at);
  if ('list' in type) {
    if (!Array.isArray(value)) return [fault(at, 'type', { type: 'array' })];
    return value.flatMap((each: Json, index) => faultsOf(type.list, each, child(at, index)));
  }
  if ('fields' in type || 'map' in type) {
    if (!isObject(value)) return [fault(at, 'type', { type: 'object' })];
    if ('fields' in type) return faultsOfFields(type, value, at);
    return Object.entries(value).flatMap(([key, each]) => faultsOf(type.map, each, child(at, key)));
  }
  const { of = 'string', min, max, pattern } = type;
  if (kindOf(value) !== of) return [fault(at, 'type', { type: of })];
  const [size, most, least] =
    typeof value === 'string'
      ? [[...value].length, 'maxLength', 'minLength']
      : [Number(value), 'maximum', 'minimum'];
  if (max !== undefined && size > max) return [fault(at, most, { limit: max })];
  if (min !== undefined && size < min) return [fault(at, least, { limit: min })];
  const isFitting = pattern === undefined || new RegExp(pattern, 'u').test(String(value));
  return isFitting ? [] : [fault(at, 'pattern', {})];
}

function faultsOfChoice(choices: readonly (string | number | boolean)[], value: Json, at: string) {
  if (choices.some((it) => it === value)) return [];
  const near = typeof value === 'string' ? findNearest(value, choices.map(String)) : null;
  return [fault(at, 'enum', { allowedValues: choices }, near)];
}

/** The platform takes null for a field that is not there. */
function faultsOfFields({ fields, required = [] }: Fields, value: JsonObject, at: JsonPointer) {
  const given = Object.entries(value).filter(([, each]) => each !== null);
  const missing = required.filter((key) => given.every(([name]) => name !== key));
  const free = Object.keys(fields).filter((key) => !Object.hasOwn(value, key));
  return [
    ...missing.map((missingProperty) => fault(at, 'required', { missingProperty })),
    ...given.flatMap(([key, each]) =>
      Object.hasOwn(fields, key)
        ? faultsOf(fields[key]!, each, child(at, key))
        : [fault(at, 'additionalProperties', { additionalProperty: key }, findNearest(key, free))],
    ),
  ];
}

/** Those of the alternative that the value comes nearest to; a field such as `type` decides. */
function faultsOfUnion(given: readonly PlatformType[], value: Json, at: JsonPointer) {
  const types = given.map(resolve).flatMap((it): PlatformType[] => {
    return typeof it === 'object' && 'any' in it ? it.any.map(resolve) : [it];
  });
  const shaped = types.filter((it): it is Fields => typeof it === 'object' && 'fields' in it);
  if (!isObject(value) || shaped.length === 0) return fewest(types, value, at);
  const others = new Map(shaped.map((it) => [it, listMismatches(it, value)]));
  const least = Math.min(...Array.from(others.values(), ({ length }) => length));
  const nearest = shaped.filter((it) => others.get(it)!.length === least);
  if (least === 0) return fewest(nearest, value, at);
  const [[key] = ['']] = others.get(nearest[0]!)!;
  if (!Object.hasOwn(value, key)) return [fault(at, 'required', { missingProperty: key })];
  const choices = [...others.values()].flat().flatMap(([name, only]) => (name === key ? only : []));
  return faultsOfChoice([...new Set(choices)], value[key]!, child(at, key));
}

/** The fields with a single possible value that the object does not have, and that value. */
function listMismatches({ fields, required = [] }: Fields, value: JsonObject) {
  return Object.entries(fields).flatMap(([key, each]) => {
    const type = resolve(each);
    const only = typeof type === 'object' && 'enum' in type && type.enum.length === 1;
    const own = value[key] ?? null;
    const isOther = only && (own === null ? required.includes(key) : own !== type.enum[0]);
    return isOther ? [[key, type.enum[0]!] as const] : [];
  });
}

function fewest(types: readonly PlatformType[], value: Json, at: JsonPointer): PlatformFault[] {
  const found = types.map((it) => faultsOf(it, value, at));
  // Something inside is nearer than another kind of value.
  const weight = (faults: readonly PlatformFault[]) =>
    faults.reduce((sum, it) => sum + (it.instancePath === at && it.keyword === 'type' ? 99 : 1), 0);
  return found.sort((one, other) => weight(one) - weight(other))[0] ?? [];
}
