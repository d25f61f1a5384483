/** Source and squad side by side, as the items of the checklist look at them: what `compare` makes. */
import type { JsonObject } from '../compiler/ir/json.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type { Question } from '../compiler/ir/result.js';
import type { Crossings, Passage, Settlement } from './expected.js';
import type { ExpectedTool, ExpectedTools } from './expected-tools.js';
import type { Match } from './owners.js';
import type { Crossway } from './passages.js';
import type { Difference } from './prompts.js';
import type { Destination, Squad, Tool } from './squad.js';

export interface Comparison extends Settlement, Pick<Match, 'owners'> {
  readonly document: JsonObject;
  readonly squad: Squad;
  readonly options: Settled;
  /** The target that the caller wants; null where the shape of the document says it. */
  readonly stated: Target | null;
  /** Questions that nobody has answered. */
  readonly open: readonly Question[];
  /** Answers that keep stages apart: the questions, which waive item 2. */
  readonly waivers: readonly string[];
  readonly match: Match;
  readonly edgePassages: readonly Passage[];
  readonly globalPassages: readonly Passage[];
  readonly crossings: Crossings;
  readonly crossways: readonly Crossway[];
  /** The passages that a destination stands for. */
  readonly standing: ReadonlyMap<Destination, readonly Passage[]>;
  readonly expectedTools: ExpectedTools;
  /** By member. */
  readonly pairings: readonly Pairing[];
  /** What the assistants say otherwise than the source. */
  readonly differences: readonly Difference[];
}

/** Which tool of the member each expected one is. */
export interface Pairing {
  readonly pairs: readonly (readonly [ExpectedTool, Tool])[];
  readonly missing: readonly ExpectedTool[];
  readonly leftOver: readonly Tool[];
}
