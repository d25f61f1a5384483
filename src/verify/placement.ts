/**
 * How the assistants of the squad and the stages of the expected grouping stand to each other, by
 * the nodes that they have.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Comparison } from './comparison.js';
import type { Grouping } from './grouping/group-nodes.js';
import type { SourceGraph } from './source-graph.js';

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
  const ofStage = new Array<Part[]>(grouping.stageCount).fill(noParts);
  const ofMember = new Array<Part[]>(squad.members.length).fill(noParts);
  // Most members have a part of one stage; here are their parts of further ones.
  const further = new Set<number>();
  const nodes = graph.order.filter(
    (node) => grouping.representative[node] === node && makesAssistant(graph, grouping, node),
  );
  for (const node of nodes) {
    const member = owners.soleOwner(node);
    const stage = grouping.stageOf(node);
    if (member === null || stage === null) continue;
    const own = ofMember[member]![0];
    if (own?.stage === stage) continue;
    if (own !== undefined) {
      const key = stage * squad.members.length + member;
      if (further.has(key)) continue;
      further.add(key);
    }
    const part: Part = { stage, member, first: node };
    addPart(ofStage, stage, part);
    // Most stages and members are one, and share the list.
    if (own === undefined && ofStage[stage]!.length === 1) ofMember[member] = ofStage[stage]!;
    else addPart(ofMember, member, part);
  }
  return {
    nodes,
    ofStage,
    ofMember,
    stageOf: (member) => {
      const parts = ofMember[member]!;
      if (parts.length !== 1) return null;
      const { stage } = parts[0]!;
      return ofStage[stage]!.length > 1 ? null : stage;
    },
  };
}

const noParts: Part[] = [];

/** A list of one may be shared, so it does not grow itself. */
function addPart(lists: Part[][], at: number, part: Part): void {
  const parts = lists[at]!;
  if (parts.length === 0) lists[at] = [part];
  else if (parts.length === 1) lists[at] = [parts[0]!, part];
  else parts.push(part);
}

/** A node that talks, or the start where it is a tool that goes to no other assistant. */
function makesAssistant(graph: SourceGraph, grouping: Grouping, node: NodeIndex): boolean {
  if (graph.nodeAt(node).role === 'talk') return true;
  return node === graph.start && !grouping.talks(grouping.stageOf(node)!);
}
