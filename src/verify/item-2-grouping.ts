/**
 * Item 2. "The assistant count is minimized, linear chains are merged, no cyclical handoff pair is
 * left split."
 *
 * The assistants are those of the definition (grouping/group-nodes.ts), for the boundary and the
 * answers that are given: the nodes of one expected stage are of one assistant, those of two are
 * not, each is of exactly one, and tools are where the nodes are that lead to them. What remains of
 * handoffs is justified, and pairs that hand off to and fro do so only through a global node. An
 * answer that keeps stages apart waives the item for what it keeps apart, and for nothing else.
 * What is an assistant in the source already stays one, and is a reason for the handoffs from it
 * and to it.
 */
import { ofGrouping } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import { checkCircles, checkLinks } from './link-facts.js';
import { divideByNeed, type Link, linkMembers } from './links.js';
import type { Passage } from './passages.js';
import { placeNodes } from './placement.js';
import { findPlacementFaults } from './placement-faults.js';
import { findReadyFaults } from './ready-assistants.js';
import { findToolFaults } from './tool-placement.js';

export function checkGrouping(comparison: Comparison): Judgement {
  const placement = placeNodes(comparison);
  const { explicit, afterGlobal } = divideByNeed(comparison);
  const misplaced = [
    ...findPlacementFaults(comparison, placement),
    ...findReadyFaults(comparison),
    ...findToolFaults(comparison, placement),
  ];
  const circles = checkCircles(comparison, placement, explicit);
  // What else there is to say are reasons, which hold; an answer can be one of them.
  const listFacts = () => [
    count(comparison),
    ...misplaced,
    ...checkLinks(comparison, placement),
    ...circles,
    ...listReturns(comparison, explicit, [...afterGlobal, ...comparison.globalPassages]),
  ];
  return judge(2, [...misplaced, ...circles], comparison, listFacts);
}

function count({ graph, squad }: Comparison): Finding {
  const text = ofGrouping.counted(squad.members.length, graph.order.length);
  return finding(true, text, [`${graph.workflow.at}/nodes`], []);
}

/** Pairs that hand off to and fro only because a global node leads one way from anywhere. */
function listReturns(
  comparison: Comparison,
  explicit: readonly Passage[],
  throughGlobals: readonly Passage[],
): Finding[] {
  if (throughGlobals.length === 0) return [];
  const { squad, nameOf } = comparison;
  const keyOf = (from: number, to: number) => from * squad.members.length + to;
  const pairsOf = (links: readonly Link[]) => new Set(links.map(({ from, to }) => keyOf(from, to)));
  const ways = linkMembers(comparison, throughGlobals);
  const byEdges = pairsOf(linkMembers(comparison, explicit));
  const byGlobals = pairsOf(ways);
  const returning = new Map<number, Link[]>();
  for (const link of ways) {
    const back = keyOf(link.to, link.from);
    if (byEdges.has(keyOf(link.from, link.to)) && byEdges.has(back)) continue;
    const isPair = byEdges.has(back) || (byGlobals.has(back) && link.to < link.from);
    const list = returning.get(link.to);
    if (isPair && list === undefined) returning.set(link.to, [link]);
    else if (isPair) list!.push(link);
  }
  return [...returning].map(([home, pairs]) => {
    const text = () =>
      ofGrouping.returns(
        nameOf(home),
        pairs.map(({ from }) => nameOf(from)),
      );
    const source = [...new Set(pairs.flatMap((link) => link.source))];
    const output = pairs.flatMap(({ from }) => squad.members[from]?.at ?? []);
    return finding(true, text, source, output);
  });
}
