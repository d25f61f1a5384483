/**
 * What a request sends, as the platform wants it: JSON Schemas, and static fields.
 *
 * The source gives headers and a body as plain values or as a schema. A field of a body whose
 * value is fixed becomes a static field, which the model neither sees nor fills; a header becomes
 * a schema that allows one text. Nothing is left out but a field that is null.
 *
 * Example: the header `"X-Key": "{{key}}"` becomes
 * `{ type: 'object', properties: { 'X-Key': { type: 'string', enum: ['{{key}}'] } }, … }`.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { RequestToolIr } from '../ir/squad-ir.js';
import { assembleStatic } from './tools.js';
import { fixed, partOf, type SourceMap } from './tracing.js';
import { assembleSchema, findFixed, isSchema, noteText } from './vapi-schemas.js';

/** Headers as a schema. Its keywords that fix a value are those that dashboards write. */
export function assembleHeaders(
  headers: Traced<JsonObject>,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  if (isSchema(headers.value)) {
    return assembleSchema(headers, at, map, { fixing: ['value', 'default', 'const'] });
  }
  const names = Object.keys(headers.value).sort();
  const header = (name: string) => {
    const place = child(child(at, 'properties'), name);
    return {
      type: fixed('string', child(place, 'type'), map),
      enum: [noteText(partOf(headers, name), `${place}/enum/0`, map)],
    };
  };
  return {
    type: fixed('object', child(at, 'type'), map),
    properties: Object.fromEntries(names.map((name) => [name, header(name)])),
    required: fixed(names, child(at, 'required'), map),
  };
}

/** The `body` that the model fills and the `parameters` that it does not see, of the tool at `at`. */
export function assembleRequestBody(
  { body: given, statics: more }: RequestToolIr,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  if (given === null || !isJsonObject(given.value)) return assembleStatic(more, at, map);
  const body = traced<JsonObject>(given.value, given.origin);
  if (!isSchema(given.value)) {
    return assembleStatic([...withoutNull(listFields(body)), ...more], at, map);
  }
  const statics = listFixed(body);
  const names = new Set(statics.map(({ key }) => key));
  const isFilled = names.size === 0 || listProperties(body).length > names.size;
  return {
    ...(isFilled
      ? {
          body: assembleSchema(body, child(at, 'body'), map, { without: names }),
        }
      : {}),
    ...assembleStatic([...withoutNull(statics), ...more], at, map),
  };
}

/** Parameters of a function: no keyword beside the three that every schema of an object has. */
export function assembleParameters(
  { value, origin }: Traced<JsonObject>,
  at: JsonPointer,
  map: SourceMap,
): JsonObject {
  const { properties, required } = value;
  const schema = {
    type: 'object',
    properties: isJsonObject(properties) ? properties : {},
    ...(Array.isArray(required) ? { required } : {}),
  };
  return assembleSchema(traced(schema, origin), at, map, {});
}

interface Field {
  readonly key: string;
  readonly value: Traced<Json>;
}

function listFields(object: Traced<JsonObject>): Field[] {
  return Object.keys(object.value)
    .sort()
    .map((key) => ({ key, value: partOf(object, key) }));
}

function listProperties(schema: Traced<JsonObject>): Field[] {
  const { value, origin } = partOf(schema, 'properties');
  return isJsonObject(value) ? listFields({ value, origin }) : [];
}

function listFixed(schema: Traced<JsonObject>): Field[] {
  return listProperties(schema).flatMap(({ key, value }) => {
    const found = findFixed(value, ['value', 'const']);
    return found === null ? [] : [{ key, value: found }];
  });
}

/** A static field cannot be null; one that is missing says the same. */
function withoutNull(fields: readonly Field[]): readonly Field[] {
  return fields.filter(({ value }) => value.value !== null);
}
