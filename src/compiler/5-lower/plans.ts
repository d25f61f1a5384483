/**
 * What crosses with each handoff.
 *
 * In: regions, and per variable its captures and where it is live. Out: for each handoff the
 * variables that it carries, with the captures that reach it.
 *
 * A handoff from u to v carries x when a walk inside the assistant captures x, leaves at u with
 * that capture still the latest word on x, and x is live on entry to v. A handoff to a global node
 * can be taken anywhere, so it carries what is captured anywhere inside and live on entry to it.
 *
 * An alias that crosses reads variables at the handoff: they are properties of the same plan where
 * the assistant captures them, and live on leaving the node. So they are planned anew; it ends
 * because no handoff reads a variable for the first time twice.
 */
import { append, groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { HandoffStep, Region, RegionMap } from '../ir/region-map.js';
import {
  aliasAmong,
  type CaptureSite,
  type Crossing,
  type Plans,
  type Variable,
  type VariableFlow,
} from '../ir/variables.js';
import { createVisits, type LatestWord, type Visits } from './visits.js';

/** An edge to another assistant, or what stands for the handoffs to a global node. */
type Handoff = HandoffStep | string;

/** A variable that crosses by a handoff out of one of these nodes. */
interface Carried {
  readonly handoff: Handoff;
  readonly from: readonly NodeIndex[];
  readonly crossing: Crossing;
}

/** A region that can be left. */
interface Left {
  readonly region: Region;
  readonly handoffs: readonly HandoffStep[];
  /** Global nodes that other regions hold and that this one hands off to. */
  readonly globals: readonly NodeIndex[];
  /** Where those lead. */
  readonly targets: readonly NodeIndex[];
  readonly visits: Visits;
}

export function computePlans(graph: FlowGraph, flow: VariableFlow, map: RegionMap): Plans {
  const { variables } = flow;
  const holders = listHolders(graph, map);
  const reads = createAliasReads(graph, map);
  const carried = new Map<Variable, readonly Carried[]>();
  const pending = new Set([...variables.values()].filter(({ captures }) => captures.length > 0));
  // What is added on the way is come to as well, and what was there before once more.
  for (const variable of pending) {
    pending.delete(variable);
    const sites = sitesByRegion(holders, variable);
    const targets = sites.flatMap(({ left }) => left.targets);
    const live = flow.liveAt(reads.addTo(variable), new Set(targets));
    const isWanted = (handoff: Handoff, to: NodeIndex) =>
      live.has(to) || reads.has(handoff, variable.name);
    const crossing = sites.flatMap((it) => cross(it, isWanted));
    carried.set(variable, crossing);
    for (const name of reads.note(crossing)) pending.add(variables.get(name)!);
  }
  const all = [...variables.values()].flatMap((variable) => carried.get(variable) ?? []);
  const byHandoff = groupBy(all, ({ handoff }) => handoff);
  const of = (handoff: Handoff) => (byHandoff.get(handoff) ?? []).map(({ crossing }) => crossing);
  return {
    ofStep: (step) => of(step),
    ofGlobal: (region, global) => of(keyOf(region, global)),
    variables: [...new Set(all.map(({ crossing }) => crossing.variable))],
  };
}

function keyOf(region: RegionIndex, global: NodeIndex): string {
  return `${region} ${global}`;
}

/** For each node the regions that hold it, as far as they can be left. */
function listHolders(graph: FlowGraph, { regions }: RegionMap): Map<NodeIndex, Left[]> {
  const { nodes } = graph.workflow;
  const talking = graph.globals.filter((node) => nodes[node]!.role !== 'exit');
  const holders = new Map<NodeIndex, Left[]>();
  for (const region of regions) {
    const handoffs = region.steps.filter((step) => step.kind === 'handoff');
    const globals = talking.filter((node) => !region.globals.includes(node));
    if (handoffs.length + globals.length === 0) continue;
    const targets = [...handoffs.map(({ to }) => to), ...globals];
    const left = { region, handoffs, globals, targets, visits: createVisits(nodes, region) };
    for (const node of region.nodes) append(holders, node, left);
  }
  return holders;
}

/** Where a region sets a variable. */
interface Sites {
  readonly left: Left;
  readonly variable: Variable;
  readonly captures: CaptureSite[];
  readonly responses: NodeIndex[];
  /** Whether a tool that the assistant may call at any time sets it. */
  isOffered: boolean;
}

/** For each region that captures the variable and can be left. */
function sitesByRegion(holders: ReadonlyMap<NodeIndex, Left[]>, variable: Variable): Sites[] {
  const byRegion = new Map<Left, Sites>();
  for (const site of variable.captures) {
    for (const left of holders.get(site.node) ?? []) {
      const known = byRegion.get(left);
      if (known !== undefined) known.captures.push(site);
      else {
        const captures = [site];
        byRegion.set(left, { left, variable, captures, responses: [], isOffered: false });
      }
    }
  }
  for (const node of variable.responses) {
    for (const left of holders.get(node) ?? []) byRegion.get(left)?.responses.push(node);
  }
  for (const node of variable.offers) {
    for (const left of holders.get(node) ?? []) {
      const known = byRegion.get(left);
      if (known !== undefined) known.isOffered = true;
    }
  }
  return [...byRegion.values()];
}

type IsWanted = (handoff: Handoff, to: NodeIndex) => boolean;

/** What the region hands over of the variable. */
function cross(sites: Sites, isWanted: IsWanted): Carried[] {
  const { left, variable, captures, responses, isOffered } = sites;
  const { region, visits } = left;
  const settings = { name: variable.name, captures, responses };
  const carry = (handoff: Handoff, from: readonly NodeIndex[], word: LatestWord): Carried[] => {
    if (word.captures.length === 0) return [];
    const { captures: reaching, responds, misses } = word;
    const mixed = responds || isOffered;
    return [{ handoff, from, crossing: { variable, captures: reaching, mixed, missable: misses } }];
  };
  const steps = left.handoffs.filter((step) => isWanted(step, step.to));
  const words =
    steps.length === 0 ? null : visits.onLeaving(settings, new Set(steps.map(({ from }) => from)));
  const globals = left.globals
    .map((node) => [keyOf(region.index, node), node] as const)
    .filter(([handoff, node]) => isWanted(handoff, node));
  return [
    ...steps.flatMap((step) => carry(step, [step.from], words!.get(step.from)!)),
    ...globals.flatMap(([handoff]) => carry(handoff, region.nodes, visits.anywhere(settings))),
  ];
}

/** Which variables the aliases read that cross. */
function createAliasReads({ order }: FlowGraph, { representative }: RegionMap) {
  const known = new Map<Handoff, Set<string>>();
  const leaving = new Map<string, NodeIndex[]>();
  let twins: Map<NodeIndex, NodeIndex[]> | null = null;
  return {
    has: (handoff: Handoff, name: string) => known.get(handoff)?.has(name) === true,

    /** The variable, read where aliases read it on leaving nodes. */
    addTo: (variable: Variable): Variable => {
      const nodes = leaving.get(variable.name);
      if (nodes === undefined) return variable;
      return { ...variable, conditionReads: [...variable.conditionReads, ...nodes] };
    },

    /** Takes in what crosses; gives the variables that are read by a handoff for the first time. */
    note: (carried: readonly Carried[]): Set<string> => {
      const fresh = new Set<string>();
      for (const { handoff, from, crossing } of carried) {
        const alias = aliasAmong(crossing.captures)?.capture.alias;
        if (alias === undefined) continue;
        const names = known.get(handoff) ?? new Set();
        known.set(handoff, names);
        // Equal nodes are left by the same handoffs.
        twins ??= groupBy(order, (node) => representative[node]! as NodeIndex);
        for (const { name } of alias.uses) {
          if (names.has(name)) continue;
          names.add(name);
          fresh.add(name);
          for (const node of from) for (const twin of twins.get(node)!) append(leaving, name, twin);
        }
      }
      return fresh;
    },
  };
}
