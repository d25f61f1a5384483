/**
 * Reports on the planned squad: variables that may be lost on crossing, differences between the
 * platform and the source, and instructions that a saved assistant cannot be given.
 */
import type { Unsayable } from '../../diagnostics/catalogue/compile.js';
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { Diagnostic } from '../ir/result.js';
import { textsOf } from '../ir/texts.js';
import { listAddedKeys } from '../ir/tool.js';
import {
  type Crossing,
  canBeArgument,
  foundAmong,
  hasGap,
  reachingAt,
  typesOf,
  type Variable,
} from '../ir/variables.js';
import { type GivenTool, settingNames } from '../ir/workflow.js';
import { type Member, type Planned, placeOf, type Transition } from './members.js';
import { inputFor, type Squad } from './supply.js';
import { type Callers, groupConfirming, listHoldings, listToolCallers } from './tools.js';

export function reportSquad(squad: Squad): Diagnostic[] {
  return [
    ...warnAboutPlans(squad),
    ...warnAboutEntries(squad),
    ...warnAboutGuards(squad),
    ...warnAboutAssignments(squad),
    ...reportAddedKeys(squad),
    ...squad.names.diagnostics,
    ...findSharedNames(squad.members),
    ...listToolsToProvide(squad),
    ...checkSaved(squad),
  ];
}

/** Warnings about the extraction plans. */
function warnAboutPlans(squad: Squad): Diagnostic[] {
  const carried = squad.members.flatMap((member) =>
    member.handoffs.flatMap((handoff) =>
      handoff.crossings.map((it) => ({ ...it, member, from: handoff.from })),
    ),
  );
  const byVariable = groupBy(carried, ({ variable }) => variable);
  return [...byVariable].flatMap(([variable, all]) => warnAboutVariable(squad, variable, all));
}

function warnAboutVariable(
  { options: { pass, context, criticalVariables }, supplies }: Squad,
  { name }: Variable,
  crossings: readonly (Crossing & Pick<Transition, 'from'> & { readonly member: Member })[],
): Diagnostic[] {
  const places = new Set<JsonPointer>();
  for (const it of crossings) for (const { capture } of it.captures) places.add(capture.at);
  const [at = '', ...related] = places;
  const args = { variable: name };
  const place = { related };
  const isMixed = crossings.some(({ mixed }) => mixed);
  const hasEarlier = crossings.some(({ member }) => supplies.get(member)!.available.has(name));
  const found = crossings.map(foundAmong);
  const types = found.map(typesOf).find((each) => each.length > 1);
  const reports: Diagnostic[] = [];
  if (isMixed) reports.push(diagnose('data/mixed-source', at, args, place));
  if (types) reports.push(diagnose('data/type-conflict', at, { ...args, types }, place));
  if (context.type !== 'all' && hasEarlier) {
    reports.push(diagnose('data/may-overwrite', at, { ...args, context: context.type }, place));
  }
  const demanded = crossings.filter((_, index) => found[index]!.length > 0);
  if (pass === 'plan' || demanded.length === 0) return reports;
  const isMissable = demanded.some(
    ({ member, from }) => from === null || hasGap(member.flow, name, 'never set', from.index),
  );
  // A variable that must never be missing should block the handoff.
  const waits = !criticalVariables.has(name) && isMissable;
  if (!canBeArgument(name)) reports.push(diagnose('lower/not-an-argument', at, args, place));
  else if (waits) reports.push(diagnose('data/may-block', at, args, place));
  return reports;
}

/**
 * Assistants with several entries that the transcript does not tell apart: the context may hide it,
 * and in the shape of spec/3 the handoffs out of one node to one assistant are the same.
 */
function warnAboutEntries({ members, graph, options: { context, target } }: Planned): Diagnostic[] {
  const handoffs = members.flatMap((it) => it.handoffs);
  const leading = groupBy(handoffs, ({ region }) => region);
  return members.flatMap(({ region: { index, entries }, label, nodes: [first] }) => {
    const to = leading.get(index) ?? [];
    const byNode = groupBy(to, ({ from }) => from);
    const isForked = [...byNode.values()].some((all) => all.some((it) => it.to !== all[0]!.to));
    const isShown = context.type === 'all' && (target !== 'squad' || !isForked);
    if (entries.length < 2 || to.length === 0 || isShown) return [];
    const nodes = entries.map((it) => graph.workflow.nodes[it]!.id);
    const args = { assistant: label, nodes, context: context.type };
    const related = [...new Set(to.map(({ at }) => at))];
    return [diagnose('lower/entry-by-words', first!.at, args, { related })];
  });
}

/** The platform renders a prompt as one text, in which an assignment lasts to the end. */
function warnAboutAssignments({ graph, members }: Planned): Diagnostic[] {
  const { globalPrompt } = graph.workflow;
  const leaks = members.flatMap(({ nodes }) => {
    const assigned = new Map((globalPrompt?.sets ?? []).map((name) => [name, globalPrompt!]));
    return nodes.flatMap((node) => {
      const texts = textsOf(node).flatMap(({ value, moment }) => (moment === 'entry' ? value : []));
      const reads = texts.flatMap(({ at, uses }) => uses.map(({ name }) => [name, at] as const));
      const found = reads.flatMap(([name, at]) => {
        const by = assigned.get(name);
        return by === undefined ? [] : [{ name, at, by: by.at }];
      });
      for (const text of texts) for (const name of text.sets ?? []) assigned.set(name, text);
      return found;
    });
  });
  const byPlaces = new Map(leaks.map((leak) => [JSON.stringify(leak), leak]));
  return [...byPlaces.values()].map(({ name, at, by }) =>
    diagnose('data/assign-leaks', by, { variable: name }, { related: [at] }),
  );
}

/** Reports what a request sends beyond the source's fields so that the platform has the value. */
function reportAddedKeys({ members, supplies, names }: Squad): Diagnostic[] {
  const told = members.flatMap((member) => {
    const supply = supplies.get(member)!;
    const filled = supply.reads.filter(({ kind }) => kind === 'filled');
    return filled.flatMap(({ text, use, tool }) => {
      const { node, tool: source } = tool!;
      if (!listAddedKeys(source, inputFor(supply, source).filled).includes(use.name)) return [];
      const called = 'statics' in source ? names.tools.get(node.index)!.value : source.name;
      return diagnose('data/sent-besides', text.at, { tool: called, variable: use.name });
    });
  });
  const first = groupBy(told, ({ message }) => message);
  return [...first.values()].map(([it]) => it!);
}

/** The tools that someone else implements. */
function listToolsToProvide({ graph, members }: Planned): Diagnostic[] {
  const calls = graph.workflow.nodes.flatMap((node) => node.calls);
  const places = new Map(calls.map(({ question, at }) => [question, at]));
  const provided = members.flatMap((member) => [...groupConfirming(member)]);
  const questions = new Map(provided.map(([tool, [first]]) => [tool, first!.call.question]));
  return Array.from(questions, ([tool, question]) =>
    diagnose('lower/tool-to-provide', places.get(question) ?? '', { tool }),
  );
}

/**
 * Reports guards that the platform cannot enforce although an answer requests it: the transition
 * stays in one assistant and calls no tool that could be refused; another transition leads to the
 * same tool without a guard; or the assistant has a variable only from the conversation, which the
 * platform stores at the next handoff.
 */
function warnAboutGuards(squad: Planned): Diagnostic[] {
  const { map, members } = squad;
  const told = members.flatMap((member) => {
    const guarded = member.transitions.filter(({ condition, from, to, kind }) => {
      if (condition === null || condition.guard === null) return false;
      // The condition already leads to this assistant, unless no assistant hands over to it.
      return from !== null || kind !== 'inner' || to.role !== 'talk' || members.length === 1;
    });
    if (guarded.length === 0) return [];
    const callers = listToolCallers(map, member);
    return guarded.flatMap((transition) => checkGuard(member, transition, callers));
  });
  // What several assistants report about a condition is reported once.
  const together = groupBy(told, ({ at, message }) => `${at} ${message}`);
  return Array.from(together.values(), (same) => {
    return { ...same[0]!, related: [...new Set(same.flatMap((it) => it.related))] };
  });
}

function checkGuard(member: Member, transition: Transition, callers: Callers): Diagnostic[] {
  const { condition, to, kind } = transition;
  const { at, uses } = condition!;
  if (kind === 'inner' && (to.role === 'talk' || to.tools.some(isUnguardable))) {
    return [diagnose('lower/guard-within', at, { node: to.id })];
  }
  const unguarded = callers(to).filter((it) => (it.condition?.guard ?? null) === null);
  if (kind !== 'handoff' && unguarded.length > 0) {
    const related = unguarded.map((it) => it.at);
    return [diagnose('lower/guard-shared', at, { node: to.id }, { related })];
  }
  return [...new Set(uses.map(({ name }) => name))].flatMap((variable) => {
    const { captures } = reachingAt(member.flow, variable, placeOf(transition));
    const related = captures.map(({ capture }) => capture.at);
    return related.length === 0
      ? []
      : [diagnose('data/guard-unseen', at, { variable }, { related })];
  });
}

/** A saved tool, or one with its own rejection plan. */
function isUnguardable({ value }: GivenTool): boolean {
  return value === null || Object.hasOwn(value.value, 'rejectionPlan');
}
/** A model cannot distinguish tools of the same name, unless they are equal. */
function findSharedNames(members: readonly Member[]): Diagnostic[] {
  const found = members.flatMap(findSharedIn);
  return [...new Map(found.map((it) => [JSON.stringify([it.at, it.related]), it])).values()];
}

function findSharedIn(member: Member): Diagnostic[] {
  const holdings = listHoldings(member);
  if (holdings.length === 0) return [];
  const earlier = new Map<string, JsonPointer>();
  for (const [name, same] of groupConfirming(member)) earlier.set(name, same.at(-1)!.call.at);
  return holdings.flatMap(([first]) => {
    const { name, at, value } = first!.tool;
    // A transfer's description says where it leads; a squad has several of them side by side.
    if (value === null || name === 'transferCall') return [];
    const other = earlier.get(name);
    earlier.set(name, other ?? at);
    if (other === undefined) return [];
    return [diagnose('lower/tools-of-one-name', at, { tool: name }, { related: [other] })];
  });
}
/**
 * Nothing can be added to the prompt of a saved assistant. In target `vapi` tools can be added to
 * it, and a tool that says when to call it needs no prompt: handoffs and transfers do. In the shape
 * of spec/3 nothing can be added. Whatever would be lost is therefore an error.
 */
function checkSaved({ members, options: { target } }: Planned): Diagnostic[] {
  const saved = members.filter((member) => member.savedAs !== null);
  const lost = saved.flatMap((member) => {
    const id = member.savedAs!.value;
    return [...listLosses(member), ...member.transitions.flatMap(lossesOf)].flatMap((loss) => {
      const { needs, at, kind, name } = loss;
      const args = { id, what: { kind, name } };
      if (needs === 'prompt') return [diagnose('lower/saved-needs-prompt', at, args)];
      return target === 'squad' ? [diagnose('lower/saved-as-it-is', at, args)] : [];
    });
  });
  return [...findRepeated(saved), ...lost];
}

/** Something that a saved assistant would have to be told, and what that takes. */
interface Loss extends Unsayable {
  readonly needs: 'prompt' | 'overrides';
  readonly at: JsonPointer;
}

/** Requirements of the assistant's nodes, without their transitions. */
function listLosses({ nodes }: Member): Loss[] {
  return nodes.flatMap(({ role, id, at, captures, calls, settings, assistant }): Loss[] => {
    if (role !== 'talk') return [{ needs: 'prompt', at, kind: 'call', name: id }];
    const own: string[] = settingNames.filter((name) => settings[name] !== undefined);
    if (assistant !== null && assistant.version !== null) own.push('assistantVersion');
    return [
      ...captures.map(({ name }): Loss => ({ needs: 'prompt', at, kind: 'find-out', name })),
      ...calls.map(({ tool }): Loss => ({ needs: 'prompt', at, kind: 'call', name: tool })),
      ...own.map((name): Loss => ({ needs: 'overrides', at, kind: 'setting', name })),
    ];
  });
}

function lossesOf({ kind, from, to, condition, at }: Transition): Loss[] {
  // An assistant contains its own inner nodes already.
  if (from === null && kind === 'inner') return [];
  const { type, role, id: name, firstMessage, systemPrompt } = to;
  const texts = role === 'exit' ? [firstMessage, systemPrompt].filter((it) => it !== null) : [];
  const isJudged = condition?.routing === 'extract' || (condition?.call ?? null) !== null;
  // The tool that ends the call cannot say when, and no tool leads back to the same assistant.
  const hasNoTool = kind === 'inner' || (role === 'exit' && type !== 'transferCall');
  const isUnsaid = hasNoTool && condition !== null;
  const transition: Loss = { needs: 'overrides', at, kind: 'transition', name };
  return [
    transition,
    ...texts.map((text): Loss => ({ needs: 'prompt', at: text.at, kind: 'text', name })),
    ...(isJudged || isUnsaid ? [{ ...transition, needs: 'prompt' as const }] : []),
  ];
}

/** A squad can contain an assistant once, so its nodes must have the same continuations. */
function findRepeated(saved: readonly Member[]): Diagnostic[] {
  const nodes = saved.flatMap((member) => member.nodes);
  const byId = groupBy(nodes, ({ assistant }) => assistant?.savedAs?.value ?? null);
  return [...byId].flatMap(([id, [first, ...others]]) => {
    if (id === null || others.length === 0) return [];
    const related = others.map(({ at }) => at);
    const args = { id, nodes: [first!, ...others].map((it) => it.id) };
    return [diagnose('lower/saved-twice', first!.at, args, { related })];
  });
}
