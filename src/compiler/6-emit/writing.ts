/** Objects of the document while they are written, member by member. */
import type { Json, JsonObject } from '../ir/json.js';
import type { SettingIr } from '../ir/squad-ir.js';
import { inside, note, type Place } from './tracing.js';

/** An object whose members are still being added. */
export type Draft = Record<string, Json>;

/** Adds a member under a name of the source: `__proto__` is a name like any other. */
export function put(draft: Draft, key: string, value: Json): void {
  if (key !== '__proto__') draft[key] = value;
  else Object.defineProperty(draft, key, { value, enumerable: true, configurable: true });
}

/**
 * Adds all members of an object. Whoever adds to an object that was spread pays for each member
 * what writing the whole object costs otherwise.
 */
export function putAll(draft: Draft, object: JsonObject): void {
  for (const key of Object.keys(object)) put(draft, key, object[key]!);
}

/** Adds what is carried as it is; where a key stands twice, the later one counts. */
export function putSettings(draft: Draft, settings: readonly SettingIr[], at: Place): void {
  for (const { key, value } of settings) put(draft, key, note(value, inside(at, key)));
}
