/**
 * What crosses with each handoff.
 *
 * In: regions, and per variable its captures and where it is live. Out: for each handoff the
 * variables that it carries, with the captures that reach it.
 *
 * A handoff from u to v carries x when a walk inside the assistant captures x, leaves at u with
 * that capture still the latest word on x, and x is live on entry to v. Walks inside include steps
 * back to the assistant's own global nodes. A handoff to a global node can be taken anywhere, so
 * it carries what is captured anywhere inside and live on entry to it.
 *
 * An alias that crosses reads variables at the handoff: they are properties of the same plan where
 * the assistant captures them, and live on leaving the node. That can make further aliases cross, so
 * what is newly read is planned anew; it ends because no handoff reads a variable for the first time
 * twice.
 */
import { append } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import { type AliasReads, aliasAmong, createAliasReads } from './derivations.js';
import { createInnerWalks, type InnerWalks } from './inner-walks.js';

/** A variable that crosses, with the captures that reach the handoff. */
export interface Crossing {
  readonly variable: Variable;
  readonly captures: readonly CaptureSite[];
  /** Whether, on another walk, a tool's response is the latest word at the same point. */
  readonly mixed: boolean;
  /** Whether a visit can come to the handoff without having set the variable. */
  readonly missable: boolean;
}

export interface Plans {
  readonly ofStep: (step: Step) => readonly Crossing[];
  readonly ofGlobal: (region: RegionIndex, global: NodeIndex) => readonly Crossing[];
  /** Every variable that crosses somewhere, once. */
  readonly variables: readonly Variable[];
}

export function computePlans(graph: FlowGraph, flow: VariableFlow, map: RegionMap): Plans {
  const twins = listTwins(graph, map);
  const regions = map.regions.map((region) => createRegion(graph, region, twins));
  const holders = listHolders(regions);
  const reads = createAliasReads<Handoff>();
  const found = new Map<Variable, readonly Placed[]>();
  let pending: Iterable<Variable> = flow.variables.values();
  for (let isOpen = true; isOpen; ) {
    const next = new Set<Variable>();
    for (const variable of pending) {
      const placed = planVariable(holders, flow, variable, reads);
      found.set(variable, placed);
      for (const name of noteReads(placed, reads)) next.add(flow.variables.get(name)!);
    }
    pending = next;
    isOpen = next.size > 0;
  }
  return toPlans([...flow.variables.values()].map((it) => [it, found.get(it)!]));
}

/** An edge to another assistant, or what stands for the handoffs to a global node. */
type Handoff = Step | string;

/** What crosses with a handoff, and where the call can be when it does. */
interface Placed {
  readonly handoff: Handoff;
  readonly nodes: readonly NodeIndex[];
  readonly crossing: Crossing;
}

function planVariable(
  holders: ReadonlyMap<NodeIndex, readonly PlannedRegion[]>,
  flow: VariableFlow,
  variable: Variable,
  reads: AliasReads<Handoff>,
): Placed[] {
  const sites = variable.captures.flatMap(({ node }) => holders.get(node) ?? []);
  const capturing = new Set(sites.filter(canBeLeft));
  if (capturing.size === 0) return [];
  const derived = reads.nodesOf(variable.name);
  const conditionReads = [...variable.conditionReads, ...derived];
  const live = flow.liveIn(derived.length === 0 ? variable : { ...variable, conditionReads });
  return [...capturing].flatMap((region) => planRegion(region, variable, live, reads));
}

/** The variables that the aliases among these are the first to read at their handoffs. */
function noteReads(placed: readonly Placed[], reads: AliasReads<Handoff>): string[] {
  return placed.flatMap(({ handoff, nodes, crossing }) => {
    const alias = aliasAmong(crossing.captures)?.capture.alias;
    return alias === undefined ? [] : reads.note(handoff, nodes, alias);
  });
}

function toPlans(found: readonly (readonly [Variable, readonly Placed[]])[]): Plans {
  const crossings = new Map<Handoff, Crossing[]>();
  for (const [, placed] of found) {
    for (const { handoff, crossing } of placed) append(crossings, handoff, crossing);
  }
  return {
    ofStep: (step) => crossings.get(step) ?? [],
    ofGlobal: (region, global) => crossings.get(keyOf(region, global)) ?? [],
    variables: found.filter(([, placed]) => placed.length > 0).map(([variable]) => variable),
  };
}

interface PlannedRegion {
  readonly region: Region;
  readonly walks: InnerWalks;
  /** Its nodes, and those that are equal to one of them. */
  readonly inside: readonly NodeIndex[];
  readonly twins: Twins;
  readonly handoffs: readonly Step[];
  /** Global nodes that other regions hold and that this one hands off to. */
  readonly globals: readonly NodeIndex[];
}

/** For each node that stands for others, it and these; they are left by the same handoffs. */
function listTwins({ order }: FlowGraph, { representative }: RegionMap): Twins {
  const twins = new Map<NodeIndex, NodeIndex[]>();
  for (const node of order) append(twins, representative[node]! as NodeIndex, node);
  return twins;
}

type Twins = ReadonlyMap<NodeIndex, readonly NodeIndex[]>;

function createRegion(graph: FlowGraph, region: Region, twins: Twins): PlannedRegion {
  const own = new Set(region.nodes);
  return {
    region,
    walks: createInnerWalks(graph, region),
    inside: region.nodes.flatMap((node) => twins.get(node) ?? []),
    twins,
    handoffs: region.steps.filter((step) => step.kind === 'handoff'),
    globals: graph.globals.filter(
      (node) => !own.has(node) && graph.workflow.nodes[node]!.role !== 'exit',
    ),
  };
}

/** For each node the regions that hold it. */
function listHolders(regions: readonly PlannedRegion[]): Map<NodeIndex, PlannedRegion[]> {
  const holders = new Map<NodeIndex, PlannedRegion[]>();
  for (const planned of regions) {
    for (const node of planned.region.nodes) append(holders, node, planned);
  }
  return holders;
}

function canBeLeft({ handoffs, globals }: PlannedRegion): boolean {
  return handoffs.length + globals.length > 0;
}

function planRegion(
  { region, walks, inside, twins, handoffs, globals: out }: PlannedRegion,
  variable: Variable,
  live: Uint8Array,
  { reads }: AliasReads<Handoff>,
): Placed[] {
  const { name } = variable;
  const toGlobal = (node: NodeIndex) => keyOf(region.index, node);
  const wanted = handoffs.filter((step) => live[step.to] === 1 || reads(step, name));
  const wantedGlobals = out.filter((node) => live[node] === 1 || reads(toGlobal(node), name));
  if (wanted.length + wantedGlobals.length === 0) return [];
  const reach = walks.reach(variable);
  // A tool that the assistant may call at any time can have had the latest word.
  const offered = variable.offers.some((node) => region.nodes.includes(node));
  return [
    ...wanted.flatMap((step): Placed[] => {
      const captures = reach.at(step.from);
      if (captures.length === 0) return [];
      const mixed = offered || reach.responds(step.from);
      const missable = reach.misses(step.from);
      const crossing = { variable, captures, mixed, missable };
      return [{ handoff: step, nodes: twins.get(step.from)!, crossing }];
    }),
    ...wantedGlobals.flatMap((node): Placed[] => {
      const captures = reach.anywhere();
      if (captures.length === 0) return [];
      const mixed = offered || reach.respondsAnywhere();
      const crossing = { variable, captures, mixed, missable: true };
      return [{ handoff: toGlobal(node), nodes: inside, crossing }];
    }),
  ];
}

function keyOf(region: RegionIndex, global: NodeIndex): string {
  return `${region} ${global}`;
}
