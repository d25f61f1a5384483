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
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { type Traced, traced } from '../ir/provenance.js';
import type { RequestToolIr } from '../ir/squad-ir.js';
import { putStatic } from './tools.js';
import { fixed, inside, type Place, partOf } from './tracing.js';
import { assembleSchema, findFixed, isSchema, noteText } from './vapi-schemas.js';
import type { Draft } from './writing.js';

/** Headers as a schema. Its keywords that fix a value are those that dashboards write. */
export function assembleHeaders(headers: Traced<JsonObject>, at: Place): JsonObject {
  if (isSchema(headers.value)) {
    return assembleSchema(headers, at, { fixing: ['value', 'default', 'const'] });
  }
  const names = Object.keys(headers.value).sort();
  const header = (name: string) => {
    const place = inside(inside(at, 'properties'), name);
    return {
      type: fixed('string', inside(place, 'type')),
      enum: [noteText(partOf(headers, name), inside(inside(place, 'enum'), 0))],
    };
  };
  return {
    type: fixed('object', inside(at, 'type')),
    properties: Object.fromEntries(names.map((name) => [name, header(name)])),
    required: fixed(names, inside(at, 'required')),
  };
}

/** Adds the `body` that the model fills and the `parameters` that it does not see. */
export function putRequestBody(
  draft: Draft,
  { body: given, statics: more }: RequestToolIr,
  at: Place,
): void {
  if (given === null || !isJsonObject(given.value)) {
    putStatic(draft, more, at);
    return;
  }
  const body = traced<JsonObject>(given.value, given.origin);
  if (!isSchema(given.value)) {
    putStatic(draft, [...listFields(body), ...more], at);
    return;
  }
  const statics = listFixed(body);
  const names = new Set(statics.map(({ key }) => key));
  if (names.size === 0 || listProperties(body).length > names.size) {
    draft['body'] = assembleSchema(body, inside(at, 'body'), { without: names });
  }
  putStatic(draft, [...statics, ...more], at);
}

/** Parameters of a function: no keyword beside the three that every schema of an object has. */
export function assembleParameters({ value, origin }: Traced<JsonObject>, at: Place): JsonObject {
  const { properties, required } = value;
  const schema = {
    type: 'object',
    properties: isJsonObject(properties) ? properties : {},
    ...(Array.isArray(required) ? { required } : {}),
  };
  return assembleSchema(traced(schema, origin), at, {});
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
