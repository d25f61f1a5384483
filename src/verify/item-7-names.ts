/**
 * Item 7. "All assistantName and assistantId values resolve to a member."
 *
 * They do so without doubt only where the names of the members are unique. Overrides can hold
 * handoffs as well, of members and of destinations: what they name has to be a member too. A name
 * that the option `names` gives is the assistant's, unless it is none or somebody else's.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import { ofNames } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, type Judgement, judge } from './item.js';
import { type Layer, type Member, type SquadReading, textOf } from './squad-reading.js';
import { listTalking } from './tools/deciding-nodes.js';
import { caseless } from './tools/names.js';
import { findPlaces } from './tools/places.js';

export function checkNames(comparison: Comparison): Judgement {
  return judge(
    7,
    [...checkUnique(comparison.squad), ...checkResolved(comparison), ...checkGiven(comparison)],
    comparison,
  );
}

/** The names that the caller gives to the assistants of these first talk nodes. */
function checkGiven(comparison: Comparison): Finding[] {
  const { squad, options } = comparison;
  if (options.names.size === 0) return [];
  const bearers = new Set(squad.members.map(({ name }) => formless(name ?? '')));
  return listTalking(comparison).first.flatMap((first, member) => {
    const wanted = first === null ? undefined : options.names.get(first.id);
    const { name, nameAt, saved } = squad.members[member]!;
    if (first === null || wanted === undefined || saved || name === wanted) return [];
    // What is no name, or borne by another, had to be made otherwise.
    if (!isPlainName(wanted) || bearers.has(formless(wanted))) return [];
    const text = ofNames.otherName(name ?? '', first.id, wanted);
    return [finding(false, text, [first.at], [nameAt])];
  });
}

/** Names that differ only in case or in how they are encoded cannot stand side by side. */
function formless(name: string): string {
  return caseless(name.normalize('NFC'));
}

/** Whether the name can stand as it is: short, on one line, without Liquid's braces. */
function isPlainName(name: string): boolean {
  return (
    [...name].length <= 40 &&
    /^[\p{L}\p{N}\p{P}\p{S}](?: ?[\p{L}\p{M}\p{N}\p{P}\p{S}])*$/u.test(name) &&
    !/[{}]/.test(name)
  );
}

function checkUnique({ members }: SquadReading): Finding[] {
  const shared = [
    ...findShared(
      members,
      ({ name }) => name,
      ({ nameAt }) => nameAt,
    ),
    ...findShared(
      members,
      ({ assistantId }) => assistantId,
      ({ at }) => `${at}/assistantId`,
    ),
  ];
  const unnamed = members.filter(({ name, assistantId }) => name === null && assistantId === null);
  const faults = [
    ...shared.map(([value, all]) => finding(false, () => ofNames.shared(value), [], all)),
    ...unnamed.map(({ at }) => finding(false, ofNames.unnamed(), [], [at])),
  ];
  return faults.length > 0 ? faults : [finding(true, ofNames.unique(members.length), [], [])];
}

/** Values that several members have, with the places of these. */
function findShared(
  members: readonly Member[],
  namedBy: (member: Member) => string | null,
  placeOf: (member: Member) => JsonPointer,
): [string, JsonPointer[]][] {
  const values = new Set<string>();
  let repeated = 0;
  for (const member of members) {
    const value = namedBy(member);
    if (value === null) continue;
    if (values.has(value)) repeated += 1;
    else values.add(value);
  }
  if (repeated === 0) return [];
  const places = new Map<string, JsonPointer[]>();
  for (const member of members) {
    const value = namedBy(member);
    if (value === null) continue;
    const earlier = places.get(value);
    if (earlier !== undefined) earlier.push(placeOf(member));
    else places.set(value, [placeOf(member)]);
  }
  return [...places].filter(([, several]) => several.length > 1);
}

function checkResolved(comparison: Comparison): Finding[] {
  const { squad, nameOf } = comparison;
  const hidden = listHidden(squad);
  const dangling = [
    ...squad.destinations
      .filter(({ leadsTo }) => leadsTo === null)
      .map(({ at, member, target }) => {
        const text = () => ofNames.dangling(nameOf(member), target?.value ?? null);
        return finding(false, text, [], [at]);
      }),
    ...hidden
      .filter(({ resolves }) => !resolves)
      .map(({ at, value }) => finding(false, () => ofNames.danglingOverride(value), [], [at])),
  ];
  if (dangling.length > 0) return dangling;
  return [finding(true, ofNames.resolve(squad.destinations.length + hidden.length), [], [])];
}

/** What an override names. */
interface HiddenTarget {
  readonly at: JsonPointer;
  readonly value: string;
  readonly resolves: boolean;
}

/** What overrides name, but for the handoffs in force, which are read as such. */
function listHidden({ members, destinations, overrides }: SquadReading): HiddenTarget[] {
  const layers: Layer[] = [];
  for (const member of members) if (member.overrides !== null) layers.push(member.overrides);
  if (overrides !== null) layers.push(overrides);
  for (const destination of destinations) {
    const own: Json | undefined = destination.value['assistantOverrides'];
    if (isJsonObject(own)) layers.push({ value: own, at: `${destination.at}/assistantOverrides` });
  }
  if (layers.length === 0) return [];
  const read = new Set(destinations.map(({ at }) => at));
  const names = new Set(members.map(({ name }) => name));
  const ids = new Set(members.map(({ assistantId }) => assistantId));
  return layers.flatMap(({ value: layer, at: place }) =>
    findPlaces(layer, place, (key) => key === 'assistantName' || key === 'assistantId').flatMap(
      ({ at, value }): HiddenTarget[] => {
        const name = textOf(value);
        if (name === null || read.has(at.slice(0, at.lastIndexOf('/')))) return [];
        const known = at.endsWith('/assistantId') ? ids : names;
        return [{ at, value: name, resolves: known.has(name) }];
      },
    ),
  );
}
