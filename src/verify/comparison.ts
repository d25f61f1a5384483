/** Source and squad side by side, as the items of the checklist look at them, and what they find. */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type { Evidence, Question } from '../compiler/ir/result.js';
import type { Crossings } from './expected/crossings.js';
import type { Settlement } from './expected/settle.js';
import type { Passage, Steps } from './expected/source.js';
import type { ExpectedTool, ExpectedTools } from './expected/tools.js';
import type { Match } from './match.js';
import type { Destination, Squad, Tool } from './squad.js';

export interface Comparison extends Settlement, Match {
  readonly document: JsonObject;
  readonly squad: Squad;
  readonly options: Settled;
  /** The target that the caller wants; null where the shape of the document says it. */
  readonly stated: Target | null;
  /** Questions that nobody has answered. */
  readonly open: readonly Question[];
  /** By member. */
  readonly steps: readonly Steps[];
  /** The ways out of members, and those of them that share a destination. */
  readonly passages: readonly Passage[];
  readonly crossways: readonly Crossway[];
  readonly crossings: Crossings;
  /** The passages that a destination stands for. */
  readonly standing: ReadonlyMap<Destination, readonly Passage[]>;
  readonly expectedTools: ExpectedTools;
  /** By member. */
  readonly pairings: readonly Pairing[];
  /** What the assistants say otherwise than the source. */
  readonly differences: readonly Finding[];
}

/** Passages that share a destination. */
export interface Crossway {
  readonly member: number;
  readonly target: number;
  readonly isGuarded: boolean;
  readonly passages: readonly Passage[];
  /** What the description says, each part once. */
  readonly parts: readonly string[];
  /** What it has become, and how well that fits; null where there is no such destination. */
  matched: { readonly destination: Destination; readonly fit: Fit } | null;
}

/** As it is to be, else described otherwise, else leading elsewhere. */
export type Fit = 'exact' | 'described-otherwise' | 'leads-elsewhere';

/** Which tool of the member each expected one is. */
export interface Pairing {
  readonly pairs: readonly (readonly [ExpectedTool, Tool])[];
  readonly missing: readonly ExpectedTool[];
  readonly leftOver: readonly Tool[];
}

/** What is found: a fact of an item, or what an assistant says otherwise than the source. */
export interface Finding extends Evidence {
  /** Whether it may fail because an answer asked for what it forbids. */
  readonly excused?: boolean;
  /** The item that what is said otherwise fails; null where a call alone shows it. */
  readonly item?: number | null;
}

/** What a fact is about: a place, or what stands there. */
type Placed = JsonPointer | { readonly at: JsonPointer };

/** Something that is as it is to be; places of the source, then of the squad. */
export function fact(text: string, source: readonly Placed[], output: readonly Placed[]): Finding {
  return { holds: true, text, source: source.map(placeOf), output: output.map(placeOf) };
}

/** Something that is not. */
export function fault(text: string, source: readonly Placed[], output: readonly Placed[]): Finding {
  return { ...fact(text, source, output), holds: false };
}

function placeOf(it: Placed): JsonPointer {
  return typeof it === 'string' ? it : it.at;
}
