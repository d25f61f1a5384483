/** Retained edges and global nodes → handoff tools (spec/3, "Conversion procedure"). */
import { groupBy, withItem } from '../graph/lists.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { DestinationIr, HandoffToolIr, PlanProperty } from '../ir/squad-ir.js';
import type { Condition, Text } from '../ir/workflow.js';
import type { IsArgument } from './arguments.js';
import { whenCalledFor } from './conditions.js';
import { isGuarded, rejectionsOf } from './guards.js';
import { planAliases, planProperties } from './plan-properties.js';
import type { Crossing, Plans } from './plans.js';
import type { Scene } from './scene.js';
import { either } from './segments.js';

/** What crosses with the handoffs, and how. */
export interface Carrying {
  readonly plans: Plans;
  readonly isArgument: IsArgument;
}

/** One reason to hand off to an assistant. */
interface Way {
  readonly region: RegionIndex;
  readonly edge: EdgeIndex | null;
  readonly global: NodeIndex | null;
  readonly condition: Condition | null;
  readonly sentence: Text;
  readonly crossings: readonly Crossing[];
}

const noTools: readonly HandoffToolIr[] = [];
const noWays: readonly Way[] = [];

/** The handoffs out of one node. */
export function lowerHandoffs(
  scene: Scene,
  from: NodeIndex,
  carrying: Carrying,
): readonly HandoffToolIr[] {
  let ways: readonly Way[] = noWays;
  for (const step of scene.region.stepsFrom.get(from) ?? []) {
    if (step.kind !== 'handoff') continue;
    ways = withItem(ways, {
      region: step.region,
      edge: step.edge,
      global: null,
      condition: scene.conditionOf(step),
      sentence: scene.whenHandedOff(step),
      crossings: carrying.plans.ofStep(step),
    });
  }
  return ways.length === 0 ? noTools : lowerWays(from, ways, carrying);
}

/** The handoffs to global nodes that other assistants hold. */
export function lowerGlobalHandoffs(scene: Scene, carrying: Carrying): readonly HandoffToolIr[] {
  const { graph, region, cast } = scene;
  const ways: Way[] = [];
  for (const global of graph.globals) {
    const home = cast.homeOf(global);
    if (home === null || scene.holds(global)) continue;
    const crossings = carrying.plans.ofGlobal(region.index, global);
    ways.push({
      region: home.index,
      edge: null,
      global,
      condition: graph.workflow.nodes[global]!.global?.condition ?? null,
      sentence: whenCalledFor(graph, global, cast.names[home.index]!),
      crossings: withoutGiven(scene, global, crossings),
    });
  }
  return ways.length === 0 ? noTools : lowerWays(null, ways, carrying);
}

/** A destination, and what the platform refuses it for. */
interface Offer {
  readonly destination: DestinationIr;
  readonly rejections: HandoffToolIr['rejections'];
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
  const offers = groupWays(ways).map((together) => {
    const destination = lowerDestination(together, isArgument);
    return { destination, rejections: rejectionsOf(together) };
  });
  return groupOffers(offers).map((together) => ({
    kind: 'handoff',
    node,
    destinations: together.map(({ destination }) => destination),
    rejections: together[0]!.rejections,
  }));
}

function groupWays(ways: readonly Way[]): (readonly Way[])[] {
  if (ways.length === 1) return [ways];
  const keyOf = ({ region, condition }: Way) => 2 * region + Number(isGuarded(condition));
  return [...groupBy(ways, keyOf).values()];
}

function groupOffers(offers: readonly Offer[]): (readonly Offer[])[] {
  return offers.length === 1 ? [offers] : [...groupBy(offers, demandsOf).values()];
}

/** What the tool of an offer demands: arguments, and where it is refused the way itself. */
function demandsOf({ destination, rejections }: Offer): string {
  const { arguments: demanded, region } = destination;
  if (demanded.length === 0 && rejections.length === 0) return '';
  // In whatever order the ways come to them, the same arguments are one demand.
  const names = demanded.map((it) => JSON.stringify([it.name, it.captures])).sort();
  return JSON.stringify([names, rejections.length > 0 ? region : null]);
}

function lowerDestination(ways: readonly Way[], isArgument: IsArgument): DestinationIr {
  const crossings = uniteCrossings(ways);
  const properties = planProperties(crossings);
  const hasArguments = properties.some(({ name }) => isArgument(name));
  let edges: readonly EdgeIndex[] = [];
  let globals: readonly NodeIndex[] = [];
  for (const { edge, global } of ways) {
    if (edge !== null) edges = withItem(edges, edge);
    if (global !== null) globals = withItem(globals, global);
  }
  return {
    region: ways[0]!.region,
    edges,
    globals,
    description: either(ways.map(({ sentence }) => sentence)),
    plan: hasArguments ? properties.filter(({ name }) => !isArgument(name)) : properties,
    // An argument is what the model says, and cannot derive.
    aliases: planAliases(crossings),
    arguments: hasArguments ? properties.filter(({ name }) => isArgument(name)) : noProperties,
  };
}

const noProperties: readonly PlanProperty[] = [];

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
function uniteCrossings(ways: readonly Way[]): readonly Crossing[] {
  if (ways.length === 1) return ways[0]!.crossings;
  const united = new Map<string, Crossing>();
  for (const { crossings } of ways) {
    for (const crossing of crossings) {
      const { name } = crossing.variable;
      const earlier = united.get(name);
      united.set(name, earlier === undefined ? crossing : unite(earlier, crossing));
    }
  }
  return [...united.values()];
}

function unite(earlier: Crossing, later: Crossing): Crossing {
  return { ...later, captures: [...new Set([...earlier.captures, ...later.captures])] };
}
