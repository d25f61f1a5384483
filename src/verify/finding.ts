/** What checks find: facts, faults and doubts, each with its places. */
import type { Evidence } from '../compiler/ir/result.js';
import type { JsonPointer } from '../text/pointer.js';

/** A finding: a fact about an item, or a difference between an assistant and the source. */
export interface Finding extends Evidence {
  /** True if it may fail because an answer requested what it forbids. */
  readonly excused?: boolean;
  /** The item that a difference fails; null if only a call shows it. */
  readonly item?: number | null;
  /** What an added setting that is not a difference does. */
  readonly effect?: 'outside' | 'unclear';
  /** True of a doubt that is part of another one. */
  readonly isPart?: boolean;
}

/** What a fact is about: a place, or something with a place. */
type Placed = JsonPointer | { readonly at: JsonPointer };
type Places = readonly Placed[];

/** A fact that is as expected; places of the source, then of the squad. */
export function fact(text: string, source: Places, output: Places): Finding {
  return { holds: true, text, source: source.map(placeOf), output: output.map(placeOf) };
}

/** A fact that the documents do not show. */
export function doubt(text: string, source: Places, output: Places): Finding {
  return { ...fact(text, source, output), holds: false, decided: false };
}

/** A part of what is reported as not seen. */
export function part(text: string, source: Places, output: Places): Finding {
  return { ...doubt(text, source, output), isPart: true };
}

/** A fact that is not; a difference has the item that it fails, or null. */
export function fault(text: string, source: Places, output: Places, item?: number | null): Finding {
  return { ...fact(text, source, output), holds: false, ...(item !== undefined && { item }) };
}

function placeOf(it: Placed): JsonPointer {
  return typeof it === 'string' ? it : it.at;
}
