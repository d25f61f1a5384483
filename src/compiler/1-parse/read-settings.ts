/** Settings that shape an assistant, on a node or on the workflow. */
import { child } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { fromSource, traced } from '../ir/provenance.js';
import { type Settings, settingNames } from '../ir/workflow.js';
import { readObject, type Source } from './fields.js';
import { sortKeys } from './sort-keys.js';

export const settingFields = settingNames;

/** What a model of the target holds beside its settings: the prompt and the tools. */
export const writtenByCompiler: readonly string[] = ['messages', 'tools'];

/** Reads the settings; what the compiler writes itself is an unknown field of the source. */
export function readSettings(source: Source, unknown: string[]): Settings {
  const settings: { -readonly [Name in keyof Settings]: Settings[Name] } = {};
  for (const name of settingNames) {
    const value = readObject(source, name);
    if (value === null) continue;
    const at = child(source.at, name);
    const kept = Object.entries(value).filter(([key]) => {
      const isForeign = name === 'model' && writtenByCompiler.includes(key);
      if (isForeign) unknown.push(child(at, key));
      return !isForeign;
    });
    settings[name] = traced(sortKeys(Object.fromEntries(kept)) as JsonObject, fromSource(at));
  }
  return settings;
}
