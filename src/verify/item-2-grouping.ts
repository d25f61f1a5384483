/**
 * Item 2. "The assistant count is minimized, linear chains are merged, no cyclical handoff pair is
 * left split."
 *
 * Every handoff along an edge needs a reason: its source hands off elsewhere too, or its target is
 * handed to by others too, or the target is entered by itself, as the start or from anywhere. With
 * the boundary `tools` a second way out is no reason, but different tools are. No handoffs along
 * edges form a circle, but those that need a step to a global node. An answer that keeps stages
 * apart excuses both where it applies.
 */
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofGrouping } from '../diagnostics/checklist.js';
import { type Apartness, readApartness } from './apartness.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import { divideByNeed, type Link, linkMembers } from './links.js';
import { listOwnTools } from './own-nodes.js';
import type { Passage } from './passages.js';
import { rowsOfLists } from './rows.js';
import { numberComponents } from './strong-components.js';

export function checkGrouping(comparison: Comparison): ChecklistItem {
  const links = linkMembers(comparison, comparison.edgePassages);
  const { explicit, afterGlobal } = divideByNeed(comparison);
  const apartness = readApartness(comparison);
  const nodes = comparison.graph.reachable.size;
  const { length } = comparison.squad.members;
  const findings = [
    finding(true, ofGrouping.counted(length, nodes), ['/nodes'], []),
    ...checkTalk(comparison),
    ...checkLinks(comparison, links, apartness),
    ...checkCircles(comparison, linkMembers(comparison, explicit), apartness),
    ...listReturns(comparison, explicit, [...afterGlobal, ...comparison.globalPassages]),
  ];
  return toItem(2, findings, comparison);
}

function checkTalk({ graph, owners, squad, nameOf }: Comparison): Finding[] {
  const talking = new Set<number>();
  for (const node of graph.reachable) {
    if (graph.nodeAt(node).role === 'talk') for (const it of owners.of(node)) talking.add(it);
  }
  if (graph.nodeAt(graph.start).role === 'act') {
    for (const member of owners.of(graph.start)) talking.add(member);
  }
  const silent = squad.members.filter(({ index }) => !talking.has(index));
  return silent.length === 0
    ? [finding(true, ofGrouping.talks(squad.members.length), [], [])]
    : silent.map(({ index, at }) => finding(false, ofGrouping.talksNot(nameOf(index)), [], [at]));
}

function checkLinks(comparison: Comparison, links: readonly Link[], apart: Apartness): Finding[] {
  const { nameOf, options } = comparison;
  const ways = countWays(links);
  const entered = listEntered(comparison);
  const differInTools = options.boundary === 'tools' ? compareTools(comparison) : null;
  const reasonOf = ({ from, to }: Link) => {
    if (entered.has(to)) return 'entry' as const;
    if (ways.into.get(to)! > 1) return 'join' as const;
    if (differInTools !== null) return differInTools(from, to) ? ('tools' as const) : null;
    return ways.outOf.get(from)! > 1 ? ('branch' as const) : null;
  };
  return links.map((link) => {
    const { from, to, source, output } = link;
    const reason = reasonOf(link);
    const names = [nameOf(from), nameOf(to)] as const;
    if (reason !== null) {
      return finding(true, ofGrouping.justified(...names, reason), source, output);
    }
    const excused = apart(from, to);
    const text = excused ? ofGrouping.keptApart(...names) : ofGrouping.unjustified(...names);
    return { ...finding(false, text, source, output), excused };
  });
}

function countWays(links: readonly Link[]) {
  const outOf = new Map<number, number>();
  const into = new Map<number, number>();
  for (const { from, to } of links) {
    outOf.set(from, (outOf.get(from) ?? 0) + 1);
    into.set(to, (into.get(to) ?? 0) + 1);
  }
  return { outOf, into };
}

/** Members that are entered by themselves; a global tool that several have is no entry. */
function listEntered({ graph, owners }: Comparison): ReadonlySet<number> {
  const entered = new Set(owners.of(graph.start));
  for (const { index, role } of graph.globals) {
    const home = role === 'exit' ? null : owners.soleOwner(index);
    if (home !== null) entered.add(home);
  }
  return entered;
}

/** Whether both have tools of their own and, as far as that can show here, not the same ones. */
function compareTools(comparison: Comparison): (from: number, to: number) => boolean {
  const tools = listOwnTools(comparison);
  return (from, to) => {
    const [one, other] = [tools.get(from), tools.get(to)];
    if (one === undefined || other === undefined) return false;
    return one.size > 1 || other.size > 1 || !other.has([...one][0]!);
  };
}

function checkCircles(comparison: Comparison, links: readonly Link[], apart: Apartness): Finding[] {
  const { squad, nameOf } = comparison;
  const successors: number[][] = squad.members.map(() => []);
  for (const { from, to } of links) successors[from]!.push(to);
  const components = numberComponents(rowsOfLists(successors));
  const circles = new Map<number, Link[]>();
  for (const link of links) {
    const component = components[link.from]!;
    if (component !== components[link.to]) continue;
    const circle = circles.get(component);
    if (circle === undefined) circles.set(component, [link]);
    else circle.push(link);
  }
  if (circles.size === 0) return [finding(true, ofGrouping.acyclic(), [], [])];
  return [...circles.values()].map((circle) => {
    const names = [...new Set(circle.flatMap(({ from, to }) => [from, to]))].map(nameOf);
    const excused = circle.every(({ from, to }) => apart(from, to));
    const text = excused ? ofGrouping.cycleKept(names) : ofGrouping.cyclic(names);
    const source = circle.flatMap((link) => link.source);
    const output = circle.flatMap((link) => link.output);
    return { ...finding(false, text, source, output), excused };
  });
}

/** Pairs that hand off to and fro only because a global node leads one way from anywhere. */
function listReturns(
  comparison: Comparison,
  explicit: readonly Passage[],
  throughGlobals: readonly Passage[],
): Finding[] {
  const { squad, nameOf } = comparison;
  const pairsOf = (links: readonly Link[]) => new Set(links.map(({ from, to }) => `${from} ${to}`));
  const ways = linkMembers(comparison, throughGlobals);
  const byEdges = pairsOf(linkMembers(comparison, explicit));
  const byGlobals = pairsOf(ways);
  const returning = new Map<number, Link[]>();
  for (const link of ways) {
    const back = `${link.to} ${link.from}`;
    if (byEdges.has(`${link.from} ${link.to}`) && byEdges.has(back)) continue;
    const isPair = byEdges.has(back) || (byGlobals.has(back) && link.to < link.from);
    const list = returning.get(link.to);
    if (isPair && list === undefined) returning.set(link.to, [link]);
    else if (isPair) list!.push(link);
  }
  return [...returning].map(([home, pairs]) => {
    const others = pairs.map(({ from }) => nameOf(from));
    const source = [...new Set(pairs.flatMap((link) => link.source))];
    const output = pairs.flatMap(({ from }) => squad.members[from]?.at ?? []);
    return finding(true, ofGrouping.returns(nameOf(home), others), source, output);
  });
}
