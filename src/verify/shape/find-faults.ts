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
import type { Keywords, Rule } from './rules.js';

/** Where a value stands; the pointer is written for what has a fault. */
interface Place {
  readonly parent: Place | null;
  readonly key: string | number;
  at: JsonPointer | null;
}

interface Visit {
  readonly rule: Rule;
  readonly value: Json;
  readonly place: Place;
}

type Report = (place: Place, keyword: string, params: SchemaFault['params']) => void;

export function findFaults(root: Json, rule: Rule): SchemaFault[] {
  const faults: SchemaFault[] = [];
  const pending: Visit[] = [{ rule, value: root, place: { parent: null, key: '', at: '' } }];
  const report: Report = (place, keyword, params) => {
    faults.push({ instancePath: pointerTo(place), schemaPath: '', keyword, params });
  };
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    const from = pending.length;
    check(visit, report, pending);
    reverse(pending, from);
  }
  return faults;
}

/** Whether the value keeps the rule. */
function keeps(value: Json, rule: Rule): boolean {
  const pending: Visit[] = [{ rule, value, place: { parent: null, key: '', at: '' } }];
  let holds = true;
  const report: Report = () => {
    holds = false;
  };
  for (let next = pending.pop(); holds && next !== undefined; next = pending.pop()) {
    check(next, report, pending);
  }
  return holds;
}

/** Checks the value itself, and notes what is inside of it. */
function check({ rule, value, place }: Visit, report: Report, pending: Visit[]): void {
  if (rule === true) return;
  if (rule === false) {
    report(place, 'false schema', {});
    return;
  }
  const { types, allowed } = rule;
  if (types !== null && !types.some((type) => isOfType(value, type))) {
    report(place, 'type', { type: types.join(',') });
  }
  if (allowed !== null && !isAmong(value, allowed)) {
    const [only] = allowed;
    if (allowed.length === 1) report(place, 'const', { allowedValue: only });
    else report(place, 'enum', { allowedValues: allowed });
  }
  if (typeof value === 'string') checkText(value, rule, place, report);
  else if (typeof value === 'number') checkNumber(value, rule, place, report);
  else if (Array.isArray(value)) checkList(value, rule, place, report, pending);
  else if (isJsonObject(value)) checkObject(value, rule, place, report, pending);
  for (const also of rule.also) pending.push({ rule: also, value, place });
  if (rule.not !== null && keeps(value, rule.not)) report(place, 'not', {});
  const { test, whenKept, whenBroken } = rule;
  const next = test === null ? null : keeps(value, test) ? whenKept : whenBroken;
  if (next !== null) pending.push({ rule: next, value, place });
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
function isAmong(value: Json, allowed: readonly Json[]): boolean {
  return allowed.includes(value);
}

function checkText(value: string, { limits, pattern }: Keywords, place: Place, report: Report) {
  const { minLength, maxLength } = limits;
  if (minLength !== undefined || maxLength !== undefined) {
    // A limit is on characters; what is far beyond all limits need not be counted so.
    const { length } = value.length > 100_000 ? value : [...value];
    checkLimits(length, limits, 'Length', place, report);
  }
  if (pattern !== null && !pattern.test(value))
    report(place, 'pattern', { pattern: String(limits['pattern']) });
}

function checkNumber(value: number, { limits }: Keywords, place: Place, report: Report) {
  checkLimits(value, limits, 'imum', place, report);
}

function checkLimits(
  size: number,
  limits: JsonObject,
  of: 'Length' | 'imum' | 'Items' | 'Properties',
  place: Place,
  report: Report,
): void {
  const [least, most] = [limits[`min${of}`], limits[`max${of}`]];
  if (typeof least === 'number' && size < least) report(place, `min${of}`, { limit: least });
  if (typeof most === 'number' && size > most) report(place, `max${of}`, { limit: most });
}

function checkList(
  value: readonly Json[],
  { limits, items, uniqueItems }: Keywords,
  place: Place,
  report: Report,
  pending: Visit[],
): void {
  checkLimits(value.length, limits, 'Items', place, report);
  if (uniqueItems && new Set(value.map((it) => canonicalText(it))).size < value.length) {
    report(place, 'uniqueItems', {});
  }
  if (items === null || items === true) return;
  value.forEach((element, key) => {
    pending.push({ rule: items, value: element, place: { parent: place, key, at: null } });
  });
}

function checkObject(
  value: JsonObject,
  { limits, required, properties, additional }: Keywords,
  place: Place,
  report: Report,
  pending: Visit[],
): void {
  const keys = Object.keys(value);
  checkLimits(keys.length, limits, 'Properties', place, report);
  for (const missingProperty of required) {
    if (!Object.hasOwn(value, missingProperty)) report(place, 'required', { missingProperty });
  }
  for (const key of keys) {
    const rule = properties.get(key) ?? additional;
    if (rule === null || rule === true) continue;
    if (rule === false && !properties.has(key)) {
      report(place, 'additionalProperties', { additionalProperty: key });
    } else {
      pending.push({ rule, value: value[key]!, place: { parent: place, key, at: null } });
    }
  }
}

function pointerTo(place: Place): JsonPointer {
  const path: Place[] = [];
  let known = place;
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
