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
import { countCharacters, hasTwice, isAmong, isOfSome, keeps } from './keeps.js';
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
  const pending: Visit[] = [{ rule, value: root, parent: null, key: '', at: '' }];
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

function checkText(
  value: string,
  { length, pattern }: Keywords,
  visit: Visit,
  report: Report,
): void {
  if (length !== null) checkLimits(countCharacters(value), length, visit, report);
  if (pattern !== null && !pattern.test(value)) {
    report(visit, 'pattern', { pattern: pattern.source });
  }
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
  if (uniqueItems && hasTwice(value)) report(visit, 'uniqueItems', {});
  if (items === null || items === true) return;
  for (let key = 0; key < value.length; key += 1) {
    pending.push({ rule: items, value: value[key]!, parent: visit, key, at: null });
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
    if (rule === false && !properties.has(key)) {
      report(visit, 'additionalProperties', { additionalProperty: key });
    } else pending.push({ rule, value: value[key]!, parent: visit, key, at: null });
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
