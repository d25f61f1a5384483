/**
 * A property of a plan against the captures that reach it.
 *
 * Types that differ give a text; descriptions that differ are joined by `; or `; values are
 * enumerated where every capture enumerates them, and all are of one type.
 */
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import type { Capture } from '../compiler/ir/workflow.js';
import { elements, textOf } from './squad-reading.js';
import { isEqualJson } from './tools/equal-json.js';
import { platformDetails } from './tools/platform-schema.js';

export type PropertyFault = 'type' | 'description' | 'enumeration' | 'schema';

/** What of the property is not as its captures have it; null where all is. */
export function faultOfProperty(
  property: Json | undefined,
  name: string,
  captures: readonly Capture[],
): PropertyFault | null {
  if (!isJsonObject(property)) return 'schema';
  const { type, description, enum: choices, ...others } = property;
  const [only, ...differing] = new Set(captures.map((it) => it.type));
  if (type !== (differing.length === 0 ? only : 'string')) return 'type';
  if (!isJoined(textOf(description), describe(captures, name))) return 'description';
  if (!isListOf(choices, differing.length === 0 ? allowedBy(captures) : null)) return 'enumeration';
  const details = differing.length === 0 ? detailsOf(captures) : {};
  return isEqualJson(others, details, true) ? null : 'schema';
}

/** What all captures say of the value beside type and choices, in the platform's words. */
function detailsOf(captures: readonly Capture[]): JsonObject {
  const [first, ...others] = captures.map(({ details }) => details?.value ?? {});
  if (first === undefined || !others.every((it) => isEqualJson(it, first, false))) return {};
  const { type: _, description: __, ...said } = platformDetails(first);
  return said;
}

/** The descriptions, each once; captures without any are known by the name of the variable. */
function describe(captures: readonly Capture[], name: string): readonly string[] {
  const texts = captures.flatMap(({ description }) => description?.value ?? []);
  return texts.length > 0 ? [...new Set(texts)] : [name];
}

const between = '; or ';

/** Whether the text is all of the parts joined, in whatever order; parts may hold the joint. */
function isJoined(text: string | null, parts: readonly string[]): boolean {
  if (text === null || parts.length === 1) return text === parts[0];
  const expected = parts.join(between);
  if (text.length !== expected.length) return false;
  if (text === expected) return true;
  const pieces = (whole: string) => whole.split(between).sort();
  const [found, wanted] = [pieces(text), pieces(expected)];
  return (
    found.length === wanted.length &&
    found.every((piece, at) => piece === wanted[at]) &&
    parts.every((part) => text.includes(part))
  );
}

/** The values that the captures allow; one without an enumeration allows any. */
function allowedBy(captures: readonly Capture[]): ReadonlySet<string> | null {
  const lists = captures.map((it) => it.enum);
  return lists.includes(null) ? null : new Set(lists.flatMap((list) => list ?? []));
}

function isListOf(choices: Json | undefined, allowed: ReadonlySet<string> | null): boolean {
  if (choices === undefined || allowed === null) return choices === undefined && allowed === null;
  const values = elements(choices);
  const found = new Set(values);
  return values.length === allowed.size && [...allowed].every((value) => found.has(value));
}
