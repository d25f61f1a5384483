/**
 * Copies values from other code into plain JSON.
 *
 * In: any JavaScript value. Out: a copy of plain objects (keys sorted, so that their order has no
 * effect), lists, texts, finite numbers, booleans and null, and what is wrong with the value. An
 * undefined property is absent. No getter and no `toJSON` runs, and nothing is thrown, whatever a
 * Proxy does. The rest of the compiler reads only the copy.
 *
 * Example: `readJson({ a: [1, NaN] })` gives no value, and `shape/not-json` at `/a/1`.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { Json } from '../../text/json.js';
import { pointer } from '../../text/pointer.js';
import type { Diagnostic } from '../ir/result.js';

/** The deepest nesting of containers. */
export const maxDepth = 200;
/** The longest text, in UTF-16 units. */
const maxTextLength = 1_000_000;
/** The most values of a document; only shared references reach it (2^n of them). */
const maxValues = 5_000_000;
/** The most of a workflow: 2,000 nodes with their edges. All phases together take 2 s for them. */
export const maxValuesOfWorkflow = 30_000;
/** The most faults reported for one kind. */
export const maxFaults = 100;

/** A value that JSON cannot express; the message is the reason. */
class NotJson extends Error {}

/**
 * The copy, and its unusable texts and keys; undefined if the value is not JSON, with the first
 * place that is not.
 */
export function readJson(input: unknown, most = maxValues) {
  const path: (string | number)[] = [];
  const open = new Set<object>();
  const faults: Diagnostic[] = [];
  let values = 0;
  const checkText = (text: string): void => {
    if (faults.length >= maxFaults) return;
    const at = pointer(...path);
    if (text.length > maxTextLength) {
      const args = { length: text.length, limit: maxTextLength, what: 'text' };
      faults.push(diagnose('shape/text-too-long', at, args));
    }
    if (!text.isWellFormed()) faults.push(diagnose('shape/lone-surrogate', at, {}));
  };
  /** Recurses as deep as containers may nest. */
  const copy = (value: unknown): Json => {
    values += 1;
    if (values > most) throw new NotJson('too many values');
    if (typeof value === 'string') checkText(value);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'number') throw new NotJson(String(value));
    if (typeof value !== 'object') throw new NotJson(typeof value);
    if (open.has(value)) throw new NotJson('cycle');
    if (open.size === maxDepth) throw new NotJson('too-deep');
    if (!isPlain(value)) throw new NotJson('class instance');
    open.add(value);
    const copied = Array.isArray(value) ? copyList(value) : copyObject(value);
    open.delete(value);
    return copied;
  };
  const copyList = (list: readonly unknown[]): Json[] => {
    // A list has its elements and its length, and no other property.
    const extra = Reflect.ownKeys(list).length - list.length - 1;
    if (extra !== 0) throw new NotJson(extra < 0 ? 'sparse array' : 'array with extra properties');
    return Array.from({ length: list.length }, (_, index) => {
      path.push(index);
      const copied = copy(memberOf(list, index));
      path.pop();
      return copied;
    });
  };
  const copyObject = (object: object): Json => {
    const keys = Reflect.ownKeys(object);
    if (keys.some((key) => typeof key === 'symbol')) throw new NotJson('symbol key');
    const copied: Record<string, Json> = {};
    for (const key of (keys as string[]).sort()) {
      path.push(key);
      const member = memberOf(object, key);
      const isReserved = member !== undefined && isReservedKey(key);
      if (isReserved && faults.length < maxFaults) {
        faults.push(diagnose('shape/reserved-name', pointer(...path), { name: key }));
      }
      if (member !== undefined && !isReserved) {
        checkText(key);
        copied[key] = copy(member);
      }
      path.pop();
    }
    return copied;
  };
  try {
    return { value: copy(input), faults };
  } catch (error) {
    if (values > most) {
      return { value: undefined, faults: [diagnose('shape/too-large', '', { most })] };
    }
    const reason = error instanceof NotJson ? error.message : 'unreadable object';
    return { value: undefined, faults: [diagnose('shape/not-json', pointer(...path), { reason })] };
  }
}

function memberOf(container: object, key: string | number): unknown {
  const member = Object.getOwnPropertyDescriptor(container, key);
  if (member === undefined) throw new NotJson('unreadable object');
  if (!('value' in member)) throw new NotJson('accessor property');
  if (member.enumerable !== true) throw new NotJson('hidden property');
  return member.value;
}

/** Lists and objects of any realm: their prototypes are those of `Array` and `Object`. */
export function isPlain(value: object): boolean {
  const prototype: object | null = Object.getPrototypeOf(value);
  if (Array.isArray(value)) return Array.isArray(prototype);
  if (prototype === null || prototype === Object.prototype) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

/** Keys that can change what an object inherits. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}
