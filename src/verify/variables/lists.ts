/** Lists by key, and tests for what is in a list. */

/** Adds the value to the list at the key. */
export function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The list with the value: one of one is made as such, since one that grows has room for many. */
export function put<T>(list: T[] | null, value: T): T[] {
  if (list === null) return [value];
  list.push(value);
  return list;
}

/** Whether a value is in the list; most lists are so short that a set is not worth while. */
export function testOf<T>(list: readonly T[]): (value: T) => boolean {
  if (list.length < 8) return (value) => list.includes(value);
  const set = new Set(list);
  return (value) => set.has(value);
}
