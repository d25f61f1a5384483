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
import { canBeArgument, extractedCaptures, hasGap, reachingAt, typesOf } from '../ir/variables.js';
import { type GivenTool, settingNames, type WorkflowNode } from '../ir/workflow.js';
import { targets } from '../targets.js';
import { type Member, type Planned, placeOf, type Transition } from './members.js';
import { inputFor, type Squad } from './supply.js';
import { groupConfirming, isOpen, listHoldings, listToolCallers } from './tools.js';

export function reportSquad(squad: Squad): Diagnostic[] {
  return [
    ...warnAboutPlans(squad),
    ...warnAboutLost(squad),
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

/** Equal reports of several assistants are one. */
function distinct(reports: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(reports.map((it) => [JSON.stringify(it), it])).values()];
}

/** The reports, each once; what several assistants report about one place is together. */
function unite(reports: readonly Diagnostic[]): Diagnostic[] {
  const same = groupBy(reports, ({ at, message }) => `${at} ${message}`);
  return Array.from(same.values(), (all) => {
    return { ...all[0]!, related: [...new Set(all.flatMap((it) => it.related))] };
  });
}

/** Warnings about the extraction plans. */
function warnAboutPlans(squad: Squad): Diagnostic[] {
  const carried = squad.members.flatMap((member) =>
    member.handoffs.flatMap(({ crossings, from }) =>
      crossings.map((it) => ({ ...it, member, from, found: extractedCaptures(it) })),
    ),
  );
  const { pass, context, criticalVariables } = squad.options;
  return [...groupBy(carried, ({ variable }) => variable)].flatMap(([{ name }, crossings]) => {
    const captures = crossings.flatMap((it) => it.captures);
    const [at = '', ...related] = new Set(captures.map(({ capture }) => capture.at));
    const report = (code: 'data/mixed-source' | 'data/may-block' | 'lower/not-an-argument') =>
      diagnose(code, at, { variable: name }, { related });
    const types = crossings.map(({ found }) => typesOf(found)).find((each) => each.length > 1);
    const hasEarlier = crossings.some(({ member }) => member.available.has(name));
    const required = pass === 'plan' ? [] : crossings.filter(({ found }) => found.length > 0);
    // A variable that must never be missing should block the handoff.
    const mayBlock =
      !criticalVariables.has(name) &&
      required.some(({ member: { flow }, from }) => {
        return from === null || hasGap(flow, name, 'never set', from.index);
      });
    const args = { variable: name };
    return [
      ...(crossings.some(({ mixed }) => mixed) ? [report('data/mixed-source')] : []),
      ...(types ? [diagnose('data/type-conflict', at, { ...args, types }, { related })] : []),
      ...(context.type !== 'all' && hasEarlier
        ? [diagnose('data/may-overwrite', at, { ...args, context: context.type }, { related })]
        : []),
      ...(required.length > 0 && !canBeArgument(name)
        ? [report('lower/not-an-argument')]
        : mayBlock
          ? [report('data/may-block')]
          : []),
    ];
  });
}

/** A question asks about them where the target can report them. */
function warnAboutLost({ variables, lost, options }: Squad): Diagnostic[] {
  const found = [...variables.values()].filter(({ name }) => lost.has(name));
  const [at, ...related] = found.flatMap((it) => it.captures.map(({ capture }) => capture.at));
  if (at === undefined || targets[options.target].isOfPlatform) return [];
  const args = { variables: found.map(({ name }) => name) };
  return [diagnose('data/lost-after-call', at, args, { related })];
}

/** Assistants whose entries are not told apart by words, names of functions or the transcript. */
function warnAboutEntries({ members, graph, options: { context, target } }: Planned): Diagnostic[] {
  const handoffs = members.flatMap((it) => it.handoffs);
  const leading = groupBy(handoffs, ({ region }) => region);
  return members.flatMap(({ region: { index, entries }, name, nodes: [first] }) => {
    const to = leading.get(index) ?? [];
    const isForked = (keyOf: (it: Transition) => unknown) =>
      [...groupBy(to, keyOf).values()].some((all) => all.some((it) => it.to !== all[0]!.to));
    const isNameless = !targets[target].hasFunctions && isForked(({ from }) => from);
    const isAlike = isForked(({ when }) => JSON.stringify(when, ['text', 'value', 'beside']));
    const why = isAlike ? 'words' : isNameless ? 'names' : context.type;
    if (entries.length < 2 || to.length === 0 || why === 'all') return [];
    const nodes = entries.map((it) => graph.workflow.nodes[it]!.id);
    const args = { assistant: name.value, nodes, why };
    const related = [...new Set(to.map(({ at }) => at))];
    return [diagnose('lower/entry-by-words', first!.at, args, { related })];
  });
}

/** The platform renders a prompt as one text, in which an assignment lasts to the end. */
function warnAboutAssignments({ graph, members }: Planned): Diagnostic[] {
  const { globalPrompt } = graph.workflow;
  const leaks = members.flatMap(({ nodes }) => {
    const assigned = new Map((globalPrompt?.sets ?? []).map((name) => [name, globalPrompt!.at]));
    return nodes.flatMap((node) => {
      const texts = textsOf(node).flatMap(({ value, moment }) => (moment === 'entry' ? value : []));
      const found = texts.flatMap(({ at, uses }) =>
        uses.flatMap(({ name: variable }) => {
          const by = assigned.get(variable) ?? null;
          const related = [at];
          return by === null ? [] : diagnose('data/assign-leaks', by, { variable }, { related });
        }),
      );
      for (const { at, sets = [] } of texts) for (const name of sets) assigned.set(name, at);
      return found;
    });
  });
  return distinct(leaks);
}

/** Reports what a request sends beyond the source's fields so that the platform has the value. */
function reportAddedKeys({ members, names }: Squad): Diagnostic[] {
  const added = members.flatMap((member) =>
    member.reads.flatMap(({ kind, text, use, tool }) => {
      if (kind !== 'filled') return [];
      const { node, tool: source } = tool!;
      if (!listAddedKeys(source, inputFor(member, source).filled).includes(use.name)) return [];
      const called = 'statics' in source ? names.tools.get(node.index)!.value : source.name;
      return diagnose('data/sent-besides', text.at, { tool: called, variable: use.name });
    }),
  );
  return [...groupBy(added, ({ message }) => message).values()].map(([it]) => it!);
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
function warnAboutGuards({ map, members }: Squad): Diagnostic[] {
  const reports = members.flatMap((member) => {
    const guarded = member.transitions.filter((it) => {
      // The condition already leads to this assistant, unless no assistant hands over to it.
      const isSettled = it.from === null && it.kind === 'inner' && it.to.role === 'talk';
      return !isOpen(it) && (!isSettled || members.length === 1);
    });
    const callers = guarded.length === 0 ? null : listToolCallers(map, member);
    return guarded.flatMap((transition): Diagnostic[] => {
      const { condition, to, kind } = transition;
      const { at, uses } = condition!;
      // Nothing is added to a saved tool, or to one with its own rejection plan.
      const isOwn = ({ value }: GivenTool) => !value || Object.hasOwn(value.value, 'rejectionPlan');
      if (kind === 'inner' && (to.role === 'talk' || to.tools.some(isOwn))) {
        return [diagnose('lower/guard-within', at, { node: to.id })];
      }
      const unguarded = callers!(to).filter(isOpen);
      if (kind !== 'handoff' && unguarded.length > 0) {
        const related = unguarded.map((it) => it.at);
        return [diagnose('lower/guard-shared', at, { node: to.id }, { related })];
      }
      return [...new Set(uses.map(({ name }) => name))].flatMap((variable) => {
        const { captures } = reachingAt(member.flow, variable, placeOf(transition));
        const related = captures.map(({ capture }) => capture.at);
        const seen = related.length === 0;
        return seen ? [] : diagnose('data/guard-unseen', at, { variable }, { related });
      });
    });
  });
  return unite(reports);
}

/** A model cannot distinguish tools of the same name, unless they are equal. */
function findSharedNames(members: readonly Member[]): Diagnostic[] {
  const found = members.flatMap((member) => {
    const earlier = new Map<string, JsonPointer>();
    for (const [name, same] of groupConfirming(member)) earlier.set(name, same.at(-1)!.call.at);
    return listHoldings(member).flatMap(([first]) => {
      const { name, at, value } = first!.tool;
      // A transfer's description says where it leads; a squad has several of them side by side.
      if (value === null || name === 'transferCall') return [];
      const other = earlier.get(name);
      earlier.set(name, other ?? at);
      if (other === undefined) return [];
      return diagnose('lower/tools-of-one-name', at, { tool: name }, { related: [other] });
    });
  });
  return distinct(found);
}

/**
 * Nothing can be added to the prompt of a saved assistant. Where tools can be added to it, a tool
 * that says when to call it needs no prompt: handoffs and transfers do. Whatever would be lost is
 * therefore an error.
 */
function checkSaved({ members, options: { target } }: Planned): Diagnostic[] {
  const saved = members.filter((member) => member.savedAs !== null);
  const lost = saved.flatMap((member) => {
    const id = member.savedAs!.value;
    const losses = [...member.nodes.flatMap(lossesOfNode), ...member.transitions.flatMap(lossesOf)];
    return losses.flatMap(({ needs, at, kind, name }) => {
      const args = { id, what: { kind, name } };
      if (needs === 'prompt') return diagnose('lower/saved-needs-prompt', at, args);
      return targets[target].extendsSaved ? [] : diagnose('lower/saved-as-it-is', at, args);
    });
  });
  return [...findRepeated(saved), ...lost];
}

/** Something that a saved assistant would have to be told, and what that takes. */
interface Loss extends Unsayable {
  readonly needs: 'prompt' | 'overrides';
  readonly at: JsonPointer;
}

/** What the assistant's node requires besides its transitions. */
function lossesOfNode(node: WorkflowNode): Loss[] {
  const { role, id, at, captures, calls, settings, assistant } = node;
  if (role !== 'talk') return [{ needs: 'prompt', at, kind: 'call', name: id }];
  const own: string[] = settingNames.filter((name) => settings[name] !== undefined);
  if (assistant !== null && assistant.version !== null) own.push('assistantVersion');
  return [
    ...captures.map(({ name }): Loss => ({ needs: 'prompt', at, kind: 'find-out', name })),
    ...calls.map(({ tool }): Loss => ({ needs: 'prompt', at, kind: 'call', name: tool })),
    ...own.map((name): Loss => ({ needs: 'overrides', at, kind: 'setting', name })),
  ];
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
