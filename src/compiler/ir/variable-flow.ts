/**
 * Variables of the reachable part of a workflow: where they are set, where they are read, and
 * where they are live.
 *
 * Order of events at a node: its texts are read on entry, then its captures happen, then its
 * tools' responses arrive, then the conditions of its edges and of all global nodes are read.
 */
import type { NodeIndex } from './ids.js';
import type { Capture, Text } from './workflow.js';

export interface VariableFlow {
  /** By name, in the order in which a walk meets them. */
  readonly variables: ReadonlyMap<string, Variable>;
  /** The texts of nodes that read into a variable (`a.b`), in walk order; conditions aside. */
  readonly nestedReads: readonly Text[];
  /** For each node, 1 where the variable is live on entry to it; good until the next call. */
  readonly liveIn: (variable: Variable) => Uint8Array;
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
