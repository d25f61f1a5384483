/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained where it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and holds its condition word for word; so does the destination of a
 * global node. The other way round, every destination stands for such an edge or global node, so
 * that the squad allows no handoff that the workflow does not.
 */
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofHandoffs } from '../diagnostics/checklist.js';
import type { Comparison, Match } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import type { Passage } from './passages.js';

export function checkHandoffs(comparison: Comparison): ChecklistItem {
  const { match } = comparison;
  const passages = [...comparison.edgePassages, ...comparison.globalPassages];
  const findings = [
    ...passages.map((passage) => checkPassage(comparison, match, passage)),
    ...findLeftOver(comparison, match),
  ];
  return toItem(
    3,
    findings.length > 0 ? findings : [finding(true, ofHandoffs.none(), [], [])],
    comparison,
  );
}

function checkPassage(comparison: Comparison, match: Match, passage: Passage): Finding {
  const { squad, nameOf, placeOf } = comparison;
  const { member, target, edge, to } = passage;
  const source = [edge?.at ?? placeOf(to)];
  const condition = passage.condition?.value ?? null;
  const from = nameOf(member);
  const destination = match.destinationOf.get(passage);
  if (destination === undefined) {
    const place = squad.members[member]?.at;
    const output = place === undefined ? [] : [place];
    return finding(false, ofHandoffs.missing(from, condition), source, output);
  }
  const output = [destination.at];
  const name = target === null ? comparison.graph.nodeAt(to).id : nameOf(target);
  if (target === null || destination.leadsTo !== target) {
    return finding(false, ofHandoffs.misled(from, name, condition), source, output);
  }
  const { description } = destination;
  const isDescribed =
    condition === null ? description.trim() !== '' : description.includes(condition);
  return isDescribed
    ? finding(true, ofHandoffs.licensed(from, name, condition), source, output)
    : finding(false, ofHandoffs.undescribed(from, name, condition), source, output);
}

function findLeftOver({ squad, nameOf }: Comparison, { passagesOf }: Match): Finding[] {
  return squad.destinations.flatMap((destination) => {
    const { at, member, leadsTo, target } = destination;
    const from = nameOf(member);
    if (leadsTo === member) return [finding(false, ofHandoffs.toItself(from), [], [at])];
    if (passagesOf(destination).length > 0) return [];
    return [finding(false, ofHandoffs.leftOver(from, target?.value ?? ''), [], [at])];
  });
}
