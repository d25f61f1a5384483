/**
 * The planned squad → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the planned squad and the decisions. Out: the squad before it is written, and the reports on
 * it. Invariants: see SquadIr; every text of a node stands word for word in the assistant that owns
 * the node.
 */
import type { Decision } from '../ir/inquiry.js';
import { joinLines } from '../ir/prompt.js';
import { fromOption, fromSource, synthesized, traced } from '../ir/provenance.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import { canBeArgument } from '../ir/variables.js';
import { reportSquad } from './findings.js';
import { listEntering, promptOf } from './prompt.js';
import { lowerSettings } from './settings.js';
import type { Squad } from './supply.js';
import { toolsOf } from './tools.js';

export function lower(squad: Squad, decisions: readonly Decision[]) {
  const { options, members } = squad;
  const { name, nameAt } = squad.graph.workflow;
  const { shared, own, models } = lowerSettings(squad, decisions);
  // The platform makes no handoff without its arguments, so these cannot be missing.
  const required = new Set(
    decisions.flatMap(({ inquiry: { question, subject }, choice }) => {
      const isRequired = question.kind === 'critical-variable' && choice === 'argument';
      return isRequired && subject.of === 'variable' ? subject.name : [];
    }),
  );
  const isArgument = (variable: string) =>
    options.pass === 'arguments' ? canBeArgument(variable) : required.has(variable);
  const entering = listEntering(members);
  const { handoffTools, context } = options;
  const assistants = members.map((member, at): AssistantIr => {
    const { region, name, label, savedAs, version, opening } = member;
    const model = models[at]!;
    const isOpenai = model.value['provider'] === 'openai';
    const isSeparate = handoffTools === 'auto' ? isOpenai : handoffTools === 'separate';
    const lines = opening.flatMap(({ firstMessage }) => firstMessage ?? []);
    const called = toolsOf(squad, member, { isArgument, isSeparate });
    return {
      index: region.index,
      name,
      label,
      savedAs,
      version,
      firstMessage: lines.length === 0 ? null : joinLines(lines),
      prompt: savedAs === null ? promptOf(squad, member, entering, called.tools) : [],
      model,
      // An assistant that speaks first without a line would say nothing.
      settings: own[at]!.filter(({ key, value: { value } }) => {
        const speaksFirst = key === 'firstMessageMode' && value === 'assistant-speaks-first';
        return lines.length > 0 || !speaksFirst;
      }),
      ...called,
    };
  });
  const origin = context.type === 'all' ? synthesized('default-context') : fromOption('context');
  const lowered: SquadIr = {
    name: name === null ? null : traced(name, fromSource(nameAt)),
    assistants,
    shared,
    context: traced({ ...context }, origin),
  };
  return {
    squad: lowered,
    reads: members.map(({ reads }) => reads),
    diagnostics: reportSquad(squad),
  };
}
