/**
 * The door for values that a program hands over: a copy that is nothing but JSON.
 *
 * In: any JavaScript value. Out: a copy of plain objects (keys in sorted order, so that the order of
 * keys decides nothing), lists, texts, finite numbers, booleans and null, or the first fault. A
 * property that is undefined is absent. No getter and no `toJSON` runs; nothing is thrown, whatever
 * a Proxy does. Everything behind the door reads the copy.
 *
 * Example: `copyJson({ a: [1, NaN] })` gives `{ refused: { at: '/a/1', reason: 'NaN' } }`.
 */
import { type ArgsOf, type Code, diagnose } from '../../diagnostics/diagnose.js';
import { type JsonPointer, pointer } from '../ir/ids.js';
import type { Json, JsonObject } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';

/** How many containers may stand inside one another. */
export const maxDepth = 200;
/** How long one text may be, in UTF-16 units. */
const maxTextLength = 1_000_000;
/** How many values there may be in all; only shared references get there (2^n of them). */
const maxValues = 5_000_000;
/** How many faults of one kind are told at most. */
export const maxFaults = 100;

/** What JSON has no way to write; the message is the reason. */
class Refused extends Error {}

/** The copy with what stands in its texts that nobody could use, or why there is none, and where. */
export function copyJson(
  input: unknown,
):
  | { readonly value: Json; readonly faults: readonly Diagnostic[] }
  | { readonly refused: { readonly at: JsonPointer; readonly reason: string } } {
  const copier = new Copier();
  try {
    return { value: copier.copy(input), faults: copier.faults };
  } catch (error) {
    const reason = error instanceof Refused ? error.message : 'unreadable object';
    return { refused: { at: copier.at(), reason } };
  }
}

/** Makes one copy, and collects on the way what is wrong with its texts and its keys. */
class Copier {
  readonly faults: Diagnostic[] = [];
  private readonly path: (string | number)[] = [];
  /** The containers that the value stands in. */
  private readonly open = new Set<object>();
  private values = 0;

  at(): JsonPointer {
    return pointer(...this.path);
  }

  /** Recurses as deep as containers may stand inside one another. */
  copy(value: unknown): Json {
    this.values += 1;
    if (this.values > maxValues) throw new Refused('too-many-values');
    if (typeof value === 'string') this.checkText(value);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    if (typeof value === 'number') throw new Refused(String(value));
    if (typeof value !== 'object') throw new Refused(typeof value);
    if (this.open.has(value)) throw new Refused('cycle');
    if (this.open.size === maxDepth) throw new Refused('too-deep');
    if (!isPlain(value)) throw new Refused('class instance');
    this.open.add(value);
    const copied = Array.isArray(value) ? this.copyList(value) : this.copyObject(value);
    this.open.delete(value);
    return copied;
  }

  private copyList(list: readonly unknown[]): Json[] {
    // Beside its elements a list has its length, and nothing else.
    const extra = Reflect.ownKeys(list).length - list.length - 1;
    if (extra !== 0) throw new Refused(extra < 0 ? 'sparse array' : 'array with extra properties');
    const copied: Json[] = [];
    for (let index = 0; index < list.length; index += 1) {
      this.path.push(index);
      copied.push(this.copy(memberOf(list, index)));
      this.path.pop();
    }
    return copied;
  }

  /** Without keys that can change what an object inherits; they are faults. */
  private copyObject(object: object): JsonObject {
    const copied: Record<string, Json> = {};
    for (const key of namesOf(object)) {
      this.path.push(key);
      const member = memberOf(object, key);
      if (member !== undefined && this.checkKey(key)) copied[key] = this.copy(member);
      this.path.pop();
    }
    return copied;
  }

  private checkKey(key: string): boolean {
    const isReserved = isReservedKey(key);
    if (isReserved) this.report('shape/reserved-name', { name: key });
    else this.checkText(key);
    return !isReserved;
  }

  private checkText(text: string): void {
    const { length } = text;
    const args = { length, limit: maxTextLength, what: 'text' };
    if (length > maxTextLength) this.report('shape/text-too-long', args);
    if (!text.isWellFormed()) this.report('shape/lone-surrogate', {});
  }

  private report<C extends Code>(code: C, args: ArgsOf<C>): void {
    if (this.faults.length < maxFaults) this.faults.push(diagnose(code, this.at(), args));
  }
}

function memberOf(container: object, key: string | number): unknown {
  const member = Object.getOwnPropertyDescriptor(container, key);
  if (member === undefined) throw new Refused('unreadable object');
  if (!('value' in member)) throw new Refused('accessor property');
  if (member.enumerable !== true) throw new Refused('hidden property');
  return member.value;
}

/** Names in their order. */
function namesOf(object: object): string[] {
  const names: string[] = [];
  for (const key of Reflect.ownKeys(object)) {
    if (typeof key !== 'string') throw new Refused('symbol key');
    names.push(key);
  }
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
  if ('refused' in copied) {
    const { at, reason } = copied.refused;
    return { faults: [diagnose('shape/not-json', at, { reason })] };
  }
  return copied.faults.length === 0 ? { value: copied.value } : { faults: copied.faults };
}
