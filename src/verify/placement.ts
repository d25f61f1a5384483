/**
 * How the assistants of the squad and the stages of the expected grouping stand to each other, by
 * the nodes that they have.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Comparison } from './comparison.js';

export interface Placement {
  /** Nodes that make an assistant, the equal ones once, in walk order. */
  readonly nodes: readonly NodeIndex[];
  /** By stage, what members have of it. */
  readonly ofStage: readonly (readonly Part[])[];
  /** By member, what it has of stages. */
  readonly ofMember: readonly (readonly Part[])[];
  /** The stage that a member is, where it is one and the stage is no other's. */
  readonly stageOf: (member: number) => number | null;
}

/** What a member has of a stage, by the first of its nodes. */
export interface Part {
  readonly stage: number;
  readonly member: number;
  readonly first: NodeIndex;
}

/** Nodes that several members have, or none, are in no place. */
export function placeNodes({ graph, grouping, owners, squad }: Comparison): Placement {
  const ofStage = grouping.stages.map((): Part[] => []);
  const ofMember = squad.members.map((): Part[] => []);
  const known = new Set<number>();
  const nodes = graph.order.filter(
    (node) => grouping.representative[node] === node && makesAssistant({ graph, grouping }, node),
  );
  for (const node of nodes) {
    const member = owners.soleOwner(node);
    const [stage] = grouping.stagesOf(node);
    if (member === null || stage === undefined) continue;
    const key = stage * squad.members.length + member;
    if (known.has(key)) continue;
    known.add(key);
    const part: Part = { stage, member, first: node };
    ofStage[stage]!.push(part);
    ofMember[member]!.push(part);
  }
  return {
    nodes,
    ofStage,
    ofMember,
    stageOf: (member) => {
      const [part, ...others] = ofMember[member]!;
      if (part === undefined || others.length > 0) return null;
      return ofStage[part.stage]!.length > 1 ? null : part.stage;
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
