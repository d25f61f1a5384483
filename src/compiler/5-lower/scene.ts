/** What the text and the tools of one assistant are made of. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Text } from '../ir/workflow.js';
import { Speaker } from './conditions.js';
import type { Features } from './features.js';
import { few } from './node-set.js';

/** What the assistants know of each other. */
export interface Cast {
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly features: Features;
  readonly names: readonly string[];
  /** Names of the tools of request nodes. */
  readonly tools: ReadonlyMap<NodeIndex, Traced<string>>;
  /** Sentences that lead to an entry from other assistants. */
  readonly leadingTo: (entry: NodeIndex) => readonly Lead[];
  /** For a global node that is no exit, the region that holds it. */
  readonly homeOf: (global: NodeIndex) => Region | null;
}

/** What leads to an entry: a condition of the source, or a sentence of squadc's own. */
export interface Lead {
  readonly sentence: Text;
  readonly isCondition: boolean;
}

/** One assistant among the others. */
export class Scene extends Speaker {
  /** The node whose first message the assistant speaks by itself; null where none is. */
  readonly spoken: NodeIndex | null;
  private numbers: Map<NodeIndex, number> | null = null;

  constructor(
    readonly cast: Cast,
    region: Region,
  ) {
    super(cast.graph, region, cast.names[region.index]!);
    this.spoken = region.entries.length === 1 ? region.first : null;
  }

  /** The number of the node's step; 0 where the assistant does not hold it. */
  numberOf(node: NodeIndex): number {
    const { nodes } = this.region;
    if (nodes.length <= few) return nodes.indexOf(node) + 1;
    this.numbers ??= new Map(nodes.map((it, at) => [it, at + 1]));
    return this.numbers.get(node) ?? 0;
  }

  holds(node: NodeIndex): boolean {
    return this.numberOf(node) > 0;
  }
}
