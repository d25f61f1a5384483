/** Retained edges and global nodes → handoff tools (DESIGN section 5, "Retained edges"). */
import { append } from '../graph/lists.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Step } from '../ir/region-map.js';
import type { DestinationIr, HandoffToolIr, Segment } from '../ir/squad-ir.js';
import { whenCalledFor, whenHandedOff } from './conditions.js';
import { planProperties } from './plan-properties.js';
import type { Crossing, Plans } from './plans.js';
import type { Scene } from './prompt.js';
import { join, unique } from './segments.js';

/** The handoffs out of one node, those to one assistant as one destination; null where none. */
export function lowerHandoffs(scene: Scene, from: NodeIndex, plans: Plans): HandoffToolIr | null {
  const byRegion = new Map<RegionIndex, Step[]>();
  for (const step of scene.region.steps) {
    if (step.kind !== 'handoff' || step.from !== from) continue;
    append(byRegion, step.region, step);
  }
  if (byRegion.size === 0) return null;
  const destinations = [...byRegion].map(
    ([region, steps]): DestinationIr => ({
      region,
      edges: steps.map((step) => step.edge),
      globals: [],
      description: describe(steps.map((step) => whenHandedOff(scene, step))),
      plan: planProperties(uniteCrossings(steps.map((step) => plans.ofStep(step)))),
    }),
  );
  return { kind: 'handoff', node: from, destinations };
}

/** The handoffs to global nodes that other assistants hold; null where there are none. */
export function lowerGlobalHandoffs(scene: Scene, plans: Plans): HandoffToolIr | null {
  const { graph, region, cast, numbers } = scene;
  const byRegion = new Map<RegionIndex, NodeIndex[]>();
  for (const global of graph.globals) {
    const home = cast.homeOf(global);
    if (home === null || numbers.has(global)) continue;
    append(byRegion, home.index, global);
  }
  if (byRegion.size === 0) return null;
  const destinations = [...byRegion].map(
    ([home, globals]): DestinationIr => ({
      region: home,
      edges: [],
      globals,
      description: describe(globals.map((it) => whenCalledFor(graph, it, cast.names[home]!))),
      plan: planProperties(
        uniteCrossings(
          globals.map((global) =>
            withoutGiven(scene, global, plans.ofGlobal(region.index, global)),
          ),
        ),
      ),
    }),
  );
  return { kind: 'handoff', node: null, destinations };
}

function describe(sentences: readonly (readonly Segment[])[]): Segment[] {
  return join(unique(sentences), '; or ');
}

/** What a tool gives for the global's condition is newer than any capture. */
function withoutGiven(
  { graph }: Scene,
  global: NodeIndex,
  crossings: readonly Crossing[],
): readonly Crossing[] {
  const given = graph.workflow.nodes[global]!.global?.condition?.call?.variables ?? [];
  return crossings.filter(({ variable }) => !given.includes(variable.name));
}

/** Steps that share a destination carry what any of them carries. */
function uniteCrossings(lists: readonly (readonly Crossing[])[]): Crossing[] {
  const united = new Map<string, Crossing>();
  for (const crossing of lists.flat()) {
    const earlier = united.get(crossing.variable.name);
    const captures = new Set([...(earlier?.captures ?? []), ...crossing.captures]);
    united.set(crossing.variable.name, { ...crossing, captures: [...captures] });
  }
  return [...united.values()];
}
