/** Takes the elements of several ordered lists in one order, without holding the lists. */

/** A line of one of the parts, with what decides its turn. */
export interface Turn {
  readonly text: string;
  readonly name: string;
  readonly rank: number;
  readonly index: number;
}

/** The elements of several ordered lists in order; of equal ones, that of the earlier list first. */
export function* inTurn<T extends Turn>(lists: readonly Iterable<T>[]): Generator<T> {
  const waiting = lists.map((list) => list[Symbol.iterator]());
  try {
    const heads = waiting.map((each) => each.next());
    for (;;) {
      const at = earliest(heads);
      const head = heads[at];
      if (head === undefined || head.done) return;
      yield head.value;
      heads[at] = waiting[at]!.next();
    }
  } finally {
    for (const each of waiting) each.return?.();
  }
}

function earliest(heads: readonly IteratorResult<Turn>[]): number {
  let first = -1;
  for (const [at, head] of heads.entries()) {
    if (head.done) continue;
    const before = heads[first];
    if (before === undefined || before.done || isEarlier(head.value, before.value)) first = at;
  }
  return first;
}

function isEarlier(a: Turn, b: Turn): boolean {
  return a.rank < b.rank || (a.rank === b.rank && a.index < b.index);
}
