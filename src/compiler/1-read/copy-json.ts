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

export type Copied = { readonly value: Json } | { readonly fault: NotJson };

/** What stands in a value that JSON has no way to write. */
export interface NotJson {
  readonly at: JsonPointer;
  readonly reason: string;
}

export function copyJson(value: unknown): Copied {
  const copying: Copying = { path: [], open: new Set(), values: 0 };
  try {
    return { value: copyValue(value, copying) };
  } catch (error) {
    const reason = error instanceof Refused ? error.reason : 'unreadable object';
    return { fault: { at: pointer(...copying.path), reason } };
  }
}

interface Copying {
  readonly path: (string | number)[];
  /** The containers that the value stands in. */
  readonly open: Set<object>;
  values: number;
}

class Refused extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

function copyValue(value: unknown, copying: Copying): Json {
  copying.values += 1;
  if (copying.values > maxValues) throw new Refused('too-many-values');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'number') throw new Refused(String(value));
  if (typeof value !== 'object') throw new Refused(typeof value);
  const { open } = copying;
  if (open.has(value)) throw new Refused('cycle');
  if (open.size === maxDepth) throw new Refused('too-deep');
  if (!isPlain(value)) throw new Refused('class instance');
  open.add(value);
  const copy = Array.isArray(value) ? copyList(value, copying) : copyObject(value, copying);
  open.delete(value);
  return copy;
}

function copyList(list: readonly unknown[], copying: Copying): Json[] {
  // Beside its elements a list has its length, and nothing else.
  const extra = Reflect.ownKeys(list).length - list.length - 1;
  if (extra !== 0) throw new Refused(extra < 0 ? 'sparse array' : 'array with extra properties');
  return Array.from({ length: list.length }, (_, index) => {
    return copyMember(Object.getOwnPropertyDescriptor(list, index), index, copying);
  });
}

function copyObject(object: object, copying: Copying): Json {
  const keys = Reflect.ownKeys(object);
  const names = keys.filter((key) => typeof key === 'string').sort();
  if (names.length < keys.length) throw new Refused('symbol key');
  const members: [string, Json][] = [];
  for (const key of names) {
    const member = Object.getOwnPropertyDescriptor(object, key);
    const isAbsent = member !== undefined && 'value' in member && member.value === undefined;
    if (!isAbsent) members.push([key, copyMember(member, key, copying)]);
  }
  return Object.fromEntries(members);
}

function copyMember(
  member: PropertyDescriptor | undefined,
  key: string | number,
  copying: Copying,
): Json {
  copying.path.push(key);
  if (member === undefined) throw new Refused('unreadable object');
  if (!('value' in member)) throw new Refused('accessor property');
  if (member.enumerable !== true) throw new Refused('hidden property');
  const copy = copyValue(member.value, copying);
  copying.path.pop();
  return copy;
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
