/**
 * RegionMap → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the graph with answers applied, its regions, the plans of its handoffs. Out: the squad before
 * it takes a target's shape, and what is to be said about it. Invariants: see SquadIr; every text
 * of a node stands word for word in the assistant that owns the node.
 */

import { diagnose } from '../../diagnostics/diagnose.js';
import { append } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child, type NodeIndex } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import { fromOption, fromSource, synthesized, traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { AssistantIr, SettingIr, SquadIr } from '../ir/squad-ir.js';
import { chooseArguments } from './arguments.js';
import { nameAll } from './assistant-names.js';
import { lowerTools } from './assistant-tools.js';
import { conditionOf, whenCalledFor, whenHandedOff } from './conditions.js';
import { findSharedNames, listSavedTools } from './given-tools.js';
import { rejectionsOf } from './guards.js';
import type { Plans } from './plans.js';
import { type Cast, createScene, type Lead, writePrompt } from './prompt.js';
import { objectToSaved, savedAs } from './saved-assistants.js';
import { originOf } from './segments.js';
import { lowerSettings } from './settings.js';
import { listToolWays } from './tool-ways.js';

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
  const settings = lowerSettings(graph, map, options, decisions);
  const cast = createCast(graph, map, names);
  const carrying = { plans, isArgument: chooseArguments(options, decisions) };
  const assistants = map.regions.map((region): AssistantIr => {
    const scene = createScene(cast, region);
    const ways = listToolWays(graph, map, region);
    const saved = savedAs(graph, region);
    const spoken = scene.spoken === null ? null : graph.workflow.nodes[scene.spoken]!.firstMessage;
    return {
      index: region.index,
      name: names.assistants[region.index]!,
      savedAs: saved,
      firstMessage: spoken === null ? null : traced(spoken.value, originOf(spoken)),
      prompt: saved === null ? writePrompt(scene) : [],
      model: settings.models[region.index]!,
      settings: settings.own[region.index]!.filter((it) => spoken !== null || !speaksFirst(it)),
      tools: lowerTools(scene, map, carrying, names.tools, ways),
      savedTools: listSavedTools(graph, region),
      endsCall: ways.toEnd.length > 0,
      endRejections: rejectionsOf(ways.toEnd),
    };
  });
  const { name } = graph.workflow;
  return {
    squad: {
      name: name === null ? null : traced(name, fromSource(child(graph.workflow.at, 'name'))),
      assistants,
      shared: settings.shared,
      context: traced(
        { ...options.context },
        options.context.type === 'all' ? synthesized('default-context') : fromOption('context'),
      ),
      renames: names.renames,
    },
    diagnostics: [
      ...names.diagnostics,
      ...findSharedNames(graph, map.regions),
      ...listToolsToProvide(graph, assistants),
      ...objectToSaved(graph, map, options),
    ],
  };
}

/** Without a line of its own to say, an assistant that speaks first would say nothing. */
function speaksFirst({ key, value }: SettingIr): boolean {
  return key === 'firstMessageMode' && value.value === 'assistant-speaks-first';
}

function createCast(graph: FlowGraph, map: RegionMap, names: ReturnType<typeof nameAll>): Cast {
  const assistantNames = names.assistants.map(({ value }) => value);
  const homes = new Map<NodeIndex, Region>();
  for (const region of map.regions) {
    // A global tool that every region holds has no home; it is nobody's to hand off to.
    for (const node of region.globals) if (region.entries.includes(node)) homes.set(node, region);
  }
  const leading = listLeading(graph, map, assistantNames);
  return {
    graph,
    regions: map.regions,
    names: assistantNames,
    tools: new Map([...names.tools].map(([node, { value }]) => [node, value])),
    leadingTo: (entry) => leading.get(entry) ?? [],
    homeOf: (global) => homes.get(global) ?? null,
  };
}

/** For each entry what leads to it from other assistants. */
function listLeading(
  graph: FlowGraph,
  map: RegionMap,
  names: readonly string[],
): Map<NodeIndex, Lead[]> {
  const leading = new Map<NodeIndex, Lead[]>();
  for (const region of map.regions) {
    const speaker = { graph, region, name: names[region.index]! };
    for (const step of region.steps) {
      if (step.kind !== 'handoff') continue;
      const isCondition = conditionOf(speaker, step) !== null;
      append(leading, step.to, { sentence: whenHandedOff(speaker, step), isCondition });
    }
    for (const global of region.globals) {
      const isCondition = graph.workflow.nodes[global]!.global?.condition !== null;
      const sentence = whenCalledFor(graph, global, names[region.index]!);
      append(leading, global, { sentence, isCondition });
    }
  }
  return leading;
}

function listToolsToProvide(graph: FlowGraph, assistants: readonly AssistantIr[]): Diagnostic[] {
  const custom = assistants.flatMap(({ tools }) => tools.filter((it) => it.kind === 'function'));
  const tools = custom.filter(({ server }) => server === null);
  const places = new Map(
    graph.workflow.nodes.flatMap(({ calls }) => calls).map((it) => [it.question, it.at]),
  );
  const byName = new Map(tools.map((tool) => [tool.name.value, tool]));
  return [...byName].map(([tool, { node, name }]) => {
    const question =
      name.origin.kind === 'answer' && 'question' in name.origin ? name.origin.question : '';
    const at = node === null ? (places.get(question) ?? '') : graph.workflow.nodes[node]!.at;
    return diagnose('lower/tool-to-provide', at, { tool });
  });
}
