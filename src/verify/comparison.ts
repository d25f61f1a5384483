/** Source and squad side by side, as the items of the checklist compare them. */

import type { Destination, Squad, Tool } from '../call/squad.js';
import type { Settled, Target } from '../compiler/ir/options.js';
import type { Question } from '../compiler/ir/result.js';
import type { WorkflowNode } from '../compiler/ir/workflow.js';
import type { faultsOfSquad } from '../diagnostics/schema-fault.js';
import type { JsonObject } from '../text/json.js';
import type { Expected } from './expected/grouping.js';
import type { Handoff } from './expected/source.js';
import type { ExpectedTool, Needed } from './expected/tools.js';
import type { Finding } from './finding.js';
import type { Crossing } from './walk/crossing.js';
import type { Pair, Placed as Places } from './walk/find.js';
import type { MemberFacts } from './walk/members.js';
import type { ValueFinding } from './walk/values.js';

export interface Comparison extends Expected, Omit<Places, 'pairs'> {
  readonly document: JsonObject;
  /** What the schemas of the target find in it. */
  readonly faults: ReturnType<typeof faultsOfSquad>;
  readonly squad: Squad;
  readonly options: Settled;
  /** The target that the caller requests; null if the shape of the document decides. */
  readonly stated: Target | null;
  /** Questions without an answer. */
  readonly open: readonly Question[];
  /** By member. */
  readonly steps: readonly MemberFacts[];
  /** In the order of the search: the first of a node is on a shortest call to it. */
  readonly visits: readonly Pair[];
  /** The handoffs expected of members, and those that share a destination. */
  readonly handoffs: readonly Handoff[];
  readonly groups: readonly HandoffGroup[];
  readonly crossings: (handoff: Handoff) => readonly Crossing[];
  /** The expected handoffs that a destination implements. */
  readonly handoffsOf: ReadonlyMap<Destination, readonly Handoff[]>;
  /** By member. */
  readonly needed: readonly Needed[];
  /** Nodes whose tool no member has to have. */
  readonly homeless: readonly WorkflowNode[];
  /** By member. */
  readonly pairings: readonly Pairing[];
  /** Reads that find another value, each with a call that shows it. */
  readonly values: readonly ValueFinding[];
  /** Differences between what the assistants say and the source. */
  readonly differences: readonly Finding[];
  /** By member, what its prompt leaves open, in words. */
  readonly doubts: readonly (readonly string[])[];
}

/** Expected handoffs that share a destination. */
export interface HandoffGroup {
  readonly member: number;
  readonly target: number;
  readonly isGuarded: boolean;
  readonly handoffs: readonly Handoff[];
  /** The parts of the description, without repetition. */
  readonly parts: readonly string[];
  /** Its destination, and how well that fits; null if there is none. */
  matched: { readonly destination: Destination; readonly fit: Fit } | null;
}

/** As expected; else with another description; else with another target. */
export type Fit = 'exact' | 'described-otherwise' | 'leads-elsewhere';

/** The tool of the member for each expected one. */
export interface Pairing {
  readonly pairs: readonly (readonly [ExpectedTool, Tool])[];
  readonly missing: readonly ExpectedTool[];
  readonly leftOver: readonly Tool[];
}
