/** Lists under keys. */

/** Adds a value to the list under a key. */
export function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Adds values at the end; unlike `push(...values)` it takes any number of them. */
export function extend<Value>(list: Value[], values: Iterable<Value>): void {
  for (const value of values) list.push(value);
}

/**
 * A list with an item more; the one that was given is not to be used any further, as it may be the
 * same. Most lists stay empty or get one item, so a list is made with its first item: one that
 * begins empty makes room for seventeen when the first comes.
 */
export function withItem<Item>(list: readonly Item[], item: Item): readonly Item[] {
  if (list.length === 0) return [item];
  (list as Item[]).push(item);
  return list;
}

/** The values by key, each list in the order of the values. */
export function groupBy<Key, Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => Key,
): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) append(groups, keyOf(value), value);
  return groups;
}

/** So many are compared each with each, which needs no memory. */
const few = 8;

/** Whether no two of the places from `begin` to before `end` have the same value. */
export function areDifferent(
  begin: number,
  end: number,
  valueAt: (place: number) => unknown,
): boolean {
  if (end - begin > few) {
    const values = new Set<unknown>();
    for (let at = begin; at < end; at += 1) values.add(valueAt(at));
    return values.size === end - begin;
  }
  for (let one = begin; one < end; one += 1) {
    for (let other = one + 1; other < end; other += 1) {
      if (valueAt(one) === valueAt(other)) return false;
    }
  }
  return true;
}
