/**
 * The planned squad → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the squad as it is planned, and what was decided. Out: the squad before it is written, and what
 * is to be said about it. Invariants: see SquadIr; every text of a node stands word for word in the
 * assistant that owns the node.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { groupBy } from '../../graph/lists.js';
import type { Decision } from '../ir/inquiry.js';
import { fromOption, fromSource, synthesized, traced } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import { textsOf } from '../ir/texts.js';
import { listBesides } from '../ir/tool.js';

import { canBeArgument } from '../ir/variables.js';
import { joinLines, spellPrompt } from '../ir/wording.js';
import { tellOfFilled, warnAboutPlans } from './ask-about-plans.js';
import { warnAboutGuards } from './guards.js';
import type { Way } from './members.js';
import type { Planned } from './plans.js';
import { contentOf } from './prompt.js';
import { objectToSaved } from './saved-assistants.js';
import { lowerSettings } from './settings.js';
import type { Squad } from './supply.js';
import { findSharedNames, functionsOf, groupConfirming, toolsOf } from './tools.js';

export function lower(squad: Squad, decisions: readonly Decision[]) {
  const { graph, options, names, members } = squad;
  const { workflow } = graph;
  const { shared, own, models } = lowerSettings(workflow, members, options, decisions);
  // The platform makes no handoff without an argument, so what crosses as one cannot be missing.
  const demanded = new Set(
    decisions.flatMap(({ inquiry: { question, subject }, choice }) => {
      const isDemanded = question.kind === 'critical-variable' && choice === 'argument';
      return isDemanded && subject.of === 'variable' ? [subject.name] : [];
    }),
  );
  const isArgument = (variable: string) =>
    options.pass === 'arguments' ? canBeArgument(variable) : demanded.has(variable);
  // From other assistants steps lead here, from this one those to its own global nodes.
  const isLead = ({ kind, from }: Way) => kind === (from === null ? 'inner' : 'handoff');
  const leading = members.flatMap(({ ways }) => ways.filter(isLead));
  const leads = groupBy(leading, ({ to }) => to);
  const { handoffTools, context } = options;
  const assistants = members.map((member, at): AssistantIr => {
    const { region, name, label, savedAs, version, opening } = member;
    const model = models[at]!;
    const isOpenai = model.value['provider'] === 'openai';
    const isSeparate = handoffTools === 'auto' ? isOpenai : handoffTools === 'separate';
    const lines = opening.flatMap(({ firstMessage }) => firstMessage ?? []);
    const called = toolsOf(squad, member, { isArgument, isSeparate });
    const told = { leads, ...functionsOf(squad, called.tools) };
    return {
      index: region.index,
      name,
      label,
      savedAs,
      version,
      firstMessage: lines.length === 0 ? null : joinLines(lines),
      prompt: savedAs === null ? spellPrompt(contentOf(squad, member, told)) : [],
      model,
      // Without a line of its own to say, an assistant that speaks first would say nothing.
      settings: own[at]!.filter(({ key, value: { value } }) => {
        const speaksFirst = key === 'firstMessageMode' && value === 'assistant-speaks-first';
        return lines.length > 0 || !speaksFirst;
      }),
      ...called,
    };
  });
  const { name, nameAt } = workflow;
  const origin = context.type === 'all' ? synthesized('default-context') : fromOption('context');
  const lowered: SquadIr = {
    name: name === null ? null : traced(name, fromSource(nameAt)),
    assistants,
    shared,
    context: traced({ ...context }, origin),
  };
  return {
    squad: lowered,
    reads: members.map((member) => squad.supplies.get(member)!.reads),
    diagnostics: [
      ...warnAboutPlans(squad),
      ...tellOfFilled(squad),
      ...warnAboutGuards(squad),
      ...warnAboutAssignments(squad),
      ...tellSentBesides(squad),
      ...names.diagnostics,
      ...findSharedNames(members),
      ...listToolsToProvide(squad),
      ...objectToSaved(squad),
    ],
  };
}

/** The platform renders a prompt as one text, in which an assignment holds to the end. */
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

/** What a request sends beyond the fields of the source, so that the platform knows the value. */
function tellSentBesides({ members, supplies, names }: Squad): Diagnostic[] {
  const told = members.flatMap((member) => {
    const { reads, suppliedTo } = supplies.get(member)!;
    const filled = reads.filter(({ kind }) => kind === 'filled');
    return filled.flatMap(({ text, use, tool }) => {
      const { node, tool: source } = tool!;
      if (!listBesides(source, suppliedTo(source).filled).includes(use.name)) return [];
      const called = 'statics' in source ? names.tools.get(node.index)!.value : source.name;
      return diagnose('data/sent-besides', text.at, { tool: called, variable: use.name });
    });
  });
  const first = groupBy(told, ({ message }) => message);
  return [...first.values()].map(([it]) => it!);
}

/** The tools that somebody else implements. */
function listToolsToProvide({ graph, members }: Planned): Diagnostic[] {
  const calls = graph.workflow.nodes.flatMap((node) => node.calls);
  const places = new Map(calls.map(({ question, at }) => [question, at]));
  const provided = members.flatMap((member) => [...groupConfirming(member)]);
  const questions = new Map(provided.map(([tool, [first]]) => [tool, first!.call.question]));
  return Array.from(questions, ([tool, question]) =>
    diagnose('lower/tool-to-provide', places.get(question) ?? '', { tool }),
  );
}
