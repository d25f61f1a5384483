/** Visits: where a call can be, in the workflow and in the squad at once, and how it came there. */
import type { JsonPointer, NodeIndex } from '../../compiler/ir/ids.js';
import type { Sentence } from '../item.js';
import type { Way } from './ways.js';

export interface Visit {
  readonly node: NodeIndex;
  readonly member: number;
  /** Number of the step in the member's prompt; 0 where the prompt has no steps. */
  readonly step: number;
  /** The visit before; null at the start, and where the node was found by its texts alone. */
  readonly parent: Visit | null;
  /** The way that was taken; null where there is no visit before. */
  readonly way: Way | null;
}

/** Where a way of the source leads in the squad. */
export interface Landing {
  readonly way: Way;
  readonly member: number;
  readonly step: number;
}

/** Something that the squad does otherwise than the workflow. */
export interface Difference {
  /** The call up to there; null where no call of the workflow comes to it. */
  readonly visit: Visit | null;
  /** The way that shows it; null where the visit itself does. */
  readonly way: Way | null;
  readonly text: Sentence;
  readonly source: readonly JsonPointer[];
  readonly output: readonly JsonPointer[];
}
