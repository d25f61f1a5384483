/**
 * The door for values that a program hands over: a copy that is nothing but JSON.
 *
 * In: any JavaScript value. Out: a copy of plain objects (keys in sorted order, so that the order of
 * keys decides nothing), lists, texts, finite numbers, booleans and null, or the first fault. A
 * property that is undefined is absent. No getter and no `toJSON` runs; nothing is thrown, whatever
 * a Proxy does. Everything behind the door reads the copy.
 *
 * Example: `copyJson({ a: [1, NaN] })` gives `{ fault: { at: '/a/1', reason: 'NaN' } }`.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer, pointer } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';

/** How many containers may stand inside one another. */
export const maxDepth = 200;
/** How long one text may be, in UTF-16 units. */
const maxTextLength = 1_000_000;
/** How many values there may be in all; only shared references get there (2^n of them). */
const maxValues = 5_000_000;
/** How many faults of one kind are told at most. */
export const maxFaults = 100;

class Refused extends Error {}

/** The copy, or the first thing in the value that JSON has no way to write. */
export function copyJson(
  input: unknown,
): { readonly value: Json } | { readonly fault: { at: JsonPointer; reason: string } } {
  const path: (string | number)[] = [];
  /** The containers that the value stands in. */
  const open = new Set<object>();
  let values = 0;

  const copy = (value: unknown): Json => {
    values += 1;
    if (values > maxValues) throw new Refused('too-many-values');
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'number') throw new Refused(String(value));
    if (typeof value !== 'object') throw new Refused(typeof value);
    if (open.has(value)) throw new Refused('cycle');
    if (open.size === maxDepth) throw new Refused('too-deep');
    if (!isPlain(value)) throw new Refused('class instance');
    open.add(value);
    const members: [string | number, Json][] = [];
    for (const key of keysOf(value)) {
      const member = Object.getOwnPropertyDescriptor(value, key);
      const isUndefined = member !== undefined && 'value' in member && member.value === undefined;
      if (isUndefined && !Array.isArray(value)) continue;
      path.push(key);
      if (member === undefined) throw new Refused('unreadable object');
      if (!('value' in member)) throw new Refused('accessor property');
      if (member.enumerable !== true) throw new Refused('hidden property');
      members.push([key, copy(member.value)]);
      path.pop();
    }
    open.delete(value);
    return Array.isArray(value) ? members.map(([, it]) => it) : Object.fromEntries(members);
  };

  try {
    return { value: copy(input) };
  } catch (error) {
    const reason = error instanceof Refused ? error.message : 'unreadable object';
    return { fault: { at: pointer(...path), reason } };
  }
}

/** Places of a list, and else names in their order. */
function keysOf(container: object): (string | number)[] {
  const keys = Reflect.ownKeys(container);
  if (Array.isArray(container)) {
    // Beside its elements a list has its length, and nothing else.
    const extra = keys.length - container.length - 1;
    if (extra !== 0) throw new Refused(extra < 0 ? 'sparse array' : 'array with extra properties');
    return Array.from({ length: container.length }, (_, index) => index);
  }
  const names = keys.filter((key) => typeof key === 'string');
  if (names.length < keys.length) throw new Refused('symbol key');
  return names.sort();
}

/** Lists and objects of any realm: the prototypes of `Array` and `Object` themselves. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return Array.isArray(prototype);
  if (prototype === null || prototype === Object.prototype) return true;
  return (
    Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf')
  );
}

/** Keys that can change what an object inherits. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** A copy whose texts can be used, or everything that speaks against it. */
export function readJson(
  input: unknown,
): { readonly value: Json } | { readonly faults: readonly Diagnostic[] } {
  const copied = copyJson(input);
  if ('fault' in copied) {
    const { at, reason } = copied.fault;
    return { faults: [diagnose('shape/not-json', at, { reason })] };
  }
  const faults = checkTexts(copied.value);
  return faults.length === 0 ? copied : { faults };
}

/** What is JSON and still in no text that anybody could use, in the order of keys. */
export function checkTexts(value: Json): Diagnostic[] {
  const faults: Diagnostic[] = [];
  const checkText = (text: string, at: JsonPointer) => {
    const { length } = text;
    const args = { length, limit: maxTextLength, what: 'text' };
    if (length > maxTextLength) faults.push(diagnose('shape/text-too-long', at, args));
    if (!text.isWellFormed()) faults.push(diagnose('shape/lone-surrogate', at, {}));
  };
  /** Recurses as deep as a copy may be. */
  const check = (part: Json, at: JsonPointer) => {
    if (faults.length >= maxFaults) return;
    if (typeof part === 'string') checkText(part, at);
    if (typeof part !== 'object' || part === null) return;
    for (const [key, member] of Object.entries(part)) {
      const place = child(at, key);
      if (isReservedKey(key)) faults.push(diagnose('shape/reserved-name', place, { name: key }));
      else {
        checkText(key, place);
        check(member as Json, place);
      }
    }
  };
  check(value, '');
  return faults;
}
