/**
 * Compressed adjacency as the checks use it: the targets of vertex `v` are
 * `targets[offsets[v]] … targets[offsets[v + 1] - 1]`.
 */
export interface Rows {
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
}

/** A row of numbers. The `map` and `from` of typed arrays cost several times as much. */
export function tabulate(count: number, numberAt: (at: number) => number): Int32Array {
  const row = new Int32Array(count);
  for (let at = 0; at < count; at += 1) row[at] = numberAt(at);
  return row;
}

/** A row of flags. */
export function flag(count: number, is: (at: number) => boolean): Uint8Array {
  const flags = new Uint8Array(count);
  for (let at = 0; at < count; at += 1) if (is(at)) flags[at] = 1;
  return flags;
}

/** One row per source, in the order in which the arcs are given. */
export function toRows(count: number, sources: ArrayLike<number>, targets: ArrayLike<number>) {
  const { offsets, order } = sortByKey(count, sources);
  const sorted = new Int32Array(order.length);
  for (let at = 0; at < order.length; at += 1) sorted[at] = targets[order[at]!]!;
  return { offsets, targets: sorted };
}

/** For each vertex the vertices whose rows it stands in, in their order. */
export function reverseRows({ offsets, targets }: Rows): Rows {
  const count = offsets.length - 1;
  const ends = countKeys(count, targets);
  const sources = new Int32Array(targets.length);
  for (let source = 0; source < count; source += 1) {
    const end = offsets[source + 1]!;
    for (let slot = offsets[source]!; slot < end; slot += 1) {
      sources[ends[targets[slot]!]!++] = source;
    }
  }
  return { offsets: toStarts(ends), targets: sources };
}

/** Positions sorted by key, those of one key in their order; keys are 0 … count - 1. */
export function sortByKey(
  count: number,
  keys: ArrayLike<number>,
): { readonly offsets: Int32Array; readonly order: Int32Array } {
  const ends = countKeys(count, keys);
  const order = new Int32Array(keys.length);
  for (let at = 0; at < keys.length; at += 1) order[ends[keys[at]!]!++] = at;
  return { offsets: toStarts(ends), order };
}

/** By key, how many have a lower one; last, how many there are. */
function countKeys(count: number, keys: ArrayLike<number>): Int32Array {
  const offsets = new Int32Array(count + 1);
  for (let at = 0; at < keys.length; at += 1) offsets[keys[at]! + 1]! += 1;
  for (let key = 0; key < count; key += 1) offsets[key + 1]! += offsets[key]!;
  return offsets;
}

/** Filling a row has moved its offset to that of the next row; so all are moved back by a place. */
function toStarts(ends: Int32Array): Int32Array {
  ends.copyWithin(1, 0);
  ends[0] = 0;
  return ends;
}
