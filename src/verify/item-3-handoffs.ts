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
import { ofHandoffs } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import type { Crossway } from './crossways.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import type { Matched } from './matching.js';
import type { Passage } from './passages.js';
import { type Destination, objectOf } from './squad-reading.js';

export function checkHandoffs(comparison: Comparison): Judgement {
  return judge(3, listFacts(comparison, false), comparison, () => listFacts(comparison, true));
}

/** The faults, or all facts: most handoffs are as they are to be. */
function listFacts(comparison: Comparison, all: boolean): Finding[] {
  const { match, edgePassages, globalPassages } = comparison;
  const facts: Finding[] = [];
  for (const crossway of match.crossways) checkCrossway(comparison, crossway, facts, all);
  for (const passages of [edgePassages, globalPassages]) {
    for (const passage of passages) {
      if (passage.target === null) facts.push(missing(comparison, passage));
    }
  }
  for (const fault of findLeftOver(comparison)) facts.push(fault);
  if (all && facts.length === 0) facts.push(finding(true, ofHandoffs.none(), [], []));
  return facts;
}

function checkCrossway(
  comparison: Comparison,
  crossway: Crossway,
  facts: Finding[],
  all: boolean,
): void {
  const { match } = comparison;
  const { passages } = crossway;
  const matched = match.of(crossway);
  if (matched === null) {
    for (const passage of passages) facts.push(missing(comparison, passage));
    return;
  }
  let areAllSaid = true;
  for (const passage of passages) {
    const how = licenseOf(matched, passage);
    if (how !== 'licensed') areAllSaid = false;
    else if (!all) continue;
    facts.push(tell(comparison, crossway, matched, passage, how));
  }
  const { destination, fit } = matched;
  if (fit === 'described-otherwise' && areAllSaid) {
    const source = passages.map((it) => placeOf(comparison, it));
    facts.push(saysMore(comparison, crossway, destination, destination.description, source));
  }
  if (fit === 'exact' && !crossway.isStrict) {
    for (const words of findInvented(crossway, destination)) {
      facts.push(saysMore(comparison, crossway, destination, words, []));
    }
  }
  if (!hasContext(comparison, destination)) {
    facts.push(hasOtherContext(comparison, crossway, destination));
  }
}

/** Whether the destination leads where the way does, and says when. */
function licenseOf({ destination, fit }: Matched, { condition }: Passage): License {
  if (fit === 'leads-elsewhere') return 'misled';
  return isDescribed(destination, condition?.value ?? null) ? 'licensed' : 'undescribed';
}

type License = 'licensed' | 'misled' | 'undescribed';

function tell(
  comparison: Comparison,
  crossway: Crossway,
  { destination }: Matched,
  passage: Passage,
  how: License,
): Finding {
  const ends = endsOf(comparison, crossway);
  const text = () => ofHandoffs[how](...ends, passage.condition?.value ?? null);
  return finding(how === 'licensed', text, [placeOf(comparison, passage)], [destination.at]);
}

function saysMore(
  comparison: Comparison,
  crossway: Crossway,
  { at }: Destination,
  words: string,
  source: readonly JsonPointer[],
): Finding {
  const text = () => ofHandoffs.saysMore(...endsOf(comparison, crossway), words);
  return finding(false, text, source, [at]);
}

function hasOtherContext(comparison: Comparison, crossway: Crossway, { at }: Destination): Finding {
  const text = () => ofHandoffs.otherContext(...endsOf(comparison, crossway));
  return finding(false, text, [], [at]);
}

function endsOf({ nameOf }: Comparison, { member, target }: Crossway): readonly [string, string] {
  return [nameOf(member), nameOf(target)];
}

function isDescribed({ description }: Destination, condition: string | null): boolean {
  return condition === null ? description.trim() !== '' : description.includes(condition);
}

/** Alternatives of a description that squadc did not write which hold none of the conditions. */
function findInvented({ passages }: Crossway, { description }: Destination): string[] {
  if (passages.some(({ condition }) => condition === null)) return [];
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
  for (const key in given) if (given[key] !== wanted[key]) return false;
  for (const key in wanted) if (given[key] !== wanted[key]) return false;
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
  const isLeftOver = (it: Destination) =>
    it.leadsTo === it.member || match.passagesOf(it).length === 0;
  return squad.destinations.filter(isLeftOver).map(({ at, member, leadsTo, target }) => {
    const from = nameOf(member);
    if (leadsTo === member) return finding(false, ofHandoffs.toItself(from), [], [at]);
    return finding(false, ofHandoffs.leftOver(from, target?.value ?? ''), [], [at]);
  });
}
