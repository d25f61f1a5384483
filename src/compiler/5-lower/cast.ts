/** Who is who in the squad. */
import { append } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { once } from '../ir/once.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Names } from './assistant-names.js';
import { Speaker, whenCalledFor } from './conditions.js';
import type { Features } from './features.js';
import type { Cast, Lead } from './scene.js';

export function createCast(
  graph: FlowGraph,
  map: RegionMap,
  features: Features,
  names: Names,
): Cast {
  const assistantNames = names.assistants.map(({ value }) => value);
  const homes = new Map<NodeIndex, Region>();
  for (const region of map.regions) {
    // A global tool that every region holds has no home; it is nobody's to hand off to.
    for (const node of region.globals) if (region.entries.includes(node)) homes.set(node, region);
  }
  // Few assistants have several ways in, and only they say what leads where.
  const leading = once(() => listLeading(graph, map, assistantNames));
  return {
    graph,
    map,
    features,
    names: assistantNames,
    tools: names.tools,
    leadingTo: (entry) => leading().get(entry) ?? [],
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
    const speaker = new Speaker(graph, region, names[region.index]!);
    for (const step of region.steps) {
      if (step.kind !== 'handoff') continue;
      const isCondition = speaker.conditionOf(step) !== null;
      append(leading, step.to, { sentence: speaker.whenHandedOff(step), isCondition });
    }
    for (const global of region.globals) {
      const isCondition = graph.workflow.nodes[global]!.global?.condition !== null;
      append(leading, global, {
        sentence: whenCalledFor(graph, global, speaker.name),
        isCondition,
      });
    }
  }
  return leading;
}
