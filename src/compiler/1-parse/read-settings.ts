/** Settings that shape an assistant, on a node or on the workflow. */
import { child } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { fromSource, traced } from '../ir/provenance.js';
import { type Settings, settingNames } from '../ir/workflow.js';
import { readObject, type Source } from './fields.js';
import { sortKeys } from './sort-keys.js';

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
