/**
 * RegionMap → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the graph with answers applied, its regions, the plans of its handoffs. Out: the squad before
 * it is written, and what is to be said about it. Invariants: see SquadIr; every text of a node
 * stands word for word in the assistant that owns the node.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import { fromOption, fromSource, synthesized, traced } from '../ir/provenance.js';
import { mostCopies, type RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import { canBeArgument, type Plans } from '../ir/variables.js';
import { originOf, spellPrompt } from '../ir/wording.js';
import type { Capture, NamedSetting, Workflow } from '../ir/workflow.js';
import { createMember, findHomes, listLeads, type Member, type Squad } from './members.js';
import { nameAll } from './names.js';
import { contentOf } from './prompt.js';
import { objectToSaved } from './saved-assistants.js';
import { lowerSettings } from './settings.js';
import { findSharedNames, listSavedTools, toolsOf } from './tools.js';

export interface Lowered {
  readonly squad: SquadIr;
  readonly diagnostics: readonly Diagnostic[];
}

export function lower(
  graph: FlowGraph,
  map: RegionMap,
  plans: Plans,
  options: Settled,
  decisions: readonly Decision[],
): Lowered {
  const names = nameAll(graph, map, options);
  const { shared, own, models } = lowerSettings(graph, map, options, decisions);
  const members = map.regions.map((region) =>
    createMember(graph, region, names.assistants[region.index]!.value),
  );
  const squad: Squad = {
    graph,
    map,
    options,
    plans,
    isArgument: chooseArguments(options, decisions),
    names,
    models,
    members,
    homes: findHomes(members),
    leads: listLeads(graph, members),
    captures: firstCaptures(graph),
  };
  const assistants = members.map((it) => lowerMember(squad, it, own[it.region.index]!));
  const { name, at } = graph.workflow;
  return {
    squad: {
      name: name === null ? null : traced(name, fromSource(child(at, 'name'))),
      assistants,
      shared,
      context: contextOf(options),
    },
    diagnostics: [
      ...names.diagnostics,
      ...findSharedNames(graph, map.regions),
      ...listToolsToProvide(graph.workflow, assistants),
      ...objectToSaved(squad),
    ],
  };
}

function contextOf({ context }: Settled): SquadIr['context'] {
  const origin = context.type === 'all' ? synthesized('default-context') : fromOption('context');
  return traced({ ...context }, origin);
}

function lowerMember(squad: Squad, member: Member, settings: readonly NamedSetting[]): AssistantIr {
  const { graph, names, models } = squad;
  const { region, savedAs, spoken } = member;
  const line = spoken === null ? null : graph.workflow.nodes[spoken]!.firstMessage;
  return {
    index: region.index,
    name: names.assistants[region.index]!,
    savedAs,
    firstMessage: line === null ? null : traced(line.value, originOf(line)),
    prompt: savedAs === null ? spellPrompt(contentOf(squad, member)) : [],
    model: models[region.index]!,
    // Without a line of its own to say, an assistant that speaks first would say nothing.
    settings: line === null ? settings.filter((it) => !speaksFirst(it)) : settings,
    tools: toolsOf(squad, member),
    savedTools: listSavedTools(graph, region),
  };
}

function speaksFirst({ key, value }: NamedSetting): boolean {
  return key === 'firstMessageMode' && value.value === 'assistant-speaks-first';
}

/**
 * Which variables cross as required arguments of the handoff tools, and not by the plans: the
 * platform makes no handoff without an argument, so it cannot be missing.
 */
function chooseArguments({ pass }: Settled, decisions: readonly Decision[]): Squad['isArgument'] {
  if (pass === 'arguments') return canBeArgument;
  const demanded = new Set(
    decisions.flatMap(({ inquiry: { question, subject }, choice }) => {
      const isDemanded = question.kind === 'critical-variable' && choice === 'argument';
      return isDemanded && subject.of === 'variable' ? [subject.name] : [];
    }),
  );
  return (variable) => demanded.has(variable);
}

function firstCaptures({ workflow, order }: FlowGraph): Squad['captures'] {
  const captures = order.flatMap((index) => workflow.nodes[index]!.captures);
  return new Map(captures.toReversed().map((it): [string, Capture] => [it.name, it]));
}

/** The tools that somebody else implements. */
function listToolsToProvide(
  workflow: Workflow,
  assistants: readonly AssistantIr[],
): readonly Diagnostic[] {
  const calls = workflow.nodes.flatMap((node) => node.calls);
  const places = new Map(calls.map((it) => [it.question, it.at]));
  const questions = new Map<string, string>();
  for (const { kind, name } of assistants.flatMap(({ tools }) => tools)) {
    const origin = name?.origin;
    if (kind !== 'function' || origin?.kind !== 'answer' || !('question' in origin)) continue;
    questions.set(name!.value, origin.question);
  }
  return Array.from(questions, ([tool, question]) =>
    diagnose('lower/tool-to-provide', places.get(question) ?? '', { tool }),
  );
}

/**
 * What would grow with a product of the source, found before anything is built. `map` is null where the
 * grouping has found that tools multiply. Example: 1,000 branches and 500 global nodes are 1,501
 * assistants, which would have 750,500 handoffs and ways to global nodes.
 */
export function findTooLarge(
  { workflow, globals }: FlowGraph,
  map: RegionMap | null,
): Diagnostic | null {
  const most = mostCopies(workflow);
  const assistants = map?.regions.length ?? 0;
  if (map !== null && assistants * globals.length <= most) return null;
  const count = map === null ? 0 : globals.length;
  const [at = workflow.at] = map === null ? [] : globals.map((it) => workflow.nodes[it]!.at);
  return diagnose('lower/too-large', at, { most, assistants, globals: count });
}
