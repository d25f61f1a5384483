/**
 * Is a value that a program handed over JSON? (`compile(workflow: unknown)`)
 *
 * In: any JavaScript value. Out: every fault, at most {@link maxFaults}; an empty list means that
 * the value is plain JSON. Guarantees: no getter and no `toJSON` is called, nothing is thrown, and
 * the faults stand in the order of sorted keys, so that the order of keys decides nothing.
 *
 * Nearly every value is faultless, so that a quick walk without places decides first; only where
 * it says no does a second walk look for the places.
 *
 * Example: `checkJson({ a: [1, NaN] })` gives `[{ fault: 'not-a-value', at: '/a/1', found: 'NaN' }]`.
 */
import { child, type JsonPointer } from '../ir/ids.js';
import {
  isReservedKey,
  isWellFormed,
  judgeJson,
  maxDepth,
  maxTextLength,
  maxValues,
  notJson,
} from './json-plain.js';

export { maxDepth, maxTextLength } from './json-plain.js';

/** How many faults are told at most. */
export const maxFaults = 100;

/** One reason why a value is not JSON. */
export type JsonValueFault =
  | { readonly fault: 'not-a-value'; readonly at: JsonPointer; readonly found: string }
  | { readonly fault: 'too-deep'; readonly at: JsonPointer; readonly limit: number }
  | { readonly fault: 'too-many-values'; readonly at: JsonPointer; readonly limit: number }
  | { readonly fault: 'reserved-key'; readonly at: JsonPointer; readonly key: string }
  | { readonly fault: 'lone-surrogate'; readonly at: JsonPointer }
  | {
      readonly fault: 'text-too-long';
      readonly at: JsonPointer;
      readonly length: number;
      readonly limit: number;
    };

/** All faults of a value that should be JSON, in the order of sorted keys. */
export function checkJson(value: unknown): JsonValueFault[] {
  const verdict = judgeJson(value);
  if (verdict === 'plain') return [];
  // Of values without end a cycle is the likely reason; a short look is enough to find it.
  return findFaults(value, verdict === 'endless' ? maxValues / 100 : maxValues);
}

/** One place on the way: the root (`key` null) or a member of `parent`. */
interface Place {
  readonly parent: Place | null;
  readonly key: string | number | null;
  readonly depth: number;
  readonly value: unknown;
  /** What stands at the place instead of a value that can be read. */
  readonly instead: string | null;
}

function findFaults(root: unknown, budget: number): JsonValueFault[] {
  const faults: JsonValueFault[] = [];
  const stack: Place[] = [{ parent: null, key: null, depth: 0, value: root, instead: null }];
  let values = 0;
  for (let place = stack.pop(); place && faults.length < maxFaults; place = stack.pop()) {
    if (++values > budget) {
      faults.push({ fault: 'too-many-values', at: '', limit: maxValues });
      break;
    }
    if (!checkKey(place, faults) || !checkValue(place, faults)) continue;
    const members = membersOf(place, faults);
    for (let last = members.length - 1; last >= 0; last--) stack.push(members[last] as Place);
  }
  // Only a Proxy that changes its mind gets here without a fault.
  if (faults.length === 0) return [{ fault: 'not-a-value', at: '', found: 'unreadable object' }];
  return faults.slice(0, maxFaults);
}

/** Whether the member's value is worth a look after its key. */
function checkKey(place: Place, faults: JsonValueFault[]): boolean {
  const { key } = place;
  if (typeof key === 'string') {
    if (isReservedKey(key)) {
      faults.push({ fault: 'reserved-key', at: pointerTo(place), key });
      return false;
    }
    if (key.length > maxTextLength) {
      // The key itself would make a pointer that nobody can read.
      const at = place.parent ? pointerTo(place.parent) : '';
      faults.push({ fault: 'text-too-long', at, length: key.length, limit: maxTextLength });
      return false;
    }
    if (!isWellFormed(key)) faults.push({ fault: 'lone-surrogate', at: pointerTo(place) });
  }
  return true;
}

/** Whether the place holds a container whose members are to be looked at. */
function checkValue(place: Place, faults: JsonValueFault[]): boolean {
  const { value } = place;
  const found = place.instead ?? notJson(value);
  if (found !== null) {
    faults.push({ fault: 'not-a-value', at: pointerTo(place), found });
  } else if (typeof value === 'string') {
    checkText(place, value, faults);
  } else if (typeof value === 'object' && value !== null) {
    if (place.depth < maxDepth && !isInsideItself(place)) return true;
    faults.push({ fault: 'too-deep', at: pointerTo(place), limit: maxDepth });
  }
  return false;
}

function checkText(place: Place, text: string, faults: JsonValueFault[]): void {
  const { length } = text;
  if (length > maxTextLength) {
    faults.push({ fault: 'text-too-long', at: pointerTo(place), length, limit: maxTextLength });
  }
  if (!isWellFormed(text)) faults.push({ fault: 'lone-surrogate', at: pointerTo(place) });
}

/** The members of a container in sorted order; what is wrong with the container itself is told. */
function membersOf(parent: Place, faults: JsonValueFault[]): Place[] {
  const container = parent.value as object;
  try {
    const keys = Reflect.ownKeys(container);
    const names = keys.filter((key): key is string => typeof key === 'string');
    const wrong = Array.isArray(container)
      ? wrongArray(container.length, keys)
      : names.length < keys.length && 'symbol key';
    const sorted = Array.isArray(container) ? names.filter(isIndex).map(Number) : names.sort();
    const members = sorted.map((key) => memberOf(parent, container, key));
    if (wrong) faults.push({ fault: 'not-a-value', at: pointerTo(parent), found: wrong });
    return members;
  } catch {
    faults.push({ fault: 'not-a-value', at: pointerTo(parent), found: 'unreadable object' });
    return [];
  }
}

function memberOf(parent: Place, container: object, key: string | number): Place {
  const member = Object.getOwnPropertyDescriptor(container, key);
  const instead = !member
    ? 'unreadable object'
    : !('value' in member)
      ? 'accessor property'
      : member.enumerable
        ? null
        : 'hidden property';
  return { parent, key, depth: parent.depth + 1, value: member?.value, instead };
}

function wrongArray(length: number, keys: readonly PropertyKey[]): string | false {
  const indices = keys.filter((key) => typeof key === 'string' && isIndex(key)).length;
  if (indices < length) return 'sparse array';
  return keys.length > length + 1 && 'array with extra properties';
}

function isIndex(key: string): boolean {
  return /^(?:0|[1-9]\d*)$/.test(key);
}

/** Whether the container is one of those that it stands in. */
function isInsideItself(place: Place): boolean {
  for (let outer = place.parent; outer; outer = outer.parent) {
    if (outer.value === place.value) return true;
  }
  return false;
}

function pointerTo(place: Place): JsonPointer {
  const keys: (string | number)[] = [];
  for (let at: Place | null = place; at && at.key !== null; at = at.parent) keys.push(at.key);
  return keys.reduceRight<JsonPointer>((base, key) => child(base, key), '');
}
