/** Laws of assistants and plans: everything has its place, nothing is missing or superfluous. */
import { describeDifference, explore } from '../simulator/call.js';
import {
  carriedAt,
  destinationsOf,
  follow,
  memberAfter,
  ownersOf,
  schemasAt,
  type Tracks,
  toolsOf,
} from '../simulator/squad.js';
import { edgesOf, nodeOf } from '../simulator/walks.js';
import { definedVariables } from '../simulator/workflow.js';
import { isObject, type Json } from '../text/json.js';
import { valueAt } from '../text/pointer.js';
import { choosingReads } from './answering.js';
import { demand, type LawOptions, referenceGrouping, trackAnswered } from './law.js';
import type { SpecWorkflow } from './spec-workflow.js';

/** Reachable nodes have assistants, talk nodes exactly one; unreachable nodes have none. */
export function partitionCovers(workflow: SpecWorkflow, options: LawOptions = {}): void {
  const { tracks, graph } = trackAnswered(workflow, options);
  for (const node of graph.workflow.nodes) {
    const owners = ownersOf(tracks, node.index);
    const most = node.role === 'talk' ? 1 : tracks.memberCount;
    const right = graph.order.includes(node.index)
      ? owners.length > 0 && owners.length <= most
      : owners.length === 0;
    demand(right, () => `${node.type} ${node.id} is in members ${JSON.stringify(owners)}`);
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
    ['apiRequest', 'transferCall', 'function'].some((type) => toolsOf(tracks, member, type)[0]);
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

/** The reachable nodes of each member. */
function nodesOfMembers(tracks: Tracks): number[][] {
  const nodes = [...tracks.graph.workflow.nodes.keys()];
  return [...Array(tracks.memberCount).keys()].map((member) =>
    nodes.filter((node) => ownersOf(tracks, node).includes(member)),
  );
}

/** Handoffs along edges, as pairs of members. */
function handoffs(tracks: Tracks): (readonly [from: number, to: number])[] {
  const { graph } = tracks;
  const onward = edgesOf(graph).filter(({ to }) => nodeOf(graph, to).role !== 'exit');
  return onward.flatMap((edge) =>
    ownersOf(tracks, edge.from).flatMap((from) => {
      const at = follow(tracks, from, { to: edge.to, edge });
      return at === null ? [] : [[from, memberAfter(tracks, at)] as const];
    }),
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
  const { output, tracks } = trackAnswered(workflow, options, choosingReads);
  const members = [...Array(tracks.memberCount).keys()];
  for (const at of members.flatMap((member) => destinationsOf(tracks, member))) {
    for (const variable of carriedAt(output, at)) {
      const document = structuredClone(output) as Json;
      for (const schema of schemasAt(at)) {
        const properties = valueAt(document, `${schema}/properties`);
        if (isObject(properties)) delete (properties as Record<string, Json>)[variable];
      }
      const difference = explore({ ...tracks, document }, variable);
      demand(difference !== null, () => `${at} carries ${variable}, and no walk reads it`);
    }
  }
}
