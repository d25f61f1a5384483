/** Lists under keys. */

/** Adds a value to the list under a key. */
export function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** Adds values at the end; unlike `push(...values)`, it takes any number of them. */
export function extend<Value>(list: Value[], values: Iterable<Value>): void {
  for (const value of values) list.push(value);
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
