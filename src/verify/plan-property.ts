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
  const { type } = captures[0]!;
  const isOfOneType = captures.length === 1 || captures.every((it) => it.type === type);
  if (property['type'] !== (isOfOneType ? type : 'string')) return 'type';
  if (!isDescribed(textOf(property['description']), name, captures)) return 'description';
  if (!isListOf(property['enum'], isOfOneType ? captures : null)) return 'enumeration';
  return isDetailed(property, isOfOneType ? captures : []) ? null : 'schema';
}

/** Whether all else that the property says is what all captures say, in the platform's words. */
function isDetailed(property: JsonObject, captures: readonly Capture[]): boolean {
  // Most captures say nothing else, and few properties do.
  if (captures.every(({ details }) => details === null)) {
    for (const key in property) if (!own.includes(key)) return false;
    return true;
  }
  const { type: _, description: __, enum: ___, ...others } = property;
  return isEqualJson(others, detailsOf(captures), true);
}

const own: readonly string[] = ['type', 'description', 'enum'];

function detailsOf(captures: readonly Capture[]): JsonObject {
  const [first, ...others] = captures.map(({ details }) => details?.value ?? {});
  if (first === undefined || !others.every((it) => isEqualJson(it, first, false))) return {};
  const { type: _, description: __, ...said } = platformDetails(first);
  return said;
}

/** Captures that nobody describes are known by the name of the variable. */
function isDescribed(text: string | null, name: string, captures: readonly Capture[]): boolean {
  if (captures.length === 1) return text === (captures[0]!.description?.value ?? name);
  const texts = captures.flatMap(({ description }) => description?.value ?? []);
  return isJoined(text, texts.length > 0 ? [...new Set(texts)] : [name]);
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

/** Whether the choices are those of the captures; one without an enumeration allows any value. */
function isListOf(choices: Json | undefined, captures: readonly Capture[] | null): boolean {
  const isFree = captures === null || captures.some((it) => it.enum === null);
  if (choices === undefined || isFree) return choices === undefined && isFree;
  const allowed = new Set(captures.flatMap((it) => it.enum ?? []));
  const values = elements(choices);
  const found = new Set(values);
  return values.length === allowed.size && [...allowed].every((value) => found.has(value));
}
