/**
 * Variables of the reachable part of a workflow: where they are set, where they are read, and
 * where they are live.
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its
 * tools' responses arrive, then the conditions of its edges and of all global nodes are read.
 */
import type { NodeIndex } from './ids.js';
import type { UnreachedReads } from './inquiry.js';
import type { Capture, Text } from './workflow.js';

export interface VariableFlow {
  /** By name, in the order in which a walk meets them. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** The texts of nodes that read into a variable (`a.b`), in walk order; conditions aside. */
  readonly nestedReads: readonly Text[];
  /** Those of the nodes on entry to which the variable is live. */
  readonly liveAt: (variable: Variable, nodes: Iterable<NodeIndex>) => ReadonlySet<NodeIndex>;
}

export interface Variable {
  readonly name: string;
  readonly captures: readonly CaptureSite[];
  /** Nodes whose tools set the variable, after the captures of the same node. */
  readonly responses: readonly NodeIndex[];
  /** Talk nodes with a tool whose response sets it; whether it is called nobody knows. */
  readonly offers: readonly NodeIndex[];
  /** Nodes whose own texts read it, on entry. */
  readonly reads: readonly NodeIndex[];
  /**
   * Talk nodes with an alias whose value reads it. The read itself happens where the call is handed
   * over, so it counts with the handoffs that carry the alias.
   */
  readonly aliasReads: readonly NodeIndex[];
  /** Nodes that have an edge whose condition reads it. */
  readonly conditionReads: readonly NodeIndex[];
  /** Global nodes whose condition reads it, at every node. */
  readonly globalReads: readonly NodeIndex[];
  /** Whether the workflow's global prompt reads it, in every assistant. */
  readonly readEverywhere: boolean;
}

export interface CaptureSite {
  readonly node: NodeIndex;
  readonly capture: Capture;
}

/** A variable with the reads of it that deserve a question or a warning. */
export interface ReadReview {
  readonly variable: Variable;
  readonly unreached: UnreachedReads;
  /** Nodes with reads that a walk can come to before the variable is set. */
  readonly maybeUnset: readonly NodeIndex[];
  /** A shortest such walk; of a long one, whose middle nobody prints, the first and last nodes. */
  readonly unsetWalk: readonly NodeIndex[];
}

/** Whether no definition reaches some of the reads: then a human is asked. */
export function hasUnreached({ unreached }: ReadReview): boolean {
  const { texts, conditions, globals, globalPrompt } = unreached;
  return globalPrompt || texts.size + conditions.size + globals.size > 0;
}

/** Whether anything in the workflow sets the variable, wherever that is. */
export function isSet({ captures, responses }: Variable): boolean {
  return captures.length + responses.length > 0;
}
