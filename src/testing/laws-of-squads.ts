/** Laws of assistants and plans: everything has its place, nothing is missing or superfluous. */

import { nodeOf } from '../call/machine.js';
import { carriedBy, type Destination } from '../call/squad.js';
import { describeDifference, explore, type Tracks } from '../scenarios/explore.js';
import { definedVariables } from '../scenarios/play.js';
import { choosingReads } from './answering.js';
import {
  demand,
  type LawOptions,
  membersInLedger,
  ownersOf,
  referenceGrouping,
  representatives,
  trackAnswered,
} from './law.js';
import type { SpecWorkflow } from './spec-workflow.js';

/**
 * Reachable nodes have assistants, talk nodes exactly one; unreachable nodes have none. The ledger
 * says the same.
 */
export function partitionCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, graph } = trackAnswered(workflow, options);
  const held = nodesOfMembers(tracks);
  for (const node of graph.workflow.nodes) {
    const owners = [...held.keys()].filter((member) => held[member]!.includes(node.index));
    const most = node.role === 'talk' ? 1 : held.length;
    const right = graph.order.includes(node.index)
      ? owners.length > 0 && owners.length <= most
      : owners.length === 0;
    demand(right, () => `${node.type} ${node.id} is in members ${JSON.stringify(owners)}`);
    const told = membersInLedger(settlement, 'node', node.at);
    demand(told.join() === owners.join(), () => `${node.id} is in ${owners}, not in ${told}`);
  }
}

/** The compiler's grouping is that of the definition, in whatever order its steps are applied. */
export function groupingCanonical(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, numbers, compile } = trackAnswered(workflow, options);
  const named = (groups: readonly (readonly string[])[]): string =>
    groups
      .map((ids) => [...ids].sort().join(' '))
      .sort()
      .join(' | ');
  const held = nodesOfMembers(tracks).map((nodes) => nodes.map((node) => workflow.nodes[node]!.id));
  for (const order of [[], numbers, numbers.toReversed().map((number) => number + 1)]) {
    const boundary = compile.boundary ?? 'branch';
    const defined = referenceGrouping(workflow, { settlement, boundary, numbers: order });
    if (defined === null) return;
    const [own, groups] = [named(held), named(defined)];
    demand(own === groups, () => `the compiler groups {${own}}, the definition {${groups}}`);
  }
}

/**
 * Every handoff has a reason, no chain is left, and assistants talk (a tool-only start need not).
 * With the boundary `tools`, tools on both sides are also a reason.
 */
export function groupingMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, graph, compile } = trackAnswered(workflow, options);
  const held = nodesOfMembers(tracks);
  for (const [member, nodes] of held.entries()) {
    const talks = nodes.some((node) => nodeOf(graph, node).role === 'talk');
    demand(member === 0 || talks, () => `member ${member} holds no talk node`);
  }
  // A global tool counts if it has an assistant of its own.
  const entersOnItsOwn = (node: number): boolean =>
    node === graph.start ||
    (nodeOf(graph, node).global !== null && ownersOf(tracks, node).length === 1);
  const hasTools = (member: number): boolean =>
    tracks.squad.assistants[member]!.member.tools.some(({ type }) =>
      ['apiRequest', 'transferCall', 'function'].includes(type),
    );
  // Cycles of stages that an answer keeps apart.
  const split = settlement.asked.flatMap(({ id, kind, at }) => {
    const isSplit = kind === 'cyclic-stages' && settlement.answers[id]?.choice !== 'consolidate';
    return isSplit ? [at.map((place) => Number(place.split('/')[2]))] : [];
  });
  // Nodes with early reads that an answer keeps apart.
  const apart = settlement.asked.flatMap(({ id, kind }) => {
    const isKept = kind === 'read-too-early' && settlement.answers[id]?.choice === 'keep-split';
    const nodes = [...graph.workflow.nodes.values()];
    return isKept
      ? nodes.filter((node) => id === `${kind}:${node.id}`).map(({ index }) => index)
      : [];
  });
  const isIn = (member: number, cycle: readonly number[]): boolean =>
    held[member]!.some((node) => cycle.includes(node));
  const links = handoffs(tracks);
  for (const [from, to] of links) {
    const justified =
      links.some(([first, second]) => (first === from) !== (second === to)) ||
      held[to]!.some(entersOnItsOwn) ||
      split.some((cycle) => isIn(from, cycle) && isIn(to, cycle)) ||
      isIn(from, apart) ||
      isIn(to, apart) ||
      (compile.boundary === 'tools' && hasTools(from) && hasTools(to));
    demand(justified, () => `the handoff from member ${from} to member ${to} has no reason`);
  }
}

/** The reachable nodes of each member; of equal nodes, all. */
function nodesOfMembers({ graph, squad }: Tracks): number[][] {
  const first = representatives(graph);
  return squad.assistants.map(({ member }) => {
    const own = squad.places.flatMap((it) => (it.member === member.index ? it.node : []));
    const held = new Set(own.map((node) => first.get(node)));
    return [...graph.order].filter((node) => held.has(first.get(node))).sort((a, b) => a - b);
  });
}

/** Handoffs along edges, as pairs of members. */
function handoffs({ squad }: Tracks): (readonly [from: number, to: number])[] {
  return squad.places.flatMap(({ member, moves }) =>
    moves.flatMap(({ step, to, handoff }) =>
      step.edge === undefined || handoff === null
        ? []
        : [[member, squad.places[to]!.member] as const],
    ),
  );
}

/**
 * On every walk a read finds the same value in the squad as in the source, for all answers.
 * Variables that a plan cannot carry exactly (a capture and a response at the same handoff) are
 * warned about and exempt.
 */
export function plansSound(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { settlement, tracks, graph } = trackAnswered(workflow, options, choosingReads);
  const mixed = settlement.result.diagnostics.filter(({ code }) => code === 'data/mixed-source');
  for (const variable of definedVariables(graph)) {
    if (mixed.some(({ message }) => message.includes(`“${variable}”`))) continue;
    const difference = explore(tracks, variable);
    demand(difference === null, () => (difference ? describeDifference(difference) : ''));
  }
}

/** Without any one carried variable of any handoff, some walk reads another value. */
export function plansMinimal(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { tracks } = trackAnswered(workflow, options, choosingReads);
  const moves = tracks.squad.places.flatMap((place) => place.moves);
  for (const lost of new Set(moves.flatMap(({ handoff }) => handoff ?? []))) {
    for (const variable of carriedBy(lost)) {
      const isLost = ({ at, tool }: Destination) =>
        at === lost.at || (byTool && tool === lost.tool);
      const byTool = carriedBy({ ...lost, value: {} }).includes(variable);
      const carries = (by: Destination) => !isLost(by) && carriedBy(by).includes(variable);
      const difference = explore(tracks, variable, carries);
      demand(difference !== null, () => `${lost.at} carries ${variable}, and no walk reads it`);
    }
  }
}
