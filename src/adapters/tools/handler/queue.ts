/**
 * Things in the order in which they came, of which any may leave at any time.
 *
 * Invariant: to come, to leave and to find the first take as long with one as with many. A Map, which
 * keeps an order too, walks over the places of all that have left to find its first.
 */

/** What stands in a queue; of no more than one, and there no more than once. */
export interface Queued<Self> {
  before: Self | undefined;
  after: Self | undefined;
}

export interface Queue<Thing> {
  first(): Thing | undefined;
  /** Joins at the end. */
  join(thing: Thing): void;
  leave(thing: Thing): void;
}

export function createQueue<Thing extends Queued<Thing>>(): Queue<Thing> {
  let first: Thing | undefined;
  let last: Thing | undefined;
  return {
    first: () => first,
    join(thing) {
      thing.before = last;
      if (last) last.after = thing;
      else first = thing;
      last = thing;
    },
    leave(thing) {
      const { before, after } = thing;
      if (before) before.after = after;
      else first = after;
      if (after) after.before = before;
      else last = before;
      // One that has left must keep alive none that are still to leave.
      thing.before = undefined;
      thing.after = undefined;
    },
  };
}
