/**
 * Item 7. "All assistantName and assistantId values resolve to a member."
 *
 * They do so without doubt only where the names of the members are unique.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { ChecklistItem } from '../compiler/ir/result.js';
import { ofNames } from '../diagnostics/checklist.js';
import type { Comparison } from './comparison.js';
import { type Finding, finding, toItem } from './item.js';
import type { SquadReading } from './squad-reading.js';

export function checkNames(comparison: Comparison): ChecklistItem {
  const { squad } = comparison;
  return toItem(7, [...checkUnique(squad), ...checkResolved(squad)], comparison);
}

function checkUnique({ members }: SquadReading): Finding[] {
  const places = new Map<string, JsonPointer[]>();
  for (const { name, at } of members) {
    const earlier = name === null ? undefined : places.get(name);
    if (earlier !== undefined) earlier.push(at);
    else if (name !== null) places.set(name, [at]);
  }
  const shared = [...places].filter(([, all]) => all.length > 1);
  const unnamed = members.filter(({ name, assistantId }) => name === null && assistantId === null);
  const faults = [
    ...shared.map(([name, all]) => finding(false, ofNames.shared(name), [], all)),
    ...unnamed.map(({ at }) => finding(false, ofNames.unnamed(), [], [at])),
  ];
  return faults.length > 0 ? faults : [finding(true, ofNames.unique(members.length), [], [])];
}

function checkResolved({ members, destinations }: SquadReading): Finding[] {
  const dangling = destinations.filter(({ leadsTo }) => leadsTo === null);
  if (dangling.length === 0) return [finding(true, ofNames.resolve(destinations.length), [], [])];
  return dangling.map(({ at, member, target }) => {
    const from = members[member]?.name ?? `member ${member}`;
    return finding(false, ofNames.dangling(from, target?.value ?? null), [], [at]);
  });
}
