/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained if it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and contains its condition word for word; so does that of a global
 * node. The handoffs of one node to one member share a destination, and so do all to global nodes;
 * what the platform judges is separate from what the model judges. Conversely, every destination
 * implements such an edge or global node.
 */
import { ofHandoffs } from '../../diagnostics/checklist.js';
import { groupBy } from '../../graph/lists.js';
import type { JsonObject } from '../../text/json.js';
import { isSame } from '../../text/parts.js';
import type { Comparison, HandoffGroup } from '../comparison.js';
import type { Handoff } from '../expected/source.js';
import { doubt, type Finding, fact, fault } from '../finding.js';
import { otherWords } from '../foreign/descriptions.js';
import { describes } from './destinations.js';
import { checkHandoffTools } from './handoff-tools.js';

export function checkHandoffs(comparison: Comparison): Finding[] {
  const { squad, groups, handoffs, handoffsOf, owners } = comparison;
  const missing = (handoff: Handoff): Finding => {
    const member = squad.members[handoff.member]!;
    const text = ofHandoffs.missing(member.called, handoff.condition?.value ?? null);
    return fault(text, [handoff], [member]);
  };
  const findings: Finding[] = [];
  for (const it of groups) {
    if (it.matched === null) findings.push(...it.handoffs.map(missing));
    else compareGroup(comparison, it, it.matched, findings);
  }
  for (const it of handoffs) if (it.target === null) findings.push(missing(it));
  // The name of its function tells the other assistant which handoff was made.
  const named = squad.wrapped ? [] : groups.filter(({ matched }) => matched !== null);
  const together = groupBy(named, ({ member, target, matched, handoffs: [first] }) => {
    const left = first!.from === null ? null : owners.standsFor(first!.from);
    return [member, left, target, matched!.destination.tool?.at].join(' ');
  });
  for (const same of together.values()) {
    const { member, target, matched } = same[0]!;
    const own = same.flatMap((it) => it.handoffs);
    if (new Set(own.map(({ to }) => owners.standsFor(to))).size === 1) continue;
    const text = ofHandoffs.shared(squad.members[member]!.called, squad.members[target]!.called);
    findings.push(fault(text, own, [matched!.destination]));
  }
  for (const it of squad.destinations) {
    const isItself = it.leadsTo === it.member;
    if (!isItself && handoffsOf.has(it)) continue;
    const { called } = squad.members[it.member]!;
    const other = it.target ?? '';
    const text = isItself ? ofHandoffs.toItself(called) : ofHandoffs.leftOver(called, other);
    findings.push(fault(text, [], [it]));
  }
  findings.push(...checkHandoffTools(comparison));
  return findings;
}

function compareGroup(
  { squad, options }: Comparison,
  { member, target, handoffs, parts }: HandoffGroup,
  { destination, fit }: NonNullable<HandoffGroup['matched']>,
  findings: Finding[],
): void {
  const { description, value } = destination;
  const { called: from, worded } = squad.members[member]!;
  const to = squad.members[target]!.called;
  let isSaid = true;
  for (const handoff of handoffs) {
    const condition = handoff.condition?.value ?? null;
    const isThere = fit !== 'leads-elsewhere' && describes(destination, handoff);
    isSaid &&= isThere;
    const wrong = fit === 'leads-elsewhere' ? ofHandoffs.misled : ofHandoffs.undescribed;
    const text = (isThere ? ofHandoffs.licensed : wrong)(from, to, condition);
    findings.push((isThere ? fact : fault)(text, [handoff], [destination]));
  }
  const invented: string[] = [];
  if (fit === 'described-otherwise' && isSaid) invented.push(description);
  if (fit === 'exact' && !worded) {
    // Alternatives without any of the conditions; prose may describe an edge without one freely.
    const isFree =
      handoffs.some(({ condition }) => condition === null) ||
      parts.some((it) => it.includes('; or '));
    const alternatives = isFree ? [] : description.split('; or ');
    invented.push(...alternatives.filter((it) => !parts.some((part) => it.includes(part))));
  }
  const own = handoffs.flatMap((it) => it.condition?.value ?? []);
  const words = worded ? [] : otherWords(description, [...own, ...parts, from, to]);
  if (words.length > 0 && isSaid && invented.length === 0) {
    findings.push(doubt(ofHandoffs.alsoSays(from, to, words), handoffs, [destination]));
  }
  for (const words of invented) {
    findings.push(fault(ofHandoffs.saysMore(from, to, words), handoffs, [destination]));
  }
  // The platform passes on the whole conversation by default.
  const usual = squad.wrapped ? undefined : usualContext(value);
  const context = value['contextEngineeringPlan'] ?? usual;
  if (!isSame(context, options.context as unknown as JsonObject)) {
    findings.push(fault(ofHandoffs.otherContext(from, to), [], [destination]));
  }
}

function usualContext({ transferMode }: JsonObject): JsonObject {
  return { type: transferMode === 'delete-history' ? 'none' : 'all' };
}
