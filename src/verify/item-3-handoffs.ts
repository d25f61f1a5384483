/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained where it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and holds its condition word for word; so does the destination of a
 * global node. The other way round, every destination stands for such an edge or global node, so
 * that the squad allows no handoff that the workflow does not.
 */
import type { JsonObject } from '../compiler/ir/json.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofHandoffs } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import type { Crossway } from './crossways.js';
import { type Finding, finding, toItem } from './item.js';
import type { Passage } from './passages.js';
import { type Destination, objectOf } from './squad-reading.js';

export function checkHandoffs(comparison: Comparison): ChecklistItem {
  const { match, edgePassages, globalPassages } = comparison;
  const astray = [...edgePassages, ...globalPassages].filter(({ target }) => target === null);
  const findings = [
    ...match.crossways.flatMap((crossway) => checkCrossway(comparison, crossway)),
    ...astray.map((passage) => missing(comparison, passage)),
    ...findLeftOver(comparison),
  ];
  return toItem(
    3,
    findings.length > 0 ? findings : [finding(true, ofHandoffs.none(), [], [])],
    comparison,
  );
}

function checkCrossway(comparison: Comparison, crossway: Crossway): Finding[] {
  const { match, nameOf } = comparison;
  const matched = match.of(crossway);
  if (matched === null) return crossway.passages.map((it) => missing(comparison, it));
  const { destination, fit } = matched;
  const ends = [nameOf(crossway.member), nameOf(crossway.target)] as const;
  const output = [destination.at];
  const isLed = fit !== 'leads-elsewhere';
  const findings = crossway.passages.map((passage) => {
    const condition = passage.condition?.value ?? null;
    const source = [placeOf(comparison, passage)];
    if (!isLed) return finding(false, ofHandoffs.misled(...ends, condition), source, output);
    return isDescribed(destination, condition)
      ? finding(true, () => ofHandoffs.licensed(...ends, condition), source, output)
      : finding(false, ofHandoffs.undescribed(...ends, condition), source, output);
  });
  if (fit === 'described-otherwise' && findings.every(({ holds }) => holds)) {
    const source = crossway.passages.map((it) => placeOf(comparison, it));
    findings.push(
      finding(false, ofHandoffs.saysMore(...ends, destination.description), source, output),
    );
  }
  const alternatives = fit === 'exact' ? findInvented(crossway, destination) : [];
  for (const words of alternatives) {
    findings.push(finding(false, ofHandoffs.saysMore(...ends, words), [], output));
  }
  if (!hasContext(comparison, destination)) {
    findings.push(finding(false, ofHandoffs.otherContext(...ends), [], output));
  }
  return findings;
}

function isDescribed({ description }: Destination, condition: string | null): boolean {
  return condition === null ? description.trim() !== '' : description.includes(condition);
}

/** Alternatives of a description that squadc did not write which hold none of the conditions. */
function findInvented({ isStrict, passages }: Crossway, { description }: Destination): string[] {
  if (isStrict || passages.some(({ condition }) => condition === null)) return [];
  const between = '; or ';
  const conditions = passages.map(({ condition }) => condition!.value);
  if (conditions.some((it) => it.includes(between))) return [];
  return description
    .split(between)
    .filter((part) => !conditions.some((condition) => part.includes(condition)));
}

function hasContext({ options }: Comparison, { value }: Destination): boolean {
  const given = objectOf(value['contextEngineeringPlan']);
  const wanted: JsonObject = { ...options.context };
  const keys = new Set([...Object.keys(given), ...Object.keys(wanted)]);
  return [...keys].every((key) => given[key] === wanted[key]);
}

function missing(comparison: Comparison, passage: Passage): Finding {
  const { squad, nameOf } = comparison;
  const { member, condition } = passage;
  const place = squad.members[member]?.at;
  const text = ofHandoffs.missing(nameOf(member), condition?.value ?? null);
  return finding(false, text, [placeOf(comparison, passage)], place === undefined ? [] : [place]);
}

function placeOf(comparison: Comparison, { edge, to }: Passage) {
  return edge?.at ?? comparison.placeOf(to);
}

function findLeftOver({ squad, nameOf, match }: Comparison): Finding[] {
  return squad.destinations.flatMap((destination) => {
    const { at, member, leadsTo, target } = destination;
    const from = nameOf(member);
    if (leadsTo === member) return [finding(false, ofHandoffs.toItself(from), [], [at])];
    if (match.passagesOf(destination).length > 0) return [];
    return [finding(false, ofHandoffs.leftOver(from, target?.value ?? ''), [], [at])];
  });
}
