/** Settings that shape an assistant, on a node or on the workflow. */
import { child } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { fromSource, traced } from '../ir/provenance.js';
import { type Settings, settingNames } from '../ir/workflow.js';
import {
  readObject,
  requireString,
  type Source,
  type UnknownField,
  unknownField,
} from './fields.js';
import { sortKeys } from './sort-keys.js';

export const settingFields = settingNames;

/** What a model of the target holds beside its settings: the prompt and the tools. */
export const writtenByCompiler: readonly string[] = ['messages', 'tools', 'toolIds'];

/** A model without a provider or a name is none that the target could take. */
function requireModel(model: Source): void {
  requireString(model, 'provider', 'model');
  requireString(model, 'model', 'model');
}

/** What most nodes say. */
export const noSettings: Settings = {};

/** Reads the settings; what the compiler writes itself is an unknown field of the source. */
export function readSettings(source: Source, unknown: UnknownField[]): Settings {
  let settings = noSettings;
  for (const name of settingNames) {
    const value = readObject(source, name);
    if (value === null) continue;
    const at = child(source.at, name);
    if (name === 'model') requireModel({ value, at, faults: source.faults });
    const kept = Object.entries(value).filter(([key]) => {
      const isForeign = name === 'model' && writtenByCompiler.includes(key);
      if (isForeign) unknown.push(unknownField({ ...source, value, at }, key));
      return !isForeign;
    });
    const setting = traced(sortKeys(Object.fromEntries(kept)) as JsonObject, fromSource(at));
    settings = { ...settings, [name]: setting };
  }
  return settings;
}
