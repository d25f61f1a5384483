/**
 * Follows a record through a machine: all places where the call can be after each item, and then the
 * moves that it can have made.
 *
 * A set of places stands for a call, since a record may leave open where it is: names that several
 * nodes have, tools that are not recorded. The set is empty exactly if no call leaves such a record.
 */
import { findWalk, flood } from '../graph/walks.js';
import type { JsonPointer } from '../text/pointer.js';
import type { Item } from './record.js';
import type { Arc, Reader, Trail } from './trail.js';

/** Places, and the variables that may have a value there, as bits. */
type Positions = ReadonlyMap<number, bigint>;

/** How far a record can be followed. */
export interface Followed {
  readonly layers: readonly {
    readonly reader: Reader;
    readonly before: Positions;
    /** Those before, and those that the call may have passed since. */
    readonly passed: Positions;
    readonly after: Positions;
  }[];
  /** Null if it is a call to its end, else the item that no call has there. */
  readonly stuck: { readonly at: number; readonly variable: string | null } | null;
  /** Where the call can be at the end, or before that item. */
  readonly places: readonly number[];
}

/** `given` are the variables that a call can begin with. */
export function follow(trail: Trail, items: readonly Item[], given: ReadonlySet<string>): Followed {
  const layers: Followed['layers'][number][] = [];
  let before: Positions = new Map([[trail.arcs.length - 1, 0n]]);
  const end = (stuck: Followed['stuck']) => ({ layers, stuck, places: [...before.keys()] });
  for (const [at, item] of items.entries()) {
    const reader = trail.read(item, items[at - 1]);
    const { passed, after } = advance(trail, reader, before);
    if (after.size === 0) return end({ at, variable: null });
    for (const variable of item.values) {
      if (given.has(variable)) continue;
      const bit = trail.bits.get(variable) ?? 0n;
      for (const [place, set] of after) if ((set & bit) === 0n) after.delete(place);
      if (after.size === 0) return end({ at, variable });
    }
    layers.push({ reader, before, passed, after });
    before = after;
  }
  return end(null);
}

function advance({ arcs }: Trail, { lands, passes, stays }: Reader, before: Positions) {
  const after = new Map([...before].filter(([place]) => stays(place)));
  const passed = new Map(before);
  /** Whether the call can have more values there than was known. */
  const add = (to: Map<number, bigint>, place: number, set: bigint): boolean => {
    const known = to.get(place);
    to.set(place, (known ?? 0n) | set);
    return to.get(place) !== known;
  };
  const queue = [...before.keys()];
  for (const place of queue) {
    for (const arc of arcs[place]!) {
      const set = passed.get(place)! | arc.sets;
      if (lands(arc)) add(after, arc.to, set);
      if (passes(arc) && add(passed, arc.to, set)) queue.push(arc.to);
    }
  }
  return { passed, after };
}

/** What a call did up to an item. */
export interface Passage {
  /** The edges and global nodes on all ways, and those on some. */
  readonly surely: readonly JsonPointer[];
  readonly perhaps: readonly JsonPointer[];
  /** The shortest way; of several the first. */
  readonly chosen: readonly Arc[];
}

/** The moves up to each item, on the ways that lead to the end of the record. */
export function retrace({ arcs }: Trail, { layers, places }: Followed): Passage[] {
  let ends: readonly number[] = places;
  const found = layers.toReversed().map(({ reader: { lands, passes, stays }, before, passed }) => {
    const last = ends;
    const isGoal = (arc: Arc) => lands(arc) && last.includes(arc.to);
    const inside = [...passed.keys()].flatMap((place) => arcs[place]!);
    const silent = inside.filter(passes);
    const into = (place: number) => silent.flatMap(({ from, to }) => (to === place ? from : []));
    const goals = inside.flatMap((arc) => (isGoal(arc) ? arc.from : []));
    const useful = flood(goals, into);
    const onward = inside.filter((arc) => isGoal(arc) || (passes(arc) && useful.has(arc.to)));
    const staying = [...before.keys()].filter((it) => last.includes(it) && stays(it));
    ends = [...before.keys()].filter((it) => useful.has(it) || staying.includes(it));
    return { onward, staying, isGoal, passes, starts: ends };
  });
  let [place] = ends;
  return found.toReversed().map(({ onward, staying, isGoal, passes, starts }): Passage => {
    const find = (from: readonly number[], without: Arc['at'] = '') => {
      const leaving = (all: readonly number[]) =>
        onward.filter((arc) => all.includes(arc.from) && arc.at !== without);
      return findWalk(leaving(from), (arc) => (passes(arc) ? leaving([arc.to]) : []), isGoal);
    };
    const chosen = staying.includes(place!) ? [] : (find([place!]) ?? []);
    place = chosen.at(-1)?.to ?? place;
    const isSingle = onward.length === chosen.length;
    const isSure = ({ at }: Arc) => staying.length === 0 && (isSingle || find(starts, at) === null);
    const surely = new Set(chosen.flatMap((arc) => (isSure(arc) ? (arc.at ?? []) : [])));
    const all = new Set(onward.flatMap(({ at }) => at ?? []));
    return { surely: [...surely], perhaps: [...all].filter((it) => !surely.has(it)), chosen };
  });
}
