/**
 * Reduces the platform's schema of a squad to what it accepts: fields, types, values, ranges.
 *
 *     SQUADC_PLATFORM_SCHEMAS=<folder> node schemas/reduce-platform.mjs
 *
 * In: `create-squad.schema.json` of that folder. Out: `platform.json`, one type a line:
 *
 *     "any", "boolean", "null", "number", "object", "string"     anything of that kind
 *     "<name>"                        the type of that name
 *     { enum }                        one of these values
 *     { min?, max?, pattern? }        a text of that length, or with `of: "number"` a number
 *     { list: type }, { map: type }   a list; an object with any keys
 *     { any: [type] }                 one of these types
 *     { fields: { key: type }, required? }    an object with these keys only
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {any} Schema @typedef {any} Type */

/** @param {Schema} document the platform's schema of a squad */
export function reduce({ $defs, $ref }) {
  const nameOf = (/** @type {string} */ ref) =>
    ref.replace('#/$defs/', '').replace(/^Create|DTO$/g, '');
  const named = new Map(Object.entries($defs).map(([name, schema]) => [nameOf(name), schema]));
  /** @param {Schema} schema @returns {Type} */
  const typeOf = (schema) => {
    const { $ref: ref, allOf, anyOf, type, enum: values, items, properties, required } = schema;
    if (ref) return nameOf(ref);
    // Two ways of the generator to say the same.
    if (anyOf) return unionOf(anyOf.map(typeOf));
    if (allOf) return typeOf(allOf[0]);
    if (Array.isArray(type)) {
      return unionOf(
        type.map((each) => (each === 'null' ? each : typeOf({ ...schema, type: each }))),
      );
    }
    if (values) return { enum: values.filter((/** @type {unknown} */ value) => value !== null) };
    if (items) return { list: typeOf(items) };
    if (properties) {
      const fields = Object.entries(properties).map(([key, each]) => [key, typeOf(each)]);
      return { fields: Object.fromEntries(fields.sort()), ...(required && { required }) };
    }
    if (typeof schema.additionalProperties === 'object') {
      return { map: typeOf(schema.additionalProperties) };
    }
    // An object without fields is what the generator writes for a type that it does not know.
    if (type === undefined || type === 'object') return 'any';
    const { minLength, maxLength, minimum = minLength, maximum = maxLength, pattern } = schema;
    const limits = { min: minimum || undefined, max: maximum, pattern };
    if (type === 'number' && minimum === 0) limits.min = 0;
    if (limits.max >= 1e8) limits.max = undefined;
    const isLimited = Object.values(limits).some((limit) => limit !== undefined);
    return isLimited ? { ...(type === 'number' && { of: type }), ...limits } : type;
  };
  /** @type {Record<string, Type>} */
  const types = {};
  const visit = (/** @type {string} */ name) => {
    if (name in types || !named.has(name)) return;
    types[name] = null;
    types[name] = typeOf(named.get(name));
    JSON.stringify(types[name], (_, value) => {
      if (typeof value === 'string') visit(value);
      return value;
    });
  };
  visit(nameOf($ref));
  share(types);
  return { root: nameOf($ref), types: Object.fromEntries(Object.entries(types).sort()) };
}

/** @param {Type[]} types */
function unionOf(types) {
  if (types.includes('any')) return 'any';
  // Any text, beside the texts that are usual.
  const isText = types.includes('string');
  const left = types.filter((type) => !(isText && type.enum && typeof type.enum[0] === 'string'));
  return left.length === 1 ? left[0] : { any: left };
}

/** Gives a name to what stands in several places. @param {Record<string, Type>} types */
function share(types) {
  for (let isNew = true; isNew; ) {
    isNew = false;
    /** @type {Map<string, { name: string, times: number }>} */
    const found = new Map();
    each(types, (type, name) => {
      const text = JSON.stringify(type);
      if (text.length < 60) return type;
      const { times = 0, name: first = name } = found.get(text) ?? {};
      found.set(text, { name: first, times: times + 1 });
      return type;
    });
    each(types, (type) => {
      const text = JSON.stringify(type);
      const { times = 0, name: own = '' } = found.get(text) ?? {};
      if (times < 2) return type;
      isNew ||= !(own in types);
      types[own] ??= type;
      return own;
    });
  }
}

/** @param {Record<string, Type>} types @param {(type: Type, name: string) => Type} change */
function each(types, change) {
  const within = (/** @type {Type} */ type, /** @type {string} */ name) => {
    if (type.any) type.any = type.any.map((/** @type {Type} */ it) => at(it, name));
    else if (type.list) type.list = at(type.list, name);
    else if (type.map) type.map = at(type.map, name);
    else if (type.fields) {
      for (const key of Object.keys(type.fields)) {
        type.fields[key] = at(type.fields[key], `${name}.${key}`);
      }
    }
  };
  const at = (/** @type {Type} */ type, /** @type {string} */ name) => {
    if (typeof type === 'string') return type;
    within(type, name);
    return change(type, name);
  };
  for (const [name, type] of Object.entries(types)) within(type, name);
}

/** @param {{ root: string, types: Record<string, Type> }} reduced */
export function write({ root, types }) {
  const lines = Object.entries(types).map(([name, type]) => `"${name}":${JSON.stringify(type)}`);
  return `{"root":"${root}","types":{\n${lines.join(',\n')}\n}}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const from = join(process.env['SQUADC_PLATFORM_SCHEMAS'] ?? '', 'create-squad.schema.json');
  const to = join(dirname(fileURLToPath(import.meta.url)), 'platform.json');
  writeFileSync(to, write(reduce(JSON.parse(readFileSync(from, 'utf8')))));
}
