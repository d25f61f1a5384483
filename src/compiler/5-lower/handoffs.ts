/** Retained edges and global nodes → handoff tools (spec/3, "Conversion procedure"). */
import { groupBy, withItem } from '../../graph/lists.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from '../ir/ids.js';
import type { HandoffStep, Step } from '../ir/region-map.js';
import type { Composition, DestinationIr, HandoffToolIr, PlanProperty } from '../ir/squad-ir.js';
import type { Condition, Text } from '../ir/workflow.js';
import type { IsArgument } from './arguments.js';
import { whenCalledFor } from './conditions.js';
import { isGuarded, rejectionsOf } from './guards.js';
import { few } from './node-set.js';
import { planAliases, planProperties } from './plan-properties.js';
import { listHandoffs } from './planned-regions.js';
import type { Crossing, Plans } from './plans.js';
import type { Scene } from './scene.js';
import { eitherOf, quotation } from './segments.js';

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
const noRejections: HandoffToolIr['rejections'] = [];
const noSteps: readonly Step[] = [];

/** The handoffs out of one node. */
export function lowerHandoffs(
  scene: Scene,
  from: NodeIndex,
  carrying: Carrying,
): readonly HandoffToolIr[] {
  const steps = listHandoffs(scene.region.stepsFrom.get(from) ?? noSteps);
  if (steps.length === 0) return noTools;
  // Without guards, ways to different assistants are what they are, each by itself.
  if (!scene.cast.features.guards && leadApart(steps)) return lowerApart(scene, steps, carrying);
  const ways = steps.map(
    (step): Way => ({
      region: step.region,
      edge: step.edge,
      global: null,
      condition: scene.conditionOf(step),
      sentence: scene.whenHandedOff(step),
      crossings: carrying.plans.ofStep(step),
    }),
  );
  return lowerWays(from, ways, carrying);
}

/** The handoffs of steps out of one node that lead to different assistants, none of them guarded. */
function lowerApart(
  scene: Scene,
  steps: readonly HandoffStep[],
  { plans, isArgument }: Carrying,
): readonly HandoffToolIr[] {
  let carried = nothing;
  let demands = false;
  const destinations = steps.map((step): DestinationIr => {
    carried = lowerCrossings(plans.ofStep(step), carried, isArgument);
    demands ||= carried.arguments.length > 0;
    const description = quotation(scene.whenHandedOff(step));
    return toDestination(step.region, [step.edge], noGlobals, description, carried);
  });
  const node = steps[0]!.from;
  if (!demands) return [{ kind: 'handoff', node, destinations, rejections: noRejections }];
  return toTools(
    node,
    destinations.map((destination) => ({ destination, rejections: noRejections })),
  );
}

/** The handoffs to global nodes that other assistants hold. */
export function lowerGlobalHandoffs(scene: Scene, carrying: Carrying): readonly HandoffToolIr[] {
  const { graph, region, cast } = scene;
  if (graph.globals.length === 0) return noTools;
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
  let carried = nothing;
  const offers = groupWays(ways).map((together): Offer => {
    carried = lowerCrossings(uniteCrossings(together), carried, isArgument);
    return { destination: lowerDestination(together, carried), rejections: rejectionsOf(together) };
  });
  return toTools(node, offers);
}

function toTools(node: NodeIndex | null, offers: readonly Offer[]): HandoffToolIr[] {
  return groupOffers(offers).map((together) => ({
    kind: 'handoff',
    node,
    destinations: together.map(({ destination }) => destination),
    rejections: together[0]!.rejections,
  }));
}

function groupWays(ways: readonly Way[]): (readonly Way[])[] {
  if (ways.length === 1) return [ways];
  if (leadApart(ways)) return ways.map((way) => [way]);
  const keyOf = ({ region, condition }: Way) => 2 * region + Number(isGuarded(condition));
  return [...groupBy(ways, keyOf).values()];
}

/** Whether each of a few ways leads to an assistant of its own; of many it is not asked. */
function leadApart(ways: readonly Pick<Way, 'region'>[]): boolean {
  if (ways.length > few) return false;
  for (let at = 1; at < ways.length; at += 1) {
    for (let before = 0; before < at; before += 1) {
      if (ways[before]!.region === ways[at]!.region) return false;
    }
  }
  return true;
}

function groupOffers(offers: readonly Offer[]): (readonly Offer[])[] {
  const isOne = offers.length === 1 || offers.every(demandsNothing);
  return isOne ? [offers] : [...groupBy(offers, demandsOf).values()];
}

function demandsNothing({ destination, rejections }: Offer): boolean {
  return destination.arguments.length === 0 && rejections.length === 0;
}

/** What the tool of an offer demands: arguments, and where it is refused the way itself. */
function demandsOf(offer: Offer): string {
  if (demandsNothing(offer)) return '';
  const { destination, rejections } = offer;
  const { arguments: demanded, region } = destination;
  // In whatever order the ways come to them, the same arguments are one demand.
  const names = demanded.map((it) => JSON.stringify([it.name, it.captures])).sort();
  return JSON.stringify([names, rejections.length > 0 ? region : null]);
}

/** What crosses with a destination, as its tool says it. */
interface Carried extends Pick<DestinationIr, 'plan' | 'aliases' | 'arguments'> {
  readonly crossings: readonly Crossing[];
}

const nothing: Carried = { crossings: [], plan: [], aliases: [], arguments: [] };

function areSame(some: readonly Crossing[], others: readonly Crossing[]): boolean {
  return some.length === others.length && some.every((crossing, at) => crossing === others[at]);
}

/** Most ways out of a node carry the same as the one `before`, which is lowered once. */
function lowerCrossings(
  crossings: readonly Crossing[],
  before: Carried,
  isArgument: IsArgument,
): Carried {
  if (areSame(crossings, before.crossings)) return before;
  const properties = planProperties(crossings);
  // An argument is what the model says, and cannot derive.
  const aliases = planAliases(crossings);
  for (const { name } of properties) {
    if (isArgument(name)) return { crossings, aliases, ...partProperties(properties, isArgument) };
  }
  return { crossings, aliases, plan: properties, arguments: noProperties };
}

function partProperties(
  properties: readonly PlanProperty[],
  isArgument: IsArgument,
): Pick<Carried, 'plan' | 'arguments'> {
  return {
    plan: properties.filter(({ name }) => !isArgument(name)),
    arguments: properties.filter(({ name }) => isArgument(name)),
  };
}

const noProperties: readonly PlanProperty[] = [];

function lowerDestination(ways: readonly Way[], carried: Carried): DestinationIr {
  let edges = noEdges;
  let globals = noGlobals;
  for (const { edge, global } of ways) {
    if (edge !== null) edges = withItem(edges, edge);
    if (global !== null) globals = withItem(globals, global);
  }
  const description = eitherOf(ways.map(({ sentence }) => sentence));
  return toDestination(ways[0]!.region, edges, globals, description, carried);
}

function toDestination(
  region: RegionIndex,
  edges: readonly EdgeIndex[],
  globals: readonly NodeIndex[],
  description: Composition,
  carried: Carried,
): DestinationIr {
  const { plan, aliases, arguments: demanded } = carried;
  return { region, edges, globals, description, plan, aliases, arguments: demanded };
}

const noEdges: readonly EdgeIndex[] = [];
const noGlobals: readonly NodeIndex[] = [];

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
