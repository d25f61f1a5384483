/**
 * A squad of the platform as it would be created: without what the API adds to a fetched one.
 *
 * Only keys are left out, so places stay the same.
 */
import { asObject, isObject, type Json, type JsonObject } from '../../text/json.js';

/** Fields that the platform writes itself. */
const readOnly: ReadonlySet<string> = new Set([
  ...['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'],
]);

/** `document` is the body of a squad, not wrapped. */
export function asCreated(document: JsonObject): JsonObject {
  const { members } = document;
  return {
    ...without(document, (key) => readOnly.has(key)),
    ...(Array.isArray(members) && { members: members.map(memberAsCreated) }),
  };
}

function memberAsCreated(member: Json): Json {
  if (!isObject(member)) return member;
  const own = without(member, (key, value) => value === null || readOnly.has(key));
  const layers = ['assistant', 'assistantOverrides'].flatMap((key) => {
    const layer = own[key];
    return isObject(layer) ? [[key, layerAsCreated(layer)]] : [];
  });
  return { ...own, ...Object.fromEntries(layers) };
}

function layerAsCreated(layer: JsonObject): JsonObject {
  const { model, 'tools:append': appended } = layer;
  const { tools } = asObject(model);
  return {
    ...without(layer, (key) => readOnly.has(key)),
    ...(Array.isArray(tools) && { model: { ...asObject(model), tools: tools.map(toolAsCreated) } }),
    ...(Array.isArray(appended) && { 'tools:append': appended.map(toolAsCreated) }),
  };
}

function toolAsCreated(tool: Json): Json {
  return isObject(tool) ? without(tool, (key) => readOnly.has(key)) : tool;
}

function without(value: JsonObject, isOut: (key: string, value: Json) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key, each]) => !isOut(key, each)));
}
