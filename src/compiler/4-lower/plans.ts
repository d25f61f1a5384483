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
import { append, extend, groupBy, withItem } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import { once } from '../ir/once.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import { type AliasReads, aliasAmong, createAliasReads, isAlias } from './derivations.js';
import type { Reach } from './inner-walks.js';
import { type Holders, listHolders, listPlanned, type PlannedRegion } from './planned-regions.js';

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
  const regions = listPlanned(graph, map);
  if (regions.length === 0) return noPlans;
  const holders = listHolders(graph, regions);
  const nodesOf = createTwins(graph, map);
  const reads = createAliasReads<Handoff>();
  const found = new Map<Variable, readonly Placed[]>();
  let pending: Iterable<Variable> = flow.variables.values();
  for (let isOpen = true; isOpen; ) {
    const next = new Set<Variable>();
    for (const variable of pending) {
      const placed = planVariable(holders, flow, variable, reads);
      if (placed.length === 0) continue;
      found.set(variable, placed);
      if (!variable.captures.some(isAlias)) continue;
      for (const name of noteReads(placed, reads, nodesOf)) next.add(flow.variables.get(name)!);
    }
    pending = next;
    isOpen = next.size > 0;
  }
  return found.size === 0 ? noPlans : toPlans(flow, found);
}

const nothing: readonly never[] = [];

const noPlans: Plans = { ofStep: () => nothing, ofGlobal: () => nothing, variables: nothing };

/** An edge to another assistant, or what stands for the handoffs to a global node. */
type Handoff = Step | string;

/** What crosses with a handoff, and the node that is left; null where any of the region can be. */
interface Placed {
  readonly handoff: Handoff;
  readonly region: Region;
  readonly from: NodeIndex | null;
  readonly crossing: Crossing;
}

function planVariable(
  holders: Holders,
  flow: VariableFlow,
  variable: Variable,
  reads: AliasReads<Handoff>,
): readonly Placed[] {
  const capturing = listCapturing(holders, variable);
  if (capturing.length === 0) return nothing;
  const live = flow.liveIn(withReads(variable, reads.nodesOf(variable.name)));
  let placed: readonly Placed[] = nothing;
  for (const planned of capturing) placed = planRegion(planned, variable, live, reads, placed);
  return placed;
}

/** The variable as it is where aliases read it on leaving these nodes. */
function withReads(variable: Variable, nodes: readonly NodeIndex[]): Variable {
  if (nodes.length === 0) return variable;
  return { ...variable, conditionReads: [...variable.conditionReads, ...nodes] };
}

/** The regions that can be left with a capture of the variable. */
function listCapturing(holders: Holders, { captures }: Variable): readonly PlannedRegion[] {
  if (captures.length === 1) return holders[captures[0]!.node] ?? nothing;
  const capturing = new Set<PlannedRegion>();
  for (const { node } of captures) {
    for (const planned of holders[node] ?? nothing) capturing.add(planned);
  }
  return [...capturing];
}

/** The variables that the aliases among these are the first to read at their handoffs. */
function noteReads(
  placed: readonly Placed[],
  reads: AliasReads<Handoff>,
  nodesOf: NodesOf,
): readonly string[] {
  const names: string[] = [];
  for (const { handoff, region, from, crossing } of placed) {
    const alias = aliasAmong(crossing.captures)?.capture.alias;
    if (alias === undefined) continue;
    const nodes = nodesOf(from === null ? region.nodes : [from]);
    extend(names, reads.note(handoff, nodes, alias));
  }
  return names;
}

function toPlans(flow: VariableFlow, found: ReadonlyMap<Variable, readonly Placed[]>): Plans {
  const crossings = new Map<Handoff, Crossing[]>();
  const variables: Variable[] = [];
  for (const variable of flow.variables.values()) {
    const placed = found.get(variable);
    if (placed === undefined) continue;
    variables.push(variable);
    for (const { handoff, crossing } of placed) append(crossings, handoff, crossing);
  }
  return {
    ofStep: (step) => crossings.get(step) ?? nothing,
    ofGlobal: (region, global) => crossings.get(keyOf(region, global)) ?? nothing,
    variables,
  };
}

/** The nodes and those that are equal to them, which are left by the same handoffs. */
type NodesOf = (nodes: readonly NodeIndex[]) => NodeIndex[];

function createTwins({ order }: FlowGraph, { representative }: RegionMap): NodesOf {
  const twins = once(() => groupBy(order, (node) => representative[node]! as NodeIndex));
  return (nodes) => nodes.flatMap((node) => twins().get(node) ?? []);
}

/** `before` and what the region hands over. */
function planRegion(
  planned: PlannedRegion,
  variable: Variable,
  live: Uint8Array,
  { reads }: AliasReads<Handoff>,
  before: readonly Placed[],
): readonly Placed[] {
  const { region, handoffs, globals } = planned;
  const { name } = variable;
  let placed = before;
  let reach: Reach | null = null;
  let left: NodeIndex | null = null;
  let crossing: Crossing | null = null;
  for (const step of handoffs) {
    if (live[step.to] !== 1 && !reads(step, name)) continue;
    reach ??= planned.reach(variable);
    // The steps out of a node stand together, and the same crosses by each of them.
    if (step.from !== left) crossing = crossingAt(step.from, region, variable, reach);
    left = step.from;
    if (crossing !== null)
      placed = withItem(placed, { handoff: step, region, from: left, crossing });
  }
  for (const node of globals) {
    const handoff = keyOf(region.index, node);
    if (live[node] !== 1 && !reads(handoff, name)) continue;
    reach ??= planned.reach(variable);
    const captures = reach.anywhere();
    if (captures.length === 0) continue;
    const mixed = reach.respondsAnywhere() || isOffered(region, variable);
    const anywhere = { variable, captures, mixed, missable: true };
    placed = withItem(placed, { handoff, region, from: null, crossing: anywhere });
  }
  return placed;
}

/** What is known of the variable on leaving a node; null where no capture is the latest word. */
function crossingAt(
  from: NodeIndex,
  region: Region,
  variable: Variable,
  reach: Reach,
): Crossing | null {
  const captures = reach.at(from);
  if (captures.length === 0) return null;
  const mixed = reach.responds(from) || isOffered(region, variable);
  return { variable, captures, mixed, missable: reach.misses(from) };
}

/** A tool that the assistant may call at any time can have had the latest word. */
function isOffered({ nodes }: Region, { offers }: Variable): boolean {
  return offers.some((node) => nodes.includes(node));
}

function keyOf(region: RegionIndex, global: NodeIndex): string {
  return `${region} ${global}`;
}
