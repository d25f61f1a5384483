/**
 * Ways to other assistants → handoff tools (spec/3, "Conversion procedure").
 *
 * In: an assistant, and what crosses. Out: its handoffs. Ways from one node to one assistant share a
 * destination, which carries what any of them carries; destinations share a tool unless they are
 * wanted apart, or differ in what counts for a whole tool: a guard, and the arguments that it demands.
 */
import { groupBy } from '../../graph/lists.js';
import { synthesized, type Traced, traced } from '../ir/provenance.js';
import type { DestinationIr, HandoffIr, PlanAlias, PlanProperty } from '../ir/squad-ir.js';
import { aliasAmong, type Crossing } from '../ir/variables.js';
import { describe, originOf, originOfName } from '../ir/wording.js';
import type { Capture, Text, WorkflowNode } from '../ir/workflow.js';
import { type Member, placeOf, type Way } from './members.js';
import { propertyOf } from './plans.js';
import type { Squad } from './supply.js';

/** What was decided about the handoffs of an assistant. */
export interface HandoffStyle {
  /** Whether the variable of this name crosses as an argument. */
  readonly isArgument: (variable: string) => boolean;
  /** One tool per destination, or one tool with several (spec/3, "Guidance on model families"). */
  readonly isSeparate: boolean;
}

/** The handoffs out of one node, or those to global nodes; they have no names yet. */
export function handoffsFrom(
  { crossings, supplies }: Squad,
  member: Member,
  from: WorkflowNode | null,
  { isArgument, isSeparate }: HandoffStyle,
): HandoffIr[] {
  const { say } = supplies.get(member)!;
  const whenOf = (way: Way) => way.when.text && say(way.when.text, placeOf(way));
  const ways = (member.waysFrom.get(from) ?? []).filter(({ kind }) => kind === 'handoff');
  if (ways.length === 0) return [];
  const isGuarded = ({ condition }: Way) => (condition?.guard ?? null) !== null;
  const together = groupBy(ways, (way) => 2 * way.region + Number(isGuarded(way)));
  const offers = [...together.values()].map((same): HandoffIr => {
    const destination = destinationOf(same, uniteCrossings(same, crossings), isArgument, whenOf);
    const refusals = refusalsOf(same);
    const node = from?.index ?? null;
    return { kind: 'handoff', name: null, node, destinations: [destination], refusals };
  });
  if (offers.length === 1) return offers;
  const alike = [...groupBy(offers, demandsOf).values()];
  if (isSeparate) return alike.flat();
  return alike.map((same) => {
    return { ...same[0]!, destinations: same.flatMap(({ destinations }) => destinations) };
  });
}

/** What an offer demands: arguments, and where it is refused the way itself. */
function demandsOf({ destinations: [destination], refusals }: HandoffIr): string {
  const { arguments: demanded, region } = destination!;
  // In whatever order the ways come to them, the same arguments are one demand.
  const names = demanded.map((it) => JSON.stringify([it.name, it.captures])).sort();
  return JSON.stringify([names, refusals.length > 0 ? region : null]);
}

/** Ways that share a destination carry what any of them carries. */
function uniteCrossings(ways: readonly Way[], crossings: Squad['crossings']): readonly Crossing[] {
  const united = new Map<string, Crossing>();
  for (const way of ways) {
    // What a tool gives for the condition of a global node is newer than any capture.
    const given = way.from === null ? (way.condition?.call?.variables ?? []) : [];
    for (const crossing of crossings.get(way) ?? []) {
      const { name } = crossing.variable;
      if (given.includes(name)) continue;
      const known = united.get(name)?.captures;
      const captures = known && [...new Set([...known, ...crossing.captures])];
      united.set(name, captures === undefined ? crossing : { ...crossing, captures });
    }
  }
  return [...united.values()];
}

function destinationOf(
  ways: readonly Way[],
  crossings: readonly Crossing[],
  isArgument: HandoffStyle['isArgument'],
  whenOf: (way: Way) => Text | null,
): DestinationIr {
  const plan: PlanProperty[] = [];
  const demanded: PlanProperty[] = [];
  for (const crossing of crossings) {
    const property = propertyOf(crossing);
    if (property !== null) (isArgument(property.name) ? demanded : plan).push(property);
  }
  return {
    region: ways[0]!.region,
    edges: ways.flatMap(({ edge }) => edge ?? []),
    globals: ways.flatMap(({ from, to }) => (from === null ? [to.index] : [])),
    description: describe(ways.flatMap((way) => whenOf(way) ?? [])),
    plan,
    // An argument is what the model says, and cannot derive.
    aliases: aliasesOf(crossings),
    arguments: demanded,
  };
}

/** What is derived; an alias stands behind those that it reads, as far as they are no circle. */
function aliasesOf(crossings: readonly Crossing[]): readonly PlanAlias[] {
  const derived = crossings.flatMap(({ captures }) => aliasAmong(captures)?.capture ?? []);
  if (derived.length === 0) return [];
  const aliases = new Map(derived.map((capture) => [capture.name, capture]));
  const inOrder = new Set<Capture>();
  const seen = new Set<Capture>();
  const pending = derived.toReversed();
  for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
    if (seen.has(next)) {
      inOrder.add(next);
      pending.pop();
      continue;
    }
    seen.add(next);
    const read = next.alias!.uses.toReversed().flatMap(({ name }) => aliases.get(name) ?? []);
    for (const it of read) if (!seen.has(it)) pending.push(it);
  }
  return [...inOrder].map((capture) => ({
    key: traced(capture.name, originOfName(capture)),
    value: traced(capture.alias!.value, originOf(capture.alias!)),
  }));
}

/**
 * What refuses a tool that these ways lead to; a way without a guard is always open.
 *
 * The platform refuses a call of a tool where all texts of its rejection plan print `true`; a guard
 * prints `true` where its condition holds, so a refusal says the opposite. A tool is refused where
 * none of its ways is open: where one edge leads to a transfer when `tier == 'gold'` and another
 * without a condition, the platform cannot refuse the transfer.
 */
export function refusalsOf(ways: readonly Pick<Way, 'condition'>[]): readonly Traced<string>[] {
  if (ways.some(({ condition }) => (condition?.guard ?? null) === null)) return [];
  const refusals = ways.map(({ condition }): [string, Traced<string>] => {
    // The name is set after the guard is rendered, so the guard may use the same one.
    const text =
      `{% capture squadc_open %}${condition!.guard}{% endcapture %}` +
      `{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
    return [text, traced(text, synthesized('guard', [condition!.at]))];
  });
  return [...new Map(refusals).values()];
}
