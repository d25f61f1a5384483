/** Reads values in JSON documents, changes copies of them, and checks them by the published schemas. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Json, JsonObject, JsonPointer } from '../src/index.js';

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];
export const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
export const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const keysOf = (at: JsonPointer): string[] =>
  at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at the place; undefined if there is none. */
export function valueAt(document: unknown, at: JsonPointer): Json | undefined {
  let value = document as Json | undefined;
  for (const key of keysOf(at)) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, key);
    value = isThere ? (value as Record<string, Json>)[key] : undefined;
  }
  return value;
}

/**
 * A copy in which `make` replaces the value at the place; undefined removes it. Keys keep their
 * order, so that nothing else changes.
 */
export function change(
  document: JsonObject,
  at: JsonPointer,
  make: (value: Json | undefined) => Json | undefined,
): JsonObject {
  const within = (value: Json | undefined, keys: readonly string[]): Json | undefined => {
    const [key, ...rest] = keys;
    if (key === undefined) return make(value);
    if (Array.isArray(value)) {
      const list = value as readonly Json[];
      const made = within(list[Number(key)], rest);
      return made === undefined ? list.toSpliced(Number(key), 1) : list.with(Number(key), made);
    }
    const { [key]: own, ...others } = objectOf(value);
    const made = within(own, rest);
    return made === undefined ? others : { ...objectOf(value), [key]: made };
  };
  return within(document, keysOf(at)) as JsonObject;
}

export const put = (document: JsonObject, at: JsonPointer, value: Json): JsonObject =>
  change(document, at, () => value);
export const drop = (document: JsonObject, at: JsonPointer): JsonObject =>
  change(document, at, () => undefined);
/** Adds an element to the end of the list. */
export const append = (document: JsonObject, list: JsonPointer, value: Json): JsonObject =>
  change(document, list, (given) => [...listOf(given), value]);

/** The published schemas by name: `answers` for `schemas/answers.schema.json`. */
export const schemaDocuments: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  readdirSync('schemas')
    .filter((file) => file.endsWith('.schema.json'))
    .sort()
    .map((file) => [
      file.slice(0, -'.schema.json'.length),
      JSON.parse(readFileSync(`schemas/${file}`, 'utf8')),
    ]),
);

const ajv = new Ajv2020({ strict: false, allErrors: true });
for (const [name, document] of Object.entries(schemaDocuments)) ajv.addSchema(document, name);

/** The errors of a document by the published schema of this name. */
export function schemaFaults(name: string, document: unknown): readonly ErrorObject[] {
  ajv.validate(name, document);
  return ajv.errors ?? [];
}

const platformFile = `${process.env['SQUADC_PLATFORM_SCHEMAS'] ?? ''}/create-squad.schema.json`;
/** The platform's own schema of a squad, which is not part of the project; null without its folder. */
export const platform = existsSync(platformFile)
  ? (JSON.parse(readFileSync(platformFile, 'utf8')) as JsonObject)
  : null;
const validatorOf = (schema: JsonObject) =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
let validate: ReturnType<typeof validatorOf> | undefined;

/** The platform's errors for the body of a squad, or for another definition; none without its schema. */
export function platformFaults(body: unknown, definition?: string): readonly ErrorObject[] {
  if (platform === null) return [];
  validate ??= validatorOf(platform);
  const check =
    definition === undefined
      ? validate
      : validatorOf({ ...platform, $ref: `#/$defs/${definition}` });
  check(body);
  return check.errors ?? [];
}
