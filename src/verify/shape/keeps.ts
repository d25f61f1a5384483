/**
 * Whether a value keeps a schema, and nothing more.
 *
 * So it is asked of what only decides which other schema applies (`not` and `if`). Guarantees: linear
 * in the value, and the stack that is used does not grow with its depth.
 */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { canonicalText } from '../tools/canonical-text.js';
import type { Keywords, Limits, Rule } from './rules.js';

/** What was too deep to be looked at at once. */
type Deep = [value: Json, rule: Rule][];

/** Values are seldom deeper. */
const shallow = 60;

export function keeps(value: Json, rule: Rule): boolean {
  const deep: Deep = [];
  if (!keepsAt(value, rule, 0, deep)) return false;
  for (let next = deep.pop(); next !== undefined; next = deep.pop()) {
    if (!keepsAt(...next, 0, deep)) return false;
  }
  return true;
}

function keepsAt(value: Json, rule: Rule, depth: number, deep: Deep): boolean {
  if (typeof rule === 'boolean') return rule;
  if (depth === shallow) {
    deep.push([value, rule]);
    return true;
  }
  if (!keepsItself(value, rule)) return false;
  if (Array.isArray(value)) {
    if (!keepsInside(value, rule, depth, deep)) return false;
  } else if (isJsonObject(value) && !keepsByKeys(value, rule, depth, deep)) return false;
  return rule.isPlain || keepsAlso(value, rule, depth, deep);
}

/** Type and choices, and what a text or a number is measured by. */
function keepsItself(value: Json, { types, allowed, length, pattern, amount }: Keywords): boolean {
  if (types !== null && !isOfSome(value, types)) return false;
  if (allowed !== null && !isAmong(value, allowed)) return false;
  if (typeof value === 'number') return amount === null || isWithin(value, amount);
  if (typeof value !== 'string') return true;
  return isLongEnough(value, length) && (pattern === null || pattern.test(value));
}

function keepsInside(
  value: readonly Json[],
  { elements, items, uniqueItems }: Keywords,
  depth: number,
  deep: Deep,
): boolean {
  if (elements !== null && !isWithin(value.length, elements)) return false;
  if (uniqueItems && hasTwice(value)) return false;
  if (items === null || items === true) return true;
  for (const element of value) if (!keepsAt(element, items, depth + 1, deep)) return false;
  return true;
}

function keepsByKeys(
  value: JsonObject,
  { keys: count, required, properties, additional }: Keywords,
  depth: number,
  deep: Deep,
): boolean {
  for (const key of required) if (!Object.hasOwn(value, key)) return false;
  // Where nothing is said of other keys, only those that the schema names are looked at.
  if (count === null && additional === null && properties.size === 0) return true;
  if (count !== null && !isWithin(Object.keys(value).length, count)) return false;
  for (const key in value) {
    const rule = properties.get(key) ?? additional;
    if (rule !== null && !keepsAt(value[key]!, rule, depth + 1, deep)) return false;
  }
  return true;
}

/** The other schemas that the value has to keep. */
function keepsAlso(
  value: Json,
  { also, not, test, whenKept, whenBroken }: Keywords,
  depth: number,
  deep: Deep,
): boolean {
  for (const other of also) if (!keepsAt(value, other, depth, deep)) return false;
  if (not !== null && keeps(value, not)) return false;
  if (test === null) return true;
  const next = keeps(value, test) ? whenKept : whenBroken;
  return next === null || keepsAt(value, next, depth, deep);
}

export function isOfSome(value: Json, types: readonly string[]): boolean {
  for (const type of types) if (isOfType(value, type)) return true;
  return false;
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'object':
      return isJsonObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}

/** Only plain values are ever listed. */
export function isAmong(value: Json, allowed: readonly Json[]): boolean {
  return allowed.includes(value);
}

function isWithin(size: number, { least, most }: Limits): boolean {
  return (least === null || size >= least.limit) && (most === null || size <= most.limit);
}

/** A limit is on characters, of which there are at least half as many as units. */
function isLongEnough(text: string, limits: Limits | null): boolean {
  return (
    limits === null || !mayBreak(text.length, limits) || isWithin(countCharacters(text), limits)
  );
}

function mayBreak(units: number, { least, most }: Limits): boolean {
  return (least !== null && units < 2 * least.limit) || (most !== null && units > most.limit);
}

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function hasTwice(values: readonly Json[]): boolean {
  if (values.length < 2) return false;
  const isPlain = values.every((it) => typeof it === 'string');
  const distinct = new Set(isPlain ? values : values.map((it) => canonicalText(it)));
  return distinct.size < values.length;
}
