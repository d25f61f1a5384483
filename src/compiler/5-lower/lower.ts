/**
 * The planned squad → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the planned squad and the decisions. Out: the squad before it is written, and the reports on
 * it. Invariants: see SquadIr; every text of a node stands word for word in the assistant that owns
 * the node.
 */
import { groupBy } from '../../graph/lists.js';
import type { Decision } from '../ir/inquiry.js';
import { joinLines, writePrompt } from '../ir/prompt.js';
import { fromOption, fromSource, synthesized, traced } from '../ir/provenance.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import { canBeArgument } from '../ir/variables.js';
import { reportSquad } from './findings.js';
import type { Transition } from './members.js';
import { contentOf } from './prompt.js';
import { lowerSettings } from './settings.js';
import type { Squad } from './supply.js';
import { functionsOf, toolsOf } from './tools.js';

export function lower(squad: Squad, decisions: readonly Decision[]) {
  const { graph, options, members } = squad;
  const { workflow } = graph;
  const { shared, own, models } = lowerSettings(workflow, members, options, decisions);
  // The platform makes no handoff without its arguments, so these cannot be missing.
  const demanded = new Set(
    decisions.flatMap(({ inquiry: { question, subject }, choice }) => {
      const isDemanded = question.kind === 'critical-variable' && choice === 'argument';
      return isDemanded && subject.of === 'variable' ? [subject.name] : [];
    }),
  );
  const isArgument = (variable: string) =>
    options.pass === 'arguments' ? canBeArgument(variable) : demanded.has(variable);
  // Handoffs from other assistants lead here, and inner transitions to its own global nodes.
  const leadsIn = ({ kind, from }: Transition) => kind === (from === null ? 'inner' : 'handoff');
  const leading = members.flatMap(({ transitions }) => transitions.filter(leadsIn));
  const incoming = groupBy(leading, ({ to }) => to);
  const { handoffTools, context } = options;
  const assistants = members.map((member, at): AssistantIr => {
    const { region, name, label, savedAs, version, opening } = member;
    const model = models[at]!;
    const isOpenai = model.value['provider'] === 'openai';
    const isSeparate = handoffTools === 'auto' ? isOpenai : handoffTools === 'separate';
    const lines = opening.flatMap(({ firstMessage }) => firstMessage ?? []);
    const called = toolsOf(squad, member, { isArgument, isSeparate });
    const promptContext = { incoming, ...functionsOf(squad, called.tools) };
    return {
      index: region.index,
      name,
      label,
      savedAs,
      version,
      firstMessage: lines.length === 0 ? null : joinLines(lines),
      prompt: savedAs === null ? writePrompt(contentOf(squad, member, promptContext)) : [],
      model,
      // An assistant that speaks first without a line would say nothing.
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
    diagnostics: reportSquad(squad),
  };
}
