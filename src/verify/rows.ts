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
  return toRows(offsets.length - 1, targets, sourcesOf(offsets));
}

/** Positions sorted by key, those of one key in their order; keys are 0 … count - 1. */
export function sortByKey(
  count: number,
  keys: ArrayLike<number>,
): { readonly offsets: Int32Array; readonly order: Int32Array } {
  const offsets = new Int32Array(count + 1);
  for (let at = 0; at < keys.length; at += 1) offsets[keys[at]! + 1]! += 1;
  for (let key = 0; key < count; key += 1) offsets[key + 1]! += offsets[key]!;
  const order = new Int32Array(keys.length);
  // Filling a row moves its offset to that of the next row; then all are moved back by one place.
  for (let at = 0; at < keys.length; at += 1) order[offsets[keys[at]!]!++] = at;
  offsets.copyWithin(1, 0);
  offsets[0] = 0;
  return { offsets, order };
}

function sourcesOf(offsets: Int32Array): Int32Array {
  const sources = new Int32Array(offsets.at(-1)!);
  for (let source = 0; source + 1 < offsets.length; source += 1) {
    sources.fill(source, offsets[source]!, offsets[source + 1]!);
  }
  return sources;
}
