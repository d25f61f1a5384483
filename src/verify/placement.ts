/**
 * How the assistants of the squad and the stages of the expected grouping stand to each other, by
 * the nodes that they have.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Comparison } from './comparison.js';

export interface Placement {
  /** Nodes that make an assistant, the equal ones once, in walk order. */
  readonly nodes: readonly NodeIndex[];
  /** For each stage the members that have one of its nodes, with the first that each has. */
  readonly membersOf: readonly ReadonlyMap<number, NodeIndex>[];
  /** For each member the stages of whose nodes it has one, with the first of each. */
  readonly stagesOf: readonly ReadonlyMap<number, NodeIndex>[];
  /** The stage that a member is, where it is one and the stage is no other's. */
  readonly stageOf: (member: number) => number | null;
}

/** Nodes that several members have, or none, are in no place. */
export function placeNodes({ graph, grouping, owners, squad }: Comparison): Placement {
  const membersOf = grouping.stages.map(() => new Map<number, NodeIndex>());
  const stagesOf = squad.members.map(() => new Map<number, NodeIndex>());
  const nodes = graph.order.filter(
    (node) => grouping.representative[node] === node && makesAssistant({ graph, grouping }, node),
  );
  for (const node of nodes) {
    const member = owners.soleOwner(node);
    const [stage] = grouping.stagesOf(node);
    if (member === null || stage === undefined) continue;
    if (!membersOf[stage]!.has(member)) membersOf[stage]!.set(member, node);
    if (!stagesOf[member]!.has(stage)) stagesOf[member]!.set(stage, node);
  }
  return {
    nodes,
    membersOf,
    stagesOf,
    stageOf: (member) => {
      const [stage] = stagesOf[member]!.keys();
      if (stage === undefined || stagesOf[member]!.size > 1) return null;
      return membersOf[stage]!.size > 1 ? null : stage;
    },
  };
}

/** A node that talks, or the start where it is a tool that goes to no other assistant. */
function makesAssistant(
  { graph, grouping }: Pick<Comparison, 'graph' | 'grouping'>,
  node: NodeIndex,
): boolean {
  if (graph.nodeAt(node).role === 'talk') return true;
  return node === graph.start && !grouping.stages[grouping.stagesOf(node)[0]!]!.talks;
}
