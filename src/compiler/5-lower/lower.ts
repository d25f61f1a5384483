/**
 * RegionMap → SquadIr: prompts, handoffs, extraction plans, tools, settings.
 *
 * In: the graph with answers applied, its regions, the plans of its handoffs. Out: the squad before
 * it takes a target's shape, and what is to be said about it. Invariants: see SquadIr; every text
 * of a node stands word for word in the assistant that owns the node.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import { child } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import { fromOption, fromSource, synthesized, type Traced, traced } from '../ir/provenance.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';
import type { AssistantIr, FunctionToolIr, SettingIr, SquadIr } from '../ir/squad-ir.js';
import type { Workflow } from '../ir/workflow.js';
import { chooseArguments } from './arguments.js';
import { type Names, nameAll } from './assistant-names.js';
import { lowerTools } from './assistant-tools.js';
import { createCast } from './cast.js';
import { findFeatures } from './features.js';
import { findSharedNames, listSavedTools } from './given-tools.js';
import { rejectionsOf } from './guards.js';
import type { Carrying } from './handoffs.js';
import { composeBy, nothing } from './pens.js';
import type { Plans } from './plans.js';
import { writePrompt } from './prompt.js';
import { objectToSaved, savedAs } from './saved-assistants.js';
import { type Cast, Scene } from './scene.js';
import { originOf } from './segments.js';
import { type LoweredSettings, lowerSettings } from './settings.js';
import { canEndCall, listToolWays, waysWithoutGuards } from './tool-ways.js';

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
  const features = findFeatures(graph.workflow);
  const names = nameAll(graph, map, features, options);
  const settings = lowerSettings(graph, map, options, decisions);
  const cast = createCast(graph, map, features, names);
  const carrying = { plans, isArgument: chooseArguments(options, decisions) };
  const whole: Whole = { names, settings, cast, carrying };
  const assistants = map.regions.map((region) => lowerRegion(whole, region));
  const { name, at } = graph.workflow;
  return {
    squad: {
      name: name === null ? null : traced(name, fromSource(child(at, 'name'))),
      assistants,
      shared: settings.shared,
      context: lowerContext(options),
      renames: names.renames,
    },
    diagnostics: [
      ...names.diagnostics,
      ...(features.tools ? findSharedNames(graph, map.regions) : []),
      ...(features.tools ? listToolsToProvide(graph.workflow, assistants) : []),
      ...(features.saved ? objectToSaved(graph, map, options) : []),
    ],
  };
}

/** What all assistants are made of. */
interface Whole {
  readonly names: Names;
  readonly settings: LoweredSettings;
  readonly cast: Cast;
  readonly carrying: Carrying;
}

function lowerRegion({ names, settings, cast, carrying }: Whole, region: Region): AssistantIr {
  const { graph, map, features } = cast;
  const { index } = region;
  const scene = new Scene(cast, region);
  const ways = features.guards ? listToolWays(graph, map, region) : waysWithoutGuards;
  const saved = features.saved ? savedAs(graph, region) : null;
  const firstMessage = spokenFirst(scene);
  const own = settings.own[index]!;
  return {
    index,
    name: names.assistants[index]!,
    savedAs: saved,
    firstMessage,
    prompt: saved === null ? composeBy(writePrompt, scene) : nothing,
    model: settings.models[index]!,
    settings: firstMessage === null ? withoutSpeaking(own) : own,
    tools: lowerTools(scene, carrying, ways),
    savedTools: features.tools ? listSavedTools(graph, region) : noTools,
    endsCall: features.ends && canEndCall(graph, region),
    endRejections: rejectionsOf(ways.toEnd),
  };
}

const noTools: AssistantIr['savedTools'] = [];

function spokenFirst({ graph, spoken }: Scene): Traced<string> | null {
  const line = spoken === null ? null : graph.workflow.nodes[spoken]!.firstMessage;
  return line === null ? null : traced(line.value, originOf(line));
}

/** Without a line of its own to say, an assistant that speaks first would say nothing. */
function withoutSpeaking(settings: readonly SettingIr[]): readonly SettingIr[] {
  return settings.some(speaksFirst) ? settings.filter((it) => !speaksFirst(it)) : settings;
}

function speaksFirst({ key, value }: SettingIr): boolean {
  return key === 'firstMessageMode' && value.value === 'assistant-speaks-first';
}

function lowerContext({ context }: Settled): SquadIr['context'] {
  const origin = context.type === 'all' ? synthesized('default-context') : fromOption('context');
  return traced({ ...context }, origin);
}

/** The tools that somebody else implements, as far as nobody has said who. */
function listToolsToProvide(
  workflow: Workflow,
  assistants: readonly AssistantIr[],
): readonly Diagnostic[] {
  const byName = new Map<string, FunctionToolIr>();
  for (const { tools } of assistants) {
    for (const tool of tools) {
      if (tool.kind === 'function' && tool.server === null) byName.set(tool.name.value, tool);
    }
  }
  if (byName.size === 0) return [];
  const calls = workflow.nodes.flatMap((node) => node.calls);
  const places = new Map(calls.map((it) => [it.question, it.at]));
  return Array.from(
    byName,
    ([
      tool,
      {
        node,
        name: { origin },
      },
    ]) => {
      const question = origin.kind === 'answer' && 'question' in origin ? origin.question : '';
      const at = node === null ? (places.get(question) ?? '') : workflow.nodes[node]!.at;
      return diagnose('lower/tool-to-provide', at, { tool });
    },
  );
}
