/**
 * What keeps the assistants apart that hand off to each other along edges.
 *
 * Every handoff has a reason: its source hands off elsewhere too, or its target is handed to by
 * others too, or the target is entered by itself, as the start or from anywhere. With the boundary
 * `tools` a second way out is no reason, but different tools are. Handoffs along edges form no
 * circle. An answer that keeps stages apart excuses both, and so does an assistant that the source
 * brings: it cannot be one with another.
 */
import type { NodeIndex } from '../compiler/ir/ids.js';
import { ofGrouping } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding } from './item.js';
import { endsOf, type Link, linkMembers } from './links.js';
import type { Passage } from './passages.js';
import type { Placement } from './placement.js';
import { toRows } from './rows.js';
import { numberComponents } from './strong-components.js';

/**
 * Links between members that are one stage each; about others nothing can be said. None is a fault:
 * where an answer is the reason, that excuses it.
 */
export function checkLinks(comparison: Comparison, placement: Placement): Finding[] {
  const links = linkMembers(comparison, comparison.edgePassages);
  const reasonOf = createReasons(comparison, placement, links);
  return links.flatMap((link) => {
    const reason = reasonOf(link);
    return reason === null ? [] : [tell(comparison, link, reason)];
  });
}

function tell(comparison: Comparison, link: Link, reason: Reason): Finding {
  const { nameOf } = comparison;
  const output = endsOf(comparison, link);
  const [from, to] = [nameOf(link.from), nameOf(link.to)];
  if (reason !== 'answer') {
    return finding(true, () => ofGrouping.justified(from, to, reason), link.source, output);
  }
  const text = () => ofGrouping.keptApart(from, to);
  return { ...finding(false, text, link.source, output), excused: true };
}

type Reason = 'entry' | 'join' | 'branch' | 'tools' | 'ready' | 'answer';

function createReasons(
  comparison: Comparison,
  { stageOf }: Placement,
  links: readonly Link[],
): (link: Link) => Reason | null {
  const { grouping, options } = comparison;
  const count = comparison.squad.members.length;
  const outOf = countBy(count, links, ({ from }) => from);
  const into = countBy(count, links, ({ to }) => to);
  const entered = listEntered(comparison);
  return ({ from, to }) => {
    const [one, other] = [stageOf(from), stageOf(to)];
    if (one === null || other === null) return null;
    if (entered.has(other)) return 'entry';
    if (into[to]! > 1) return 'join';
    if (options.boundary === 'branch' && outOf[from]! > 1) return 'branch';
    if (grouping.isReady(one) || grouping.isReady(other)) return 'ready';
    if (grouping.keptApart(one, other)) return 'answer';
    return options.boundary === 'tools' ? 'tools' : null;
  };
}

/** By member. */
function countBy(count: number, links: readonly Link[], by: (link: Link) => number): Int32Array {
  const counts = new Int32Array(count);
  for (const link of links) counts[by(link)]! += 1;
  return counts;
}

/** Stages that are entered by themselves; a global tool that several have is no entry. */
function listEntered({ graph, grouping }: Comparison): ReadonlySet<number> {
  const roots: NodeIndex[] = [graph.start, ...graph.globals.map(({ index }) => index)];
  return new Set(
    roots.flatMap((node) => {
      const stages = grouping.stagesOf(node);
      return stages.length === 1 ? stages : [];
    }),
  );
}

/** Circles of members; one with two members that are for one assistant is a fault. */
export function checkCircles(
  comparison: Comparison,
  { stageOf }: Placement,
  passages: readonly Passage[],
): Finding[] {
  const { nameOf, waivers } = comparison;
  const circles = listCircles(comparison, passages);
  if (circles.length === 0) return [finding(true, ofGrouping.acyclic(), [], [])];
  return circles.map((circle) => {
    const members = [...new Set(circle.flatMap(({ from, to }) => [from, to]))];
    const stages = members.map(stageOf);
    const isReady = stages.some((stage) => stage !== null && comparison.grouping.isReady(stage));
    const isKept = waivers.length > 0 || isReady;
    const excused = isKept && stages.every((stage) => stage !== null);
    const text = () => {
      const names = members.map(nameOf);
      if (!excused) return ofGrouping.cyclic(names);
      return isReady ? ofGrouping.cycleOfReady(names) : ofGrouping.cycleKept(names);
    };
    const source = circle.flatMap((link) => link.source);
    const output = circle.flatMap((link) => endsOf(comparison, link));
    return { ...finding(false, text, source, output), excused };
  });
}

/**
 * The links inside of each strongly connected component of members. In the squads that squadc
 * makes most links lead forwards; where all do, there is no circle.
 */
function listCircles(comparison: Comparison, passages: readonly Passage[]): Link[][] {
  if (passages.every(({ member, target }) => target === null || member < target)) return [];
  const links = linkMembers(comparison, passages);
  const components = numberComponents(
    toRows(
      comparison.squad.members.length,
      links.map(({ from }) => from),
      links.map(({ to }) => to),
    ),
  );
  const circles = new Map<number, Link[]>();
  for (const link of links) {
    const component = components[link.from]!;
    if (component !== components[link.to]) continue;
    const circle = circles.get(component);
    if (circle === undefined) circles.set(component, [link]);
    else circle.push(link);
  }
  return [...circles.values()];
}
