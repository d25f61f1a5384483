/** Retained edges and global nodes → handoff tools (spec/3, "Conversion procedure"). */
import { append } from '../graph/lists.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { DestinationIr, HandoffToolIr, Segment } from '../ir/squad-ir.js';
import type { Condition } from '../ir/workflow.js';
import type { IsArgument } from './arguments.js';
import { conditionOf, whenCalledFor, whenHandedOff } from './conditions.js';
import { isGuarded, rejectionsOf } from './guards.js';
import { planAliases, planProperties } from './plan-properties.js';
import type { Crossing, Plans } from './plans.js';
import type { Scene } from './prompt.js';
import { join, unique } from './segments.js';

/** What crosses with the handoffs, and how. */
export interface Carrying {
  readonly plans: Plans;
  readonly isArgument: IsArgument;
}

/** One reason to hand off to an assistant. */
interface Way {
  readonly region: RegionIndex;
  readonly edges: readonly EdgeIndex[];
  readonly globals: readonly NodeIndex[];
  readonly condition: Condition | null;
  readonly sentence: readonly Segment[];
  readonly crossings: readonly Crossing[];
}

/** The handoffs out of one node. */
export function lowerHandoffs(scene: Scene, from: NodeIndex, carrying: Carrying): HandoffToolIr[] {
  const ways = (scene.region.stepsFrom.get(from) ?? []).flatMap((step): Way[] => {
    if (step.kind !== 'handoff') return [];
    return [
      {
        region: step.region,
        edges: [step.edge],
        globals: [],
        condition: conditionOf(scene, step),
        sentence: whenHandedOff(scene, step),
        crossings: carrying.plans.ofStep(step),
      },
    ];
  });
  return lowerWays(from, ways, carrying);
}

/** The handoffs to global nodes that other assistants hold. */
export function lowerGlobalHandoffs(scene: Scene, carrying: Carrying): HandoffToolIr[] {
  const { graph, region, cast, numbers } = scene;
  const ways = graph.globals.flatMap((global): Way[] => {
    const home = cast.homeOf(global);
    if (home === null || numbers.has(global)) return [];
    const crossings = carrying.plans.ofGlobal(region.index, global);
    return [
      {
        region: home.index,
        edges: [],
        globals: [global],
        condition: graph.workflow.nodes[global]!.global?.condition ?? null,
        sentence: whenCalledFor(graph, global, cast.names[home.index]!),
        crossings: withoutGiven(scene, global, crossings),
      },
    ];
  });
  return lowerWays(null, ways, carrying);
}

/**
 * Ways to one assistant are one destination, and destinations are one tool. A guard and a demanded
 * argument count for the whole tool, so what differs in them stays apart.
 */
function lowerWays(
  node: NodeIndex | null,
  ways: readonly Way[],
  { isArgument }: Carrying,
): HandoffToolIr[] {
  const byDestination = groupBy(ways, ({ region, condition }) => [region, isGuarded(condition)]);
  const offers = byDestination.map((together) => ({
    destination: lowerDestination(together, isArgument),
    rejections: rejectionsOf(together),
  }));
  const byTool = groupBy(offers, ({ destination, rejections }) => [
    // In whatever order the ways come to them, the same arguments are one demand.
    destination.arguments.map((it) => JSON.stringify([it.name, it.captures])).sort(),
    rejections.length > 0 ? destination.region : null,
  ]);
  return byTool.map((together) => ({
    kind: 'handoff',
    node,
    destinations: together.map(({ destination }) => destination),
    rejections: together[0]!.rejections,
  }));
}

function lowerDestination(ways: readonly Way[], isArgument: IsArgument): DestinationIr {
  const crossings = uniteCrossings(ways.map((way) => way.crossings));
  const properties = planProperties(crossings);
  return {
    region: ways[0]!.region,
    edges: ways.flatMap(({ edges }) => edges),
    globals: ways.flatMap(({ globals }) => globals),
    description: join(unique(ways.map(({ sentence }) => sentence)), '; or '),
    plan: properties.filter(({ name }) => !isArgument(name)),
    // An argument is what the model says, and cannot derive.
    aliases: planAliases(crossings),
    arguments: properties.filter(({ name }) => isArgument(name)),
  };
}

/** What has the same key, in the order in which the keys are met. */
function groupBy<T>(values: readonly T[], keyOf: (value: T) => unknown): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) append(groups, JSON.stringify(keyOf(value)), value);
  return [...groups.values()];
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
