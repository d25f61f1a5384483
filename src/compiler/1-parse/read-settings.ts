/** Settings that shape an assistant, on a node or on the workflow. */
import { child } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import { fromSource, traced } from '../ir/provenance.js';
import { type Settings, settingNames } from '../ir/workflow.js';
import { readObject, type Source } from './fields.js';

export const settingFields = settingNames;

export function readSettings(source: Source): Settings {
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = {};
  for (const name of settingNames) {
    const value = readObject(source, name);
    if (value === null) continue;
    settings[name] = traced(sortKeys(value) as JsonObject, fromSource(child(source.at, name)));
  }
  return settings;
}

/** A value with its keys in order, so that the order of the source's keys decides nothing. */
export function sortKeys(value: Json): Json {
  // Values are at most as deep as a document may be, so the recursion is bounded.
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as JsonObject;
  return Object.fromEntries(
    Object.keys(object)
      .sort()
      .map((key) => [key, sortKeys(object[key]!)]),
  );
}
