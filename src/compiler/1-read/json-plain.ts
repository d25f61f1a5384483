/**
 * The quick half of `checkJson`: is a value of the caller's nothing but plain JSON, yes or no?
 *
 * In: any JavaScript value. Out: a verdict, or for a single value what it is instead of JSON.
 * Guarantees: no getter and no `toJSON` is called; nothing is thrown, whatever a Proxy does. The
 * walk goes level by level over one list, so that neither depth nor cycles cost stack.
 */

/** How many containers may stand inside one another. */
export const maxDepth = 200;
/** How long one text may be, in UTF-16 units. */
export const maxTextLength = 1_000_000;
/** How many values there may be in all; only shared references can get there (2^n of them). */
export const maxValues = 5_000_000;

/** Keys that can change what an object inherits. */
export function isReservedKey(key: string): boolean {
  return key === '__proto__' || key === 'constructor' || key === 'prototype';
}

/** Whether every surrogate of the text stands in a pair. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** What a value is that JSON has no word for; null for a JSON value (its members not looked at). */
export function notJson(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null;
    case 'number':
      return Number.isFinite(value) ? null : String(value);
    case 'object':
      return value === null ? null : notPlain(value);
    default:
      return typeof value;
  }
}

/** Whether the value is plain JSON within the limits; `endless` where it has too many values. */
export function judgeJson(root: unknown): 'plain' | 'faulty' | 'endless' {
  const containers: object[] = [];
  if (!takeValue(root, containers)) return 'faulty';
  let values = 1;
  let at = 0;
  for (let depth = 1; at < containers.length; depth++) {
    if (depth > maxDepth) return 'faulty';
    // What is found from here on stands a level deeper.
    for (const end = containers.length; at < end; at++) {
      const taken = takeMembers(containers[at]!, containers);
      if (taken < 0) return 'faulty';
      values += taken;
      if (values > maxValues) return 'endless';
    }
  }
  return 'plain';
}

/** Puts the containers among the members into `found`; the number of members, or -1 at a fault. */
function takeMembers(container: object, found: object[]): number {
  try {
    return Array.isArray(container)
      ? takeElements(container, found)
      : takeProperties(container, found);
  } catch {
    return -1;
  }
}

function takeElements(array: readonly unknown[], found: object[]): number {
  const count = array.length;
  // Beside its elements an array has its length, and nothing else.
  if (Reflect.ownKeys(array).length !== count + 1) return -1;
  for (let index = 0; index < count; index++) {
    if (!isEnumerable!.call(array, index) || isComputed(array, index)) return -1;
    if (!takeValue(array[index], found)) return -1;
  }
  return count;
}

function takeProperties(object: object, found: object[]): number {
  // Asked for apart from symbols, the names of most objects are known without a search.
  const names = Object.getOwnPropertyNames(object);
  if (Object.getOwnPropertySymbols(object).length > 0) return -1;
  const count = names.length;
  let at = 0;
  // Its enumerable names come in the same order, and before those that it inherits: the first that
  // is another, or missing, is hidden. So no second list of names is made.
  for (const name in object) {
    if (at === count) break;
    if (name !== names[at] || !isPlainKey(name) || isComputed(object, name)) return -1;
    if (!takeValue((object as Readonly<Record<string, unknown>>)[name], found)) return -1;
    at += 1;
  }
  return at < count ? -1 : count;
}

const { propertyIsEnumerable: isEnumerable, __lookupGetter__: lookupGetter } =
  Object.prototype as unknown as Record<string, (this: object, key: string | number) => unknown>;

/**
 * Whether a getter makes the member. It is looked up and not run, and no descriptor is made: they
 * would be a good part of all that a compilation leaves to the garbage collector.
 */
function isComputed(container: object, key: string | number): boolean {
  return lookupGetter!.call(container, key) !== undefined;
}

function takeValue(value: unknown, found: object[]): boolean {
  if (typeof value === 'string') return value.length <= maxTextLength && isWellFormed(value);
  if (notJson(value) !== null) return false;
  if (typeof value === 'object' && value !== null) found.push(value);
  return true;
}

function isPlainKey(key: string): boolean {
  return !isReservedKey(key) && key.length <= maxTextLength && isWellFormed(key);
}

function notPlain(value: object): string | null {
  try {
    const prototype: object | null = Object.getPrototypeOf(value);
    // `Array.prototype` is an array in every realm; the prototype of a subclass is not.
    if (Array.isArray(value)) return Array.isArray(prototype) ? null : 'class instance';
    if (prototype === null || prototype === Object.prototype) return null;
    if (isObjectPrototype(prototype)) return null;
    return builtIns.find(([, type]) => value instanceof type)?.[0] ?? 'class instance';
  } catch {
    return 'unreadable object';
  }
}

/** Whether this is the `Object.prototype` of another realm (a frame, a vm context). */
function isObjectPrototype(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}

const builtIns: readonly (readonly [string, new (...args: never[]) => object])[] = [
  ['Map', Map],
  ['Set', Set],
  ['RegExp', RegExp],
  ['Promise', Promise],
  ['Error', Error],
];
