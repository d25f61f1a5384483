/**
 * What of a value breaks a schema: every fault, each with its place.
 *
 * In: a value of any shape, size and depth, and the rule of a schema. Out: the faults in the order
 * of the document. Guarantees: linear, and no stack however deep the value is. The faults have the
 * form that the generated validators give theirs.
 */
import { child, type JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import type { SchemaFault } from '../../schemas/validators.generated.js';
import { canonicalText } from '../tools/canonical-text.js';
import type { Keywords, Limits, Rule } from './rules.js';

/** A value to be looked at, and where it stands; the pointer is written for what has a fault. */
interface Visit {
  readonly rule: Rule;
  readonly value: Json;
  readonly parent: Visit | null;
  readonly key: string | number;
  at: JsonPointer | null;
}

type Report = (visit: Visit, keyword: string, params: SchemaFault['params']) => void;

export function findFaults(root: Json, rule: Rule): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const pending: Visit[] = [visitOf(rule, root)];
  const report: Report = (visit, keyword, params) => {
    faults.push({ instancePath: pointerTo(visit), schemaPath: '', keyword, params });
  };
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const from = pending.length;
    check(visit, report, pending);
    reverse(pending, from);
  }
  return faults;
}

function visitOf(rule: Rule, value: Json): Visit {
  return { rule, value, parent: null, key: '', at: '' };
}

/** Whether the value keeps the rule. */
function keeps(value: Json, rule: Rule): boolean {
  const quick = keepsPlainly(value, rule);
  if (quick !== null) return quick;
  const pending: Visit[] = [visitOf(rule, value)];
  let holds = true;
  const report: Report = () => {
    holds = false;
  };
  for (let next = pending.pop(); holds && next !== undefined; next = pending.pop()) {
    check(next, report, pending);
  }
  return holds;
}

/** Most tests are whether a key has one of some values; null where there is more to look at. */
function keepsPlainly(value: Json, rule: Rule): boolean | null {
  if (typeof rule === 'boolean' || !rule.isPlain || !isJsonObject(value)) return null;
  const { types, allowed, keys, additional, required, properties } = rule;
  if (types !== null || allowed !== null || keys !== null || additional !== null) return null;
  for (const key of required) if (!Object.hasOwn(value, key)) return false;
  for (const [key, part] of properties) {
    if (part === true || !Object.hasOwn(value, key)) continue;
    if (typeof part === 'boolean' || part.allowed === null || !part.isPlain) return null;
    if (!isAmong(value[key]!, part.allowed)) return false;
  }
  return true;
}

/** Checks the value itself, and notes what is inside of it. */
function check(visit: Visit, report: Report, pending: Visit[]): void {
  const { rule, value, parent, key, at } = visit;
  if (rule === true) return;
  if (rule === false) {
    report(visit, 'false schema', {});
    return;
  }
  const { types, allowed } = rule;
  if (types !== null && !isOfSome(value, types)) {
    report(visit, 'type', { type: types.join(',') });
  }
  if (allowed !== null && !isAmong(value, allowed)) {
    const [only] = allowed;
    if (allowed.length === 1) report(visit, 'const', { allowedValue: only });
    else report(visit, 'enum', { allowedValues: allowed });
  }
  if (typeof value === 'string') checkText(value, rule, visit, report);
  else if (typeof value === 'number') {
    if (rule.amount !== null) checkLimits(value, rule.amount, visit, report);
  } else if (Array.isArray(value)) checkList(value, rule, visit, report, pending);
  else if (isJsonObject(value)) checkObject(value, rule, visit, report, pending);
  for (const also of rule.also) pending.push({ rule: also, value, parent, key, at });
  if (rule.not !== null && keeps(value, rule.not)) report(visit, 'not', {});
  const { test, whenKept, whenBroken } = rule;
  const next = test === null ? null : keeps(value, test) ? whenKept : whenBroken;
  if (next !== null) pending.push({ rule: next, value, parent, key, at });
}

function isOfSome(value: Json, types: readonly string[]): boolean {
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

/** Most values are plain and right; they are not worth a visit. */
function isSoundScalar(value: Json, rule: Rule): boolean {
  if (typeof value === 'object' || typeof rule === 'boolean') return rule === true;
  const { types, allowed, length, pattern, amount, isPlain } = rule;
  if (!isPlain) return false;
  if (types !== null && !isOfSome(value, types)) return false;
  if (allowed !== null && !isAmong(value, allowed)) return false;
  if (typeof value === 'number') return amount === null;
  if (typeof value !== 'string') return true;
  const isShort = length === null || !mayBreak(value.length, length);
  return isShort && (pattern === null || pattern.test(value));
}

/** Only plain values are ever listed. */
function isAmong(value: Json, allowed: readonly Json[]): boolean {
  return allowed.includes(value);
}

function checkText(
  value: string,
  { length, pattern }: Keywords,
  visit: Visit,
  report: Report,
): void {
  // A limit is on characters, of which there are at least half as many as units.
  if (length !== null && mayBreak(value.length, length)) {
    checkLimits(countCharacters(value), length, visit, report);
  }
  if (pattern !== null && !pattern.test(value)) {
    report(visit, 'pattern', { pattern: pattern.source });
  }
}

function mayBreak(units: number, { least, most }: Limits): boolean {
  return (least !== null && units < 2 * least.limit) || (most !== null && units > most.limit);
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

function checkLimits(size: number, { least, most }: Limits, visit: Visit, report: Report): void {
  if (least !== null && size < least.limit) report(visit, least.keyword, { limit: least.limit });
  if (most !== null && size > most.limit) report(visit, most.keyword, { limit: most.limit });
}

function checkList(
  value: readonly Json[],
  { elements, items, uniqueItems }: Keywords,
  visit: Visit,
  report: Report,
  pending: Visit[],
): void {
  if (elements !== null) checkLimits(value.length, elements, visit, report);
  if (uniqueItems && new Set(value.map((it) => canonicalText(it))).size < value.length) {
    report(visit, 'uniqueItems', {});
  }
  if (items === null || items === true) return;
  for (let key = 0; key < value.length; key += 1) {
    const element = value[key]!;
    if (isSoundScalar(element, items)) continue;
    pending.push({ rule: items, value: element, parent: visit, key, at: null });
  }
}

function checkObject(
  value: JsonObject,
  { keys: count, required, properties, additional }: Keywords,
  visit: Visit,
  report: Report,
  pending: Visit[],
): void {
  const keys = Object.keys(value);
  if (count !== null) checkLimits(keys.length, count, visit, report);
  for (const missingProperty of required) {
    if (!Object.hasOwn(value, missingProperty)) report(visit, 'required', { missingProperty });
  }
  for (const key of keys) {
    const rule = properties.get(key) ?? additional;
    if (rule === null || rule === true) continue;
    const part = value[key]!;
    if (rule === false && !properties.has(key)) {
      report(visit, 'additionalProperties', { additionalProperty: key });
    } else if (!isSoundScalar(part, rule)) {
      pending.push({ rule, value: part, parent: visit, key, at: null });
    }
  }
}

function pointerTo(visit: Visit): JsonPointer {
  const path: Visit[] = [];
  let known = visit;
  while (known.at === null) {
    path.push(known);
    known = known.parent!;
  }
  let at = known.at;
  for (const inner of path.reverse()) {
    at = child(at, inner.key);
    inner.at = at;
  }
  return at;
}

/** Turns round what was put on the list last, so that it is taken off in the order of the document. */
function reverse(list: Visit[], from: number): void {
  for (let low = from, high = list.length - 1; low < high; low += 1, high -= 1) {
    const visit = list[low]!;
    list[low] = list[high]!;
    list[high] = visit;
  }
}
