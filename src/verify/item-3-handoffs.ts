/**
 * Item 3. "Every retained edge is a handoff destination whose description captures the condition."
 *
 * An edge is retained where it leads from one assistant to another. Its destination names the
 * assistant that owns its end, and holds its condition word for word; so does the destination of a
 * global node. The other way round, every destination stands for such an edge or global node, so
 * that the squad allows no handoff that the workflow does not.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { JsonObject } from '../compiler/ir/json.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofHandoffs } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import type { Crossway } from './crossways.js';
import { type Fact, type Finding, finding, toItem } from './item.js';
import type { Matched } from './matching.js';
import type { Passage } from './passages.js';
import { type Destination, objectOf } from './squad-reading.js';

export function checkHandoffs(comparison: Comparison): ChecklistItem {
  const { match, edgePassages, globalPassages } = comparison;
  const astray = [...edgePassages, ...globalPassages].filter(({ target }) => target === null);
  const facts: Fact[] = [];
  for (const crossway of match.crossways) checkCrossway(comparison, crossway, facts);
  for (const passage of astray) facts.push(missing(comparison, passage));
  for (const fault of findLeftOver(comparison)) facts.push(fault);
  if (facts.length === 0) facts.push(finding(true, ofHandoffs.none(), [], []));
  return toItem(3, facts, comparison);
}

function checkCrossway(comparison: Comparison, crossway: Crossway, facts: Fact[]): void {
  const { match, nameOf } = comparison;
  const { passages } = crossway;
  const matched = match.of(crossway);
  if (matched === null) {
    for (const passage of passages) facts.push(missing(comparison, passage));
    return;
  }
  const { destination, fit } = matched;
  const before = facts.length;
  for (const passage of passages) facts.push(checkPassage(comparison, crossway, matched, passage));
  const ends = () => [nameOf(crossway.member), nameOf(crossway.target)] as const;
  const fault = (text: () => string, source: readonly JsonPointer[]): void => {
    facts.push(finding(false, text, source, [destination.at]));
  };
  const areAllSaid = () => facts.slice(before).every((fact) => typeof fact === 'function');
  if (fit === 'described-otherwise' && areAllSaid()) {
    const { description } = destination;
    const source = passages.map((it) => placeOf(comparison, it));
    fault(() => ofHandoffs.saysMore(...ends(), description), source);
  }
  const alternatives = fit === 'exact' ? findInvented(crossway, destination) : [];
  for (const words of alternatives) fault(() => ofHandoffs.saysMore(...ends(), words), []);
  if (!hasContext(comparison, destination)) fault(() => ofHandoffs.otherContext(...ends()), []);
}

/** Whether the destination leads where the way does, and says when. */
function checkPassage(
  comparison: Comparison,
  { member, target }: Crossway,
  { destination, fit }: Matched,
  passage: Passage,
): Fact {
  const condition = passage.condition?.value ?? null;
  const isLed = fit !== 'leads-elsewhere';
  const say = (how: 'licensed' | 'misled' | 'undescribed'): Finding => {
    const ends = [comparison.nameOf(member), comparison.nameOf(target)] as const;
    const text = () => ofHandoffs[how](...ends, condition);
    return finding(how === 'licensed', text, [placeOf(comparison, passage)], [destination.at]);
  };
  if (!isLed) return say('misled');
  return isDescribed(destination, condition) ? () => say('licensed') : say('undescribed');
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
  const wanted: JsonObject = options.context;
  for (const key of Object.keys(given)) if (given[key] !== wanted[key]) return false;
  for (const key of Object.keys(wanted)) if (given[key] !== wanted[key]) return false;
  return true;
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
