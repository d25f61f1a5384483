/**
 * Retained edges and global nodes → handoff tools (spec/3, "Conversion procedure").
 *
 * In: an assistant, and what crosses. Out: its handoffs. Ways from one node to
 * one assistant share a destination, which carries what any of them carries; destinations share a tool
 * unless they are wanted apart, or differ in what counts for a whole tool: a guard, and the arguments
 * that it demands.
 */
import { groupBy } from '../../graph/lists.js';
import type { EdgeIndex, NodeIndex } from '../ir/ids.js';
import { createToolNames } from '../ir/names.js';
import { synthesized, traced } from '../ir/provenance.js';
import type {
  DestinationIr,
  HandoffIr,
  OtherToolIr,
  PlanAlias,
  PlanProperty,
  ToolIr,
} from '../ir/squad-ir.js';
import type { Template } from '../ir/template.js';
import { aliasAmong, type Crossing, foundAmong } from '../ir/variables.js';
import { describe, handoffFunction, originOf, originOfName, type When } from '../ir/wording.js';
import type { Capture, Condition } from '../ir/workflow.js';
import { refusalsOf } from './guards.js';
import { type Member, type Squad, whenCalledFor } from './members.js';

/** A handoff before it has a name. */
export type Handoffs = Omit<HandoffIr, 'kind' | 'name'>;

/** One reason to hand off to an assistant. */
interface Way {
  readonly to: Member;
  readonly edge: EdgeIndex | null;
  readonly global: NodeIndex | null;
  readonly condition: Condition | null;
  readonly when: When;
  readonly crossings: readonly Crossing[];
}

/** The handoffs out of one node. */
export function handoffsOf(squad: Squad, member: Member, from: NodeIndex): Handoffs[] {
  const ways = (member.moves.get(from) ?? []).flatMap(({ step, condition, when }): Way[] => {
    if (step.kind !== 'handoff') return [];
    const to = squad.members[step.region]!;
    const crossings = squad.plans.ofStep(step);
    return [{ to, edge: step.edge, global: null, condition, when, crossings }];
  });
  return arrange(squad, member, from, ways);
}

/** The handoffs to global nodes that other assistants hold. */
export function handoffsToGlobals(squad: Squad, member: Member): Handoffs[] {
  const { graph, plans, homes } = squad;
  const ways = graph.globals.flatMap((global): Way[] => {
    const to = homes.get(global);
    if (to === undefined || member.numbers.has(global)) return [];
    const node = graph.workflow.nodes[global]!;
    const condition = node.global?.condition ?? null;
    // What a tool gives for the global's condition is newer than any capture.
    const given = condition?.call?.variables ?? [];
    const crossings = plans
      .ofGlobal(member.region.index, global)
      .filter(({ variable }) => !given.includes(variable.name));
    return [{ to, edge: null, global, condition, when: whenCalledFor(node, to.name), crossings }];
  });
  return arrange(squad, member, null, ways);
}

function arrange(
  squad: Squad,
  member: Member,
  node: NodeIndex | null,
  ways: readonly Way[],
): Handoffs[] {
  const isGuarded = ({ condition }: Way) => (condition?.guard ?? null) !== null;
  const together = groupBy(ways, (way) => 2 * way.to.region.index + Number(isGuarded(way)));
  const offers = [...together.values()].map((same): Handoffs => {
    const refusals = refusalsOf(same.map(({ condition }) => condition));
    return { node, destinations: [destinationOf(squad, same)], refusals };
  });
  const alike = [...groupBy(offers, demandsOf).values()];
  if (isSeparate(squad, member)) return alike.flat();
  return alike.map((same) => ({
    ...same[0]!,
    destinations: same.flatMap(({ destinations }) => destinations),
  }));
}

/** One tool per destination, or one tool with several (spec/3, "Guidance on model families"). */
function isSeparate({ options, models }: Squad, { region }: Member): boolean {
  if (options.handoffTools !== 'auto') return options.handoffTools === 'separate';
  return models[region.index]!.value['provider'] === 'openai';
}

/** What an offer demands: arguments, and where it is refused the way itself. */
function demandsOf({ destinations: [destination], refusals }: Handoffs): string {
  const { arguments: demanded, region } = destination!;
  // In whatever order the ways come to them, the same arguments are one demand.
  const names = demanded.map((it) => JSON.stringify([it.name, it.captures])).sort();
  return JSON.stringify([names, refusals.length > 0 ? region : null]);
}

function destinationOf({ isArgument }: Squad, ways: readonly Way[]): DestinationIr {
  const crossings = uniteCrossings(ways);
  const properties = crossings.flatMap(propertyOf);
  const texts = ways.flatMap(({ when }) => (when.kind === 'done' ? [] : [when.text]));
  return {
    region: ways[0]!.to.region.index,
    edges: ways.flatMap(({ edge }) => edge ?? []),
    globals: ways.flatMap(({ global }) => global ?? []),
    description: describe(texts),
    plan: properties.filter(({ name }) => !isArgument(name)),
    // An argument is what the model says, and cannot derive.
    aliases: aliasesOf(crossings),
    arguments: properties.filter(({ name }) => isArgument(name)),
  };
}

/** Ways that share a destination carry what any of them carries. */
function uniteCrossings(ways: readonly Way[]): readonly Crossing[] {
  const united = new Map<string, Crossing>();
  for (const crossing of ways.flatMap(({ crossings }) => crossings)) {
    const { name } = crossing.variable;
    const captures = [...(united.get(name)?.captures ?? []), ...crossing.captures];
    united.set(name, { ...crossing, captures: [...new Set(captures)] });
  }
  return [...united.values()];
}

function propertyOf(crossing: Crossing): PlanProperty[] {
  const captures = foundAmong(crossing).map(({ capture }) => capture);
  const [first] = captures;
  if (first === undefined) return [];
  const isOne = captures.every(({ type }) => type === first.type);
  const choices = captures.map((it) => it.enum);
  const details = captures.map((it) => JSON.stringify(it.details?.value ?? null));
  return [
    {
      name: crossing.variable.name,
      type: isOne ? first.type : 'string',
      description: descriptionOf(crossing.variable.name, captures),
      // One without an enumeration allows any value.
      enum: isOne && !choices.includes(null) ? [...new Set(choices.flatMap((it) => it!))] : null,
      details: isOne && details.every((it) => it === details[0]) ? first.details : null,
      captures: captures.map(({ at }) => at),
    },
  ];
}

function descriptionOf(name: string, captures: readonly Capture[]): Template {
  const described = captures.flatMap(({ description }) => description ?? []);
  if (described.length > 0) return describe(described);
  return traced(
    name,
    synthesized(
      'named-after-variable',
      captures.map(({ at }) => at),
    ),
  );
}

/** What is derived; an alias stands behind those that it reads, as far as they are no circle. */
function aliasesOf(crossings: readonly Crossing[]): readonly PlanAlias[] {
  const derived = crossings.flatMap(({ captures }) => aliasAmong(captures)?.capture ?? []);
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
    for (const { name } of next.alias!.uses.toReversed()) {
      const read = aliases.get(name);
      if (read !== undefined && !seen.has(read)) pending.push(read);
    }
  }
  return [...inOrder].map((capture) => ({
    key: traced(capture.name, originOfName(capture)),
    value: traced(capture.alias!.value, originOf(capture.alias!)),
  }));
}

/** Names for the handoffs of one assistant, that no other tool of it has. */
export function nameHandoffs(
  { options, members }: Squad,
  tools: readonly (OtherToolIr | Handoffs)[],
): readonly ToolIr[] {
  const give = createToolNames(64);
  for (const tool of tools) if ('kind' in tool && tool.name !== null) give(tool.name.value);
  return tools.map((tool): ToolIr => {
    if ('kind' in tool) return tool;
    const targets = tool.destinations.map(({ region }) => members[region]!.name);
    const wanted = handoffFunction([...new Set(targets)]);
    const isNamed = options.target === 'vapi';
    const name = isNamed ? traced(give(wanted).name, synthesized('handoff-name')) : null;
    return { kind: 'handoff', name, ...tool };
  });
}
