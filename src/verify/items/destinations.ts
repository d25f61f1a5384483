/** Which destinations of a squad make which handoffs of the workflow. */
import { unraw } from '../../call/prompt.js';
import type { Destination, Squad } from '../../call/squad.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { append, groupBy } from '../../graph/lists.js';
import { areSame, inOrder } from '../../text/parts.js';
import type { Comparison, Fit, HandoffGroup } from '../comparison.js';
import type { Handoff, Owners } from '../expected/source.js';
import { listCarried } from './plans.js';

/**
 * Groups the handoffs that share a destination; descriptions are in the order of the steps left.
 * Where tools have names, the name tells which of several entries is meant. Handoffs to a node
 * without a single owner are in no group; they fail later.
 */
export function groupHandoffs(
  handoffs: readonly Handoff[],
  standsFor: Owners['standsFor'],
  sayWhen: (handoff: Handoff) => string,
  numberOf: (member: number, node: NodeIndex) => number,
  isNamed: boolean,
): HandoffGroup[] {
  const byKey = groupBy(
    handoffs.filter(({ target }) => target !== null),
    ({ member, from, to, target, condition }) =>
      `${member} ${from === null ? '' : standsFor(from)} ${isNamed ? standsFor(to) : target} ` +
      `${condition?.routing === 'guard'}`,
  );
  const groups = Array.from(byKey.values(), (together) => {
    const { member, from, target, condition } = together[0]!;
    return {
      member,
      target: target!,
      isGuarded: condition?.routing === 'guard',
      step: from === null ? Number.MAX_VALUE : numberOf(member, standsFor(from)),
      handoffs: together,
      parts: [...new Set(together.map(sayWhen))],
      matched: null,
    };
  });
  return groups.sort((one, other) => one.member - other.member || one.step - other.step);
}

/**
 * Finds the destination of each group: by target and description; among several equal ones, by the
 * variables it carries. One with another description or target is only taken if no other group has
 * it. Returns, by destination, the handoffs that it implements.
 */
export function matchDestinations(
  { members, destinations }: Squad,
  groups: readonly HandoffGroup[],
  crossings: Comparison['crossings'],
  madeBy: (handoff: Handoff) => Destination | null,
): ReadonlyMap<Destination, readonly Handoff[]> {
  const handoffsOf = new Map<Destination, Handoff[]>();
  const endsOf = (it: HandoffGroup) => `${it.member} ${it.target} ${it.isGuarded}`;
  const byMember = groupBy(destinations, ({ member }) => member);
  const [byEnds, byWords] = [new Map<string, Destination[]>(), new Map<string, Destination[]>()];
  for (const destination of destinations) {
    const { member, leadsTo, description, tool } = destination;
    const ends = `${member} ${leadsTo} ${Object.hasOwn(tool?.value ?? {}, 'rejectionPlan')}`;
    append(byEnds, ends, destination);
    append(byWords, `${ends} ${inOrder(unraw(description).plain)}`, destination);
  }
  const isFree = (it: Destination) => !handoffsOf.has(it);
  let open = groups;
  const settle = (fit: Fit, find: (group: HandoffGroup) => Destination | undefined): void => {
    for (const group of open) {
      const destination = find(group);
      if (destination === undefined) continue;
      handoffsOf.set(destination, [...(handoffsOf.get(destination) ?? []), ...group.handoffs]);
      group.matched = { destination, fit };
    }
    open = open.filter(({ matched }) => matched === null);
  };
  // What a prompt says to call is what makes the handoff.
  settle('exact', (it) => {
    const made = new Set(it.handoffs.map(madeBy));
    const [only = null] = made;
    if (only === null || made.size > 1) return undefined;
    const isExact = inOrder(unraw(only.description).plain) === inOrder(it.parts.join('; or '));
    return isExact && only.leadsTo === it.target ? only : undefined;
  });
  settle('exact', (it) => {
    const alike = byWords.get(`${endsOf(it)} ${inOrder(it.parts.join('; or '))}`) ?? [];
    const free = alike.filter(isFree);
    if (free.length < 2) return free[0];
    const crossing = it.handoffs.flatMap(crossings).map(({ name }) => name);
    return free.find((each) => areSame([...listCarried(each)], crossing)) ?? free[0];
  });
  const fitting = (it: HandoffGroup) => byEnds.get(endsOf(it)) ?? [];
  const saysAll = (it: Destination, { handoffs }: HandoffGroup) =>
    handoffs.every((handoff) => describes(it, handoff));
  settle('exact', (it) =>
    members[it.member]!.worded ? undefined : fitting(it).find((each) => saysAll(each, it)),
  );
  settle('described-otherwise', (it) => fitting(it).find(isFree));
  settle('leads-elsewhere', (it) =>
    byMember.get(it.member)?.find((each) => isFree(each) && saysAll(each, it)),
  );
  return handoffsOf;
}

/** Returns true if the description contains the condition, whatever else it says. */
export function describes({ description }: Destination, { condition }: Handoff): boolean {
  if (condition === null) return description.trim() !== '';
  return unraw(description).plain.includes(unraw(condition.value).plain);
}
