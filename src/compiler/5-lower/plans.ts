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
 * aliases are looked at first, and anew where they are newly read; it ends because no handoff reads a
 * variable for the first time twice. Then it is known what is read, and each variable is planned.
 */
import { append, extend, groupBy } from '../../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import { once } from '../ir/once.js';
import type { HandoffStep, Region, RegionMap } from '../ir/region-map.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import {
  type AliasReads,
  aliasAmong,
  createAliasReads,
  isAlias,
  nothingRead,
} from './derivations.js';
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
  readonly ofStep: (step: HandoffStep) => readonly Crossing[];
  readonly ofGlobal: (region: RegionIndex, global: NodeIndex) => readonly Crossing[];
  /** Every variable that crosses somewhere, once. */
  readonly variables: readonly Variable[];
}

export function computePlans(graph: FlowGraph, flow: VariableFlow, map: RegionMap): Plans {
  const regions = listPlanned(graph, map);
  if (regions.length === 0) return noPlans;
  const planning: Planning = { holders: listHolders(graph, regions), flow };
  const derived = listDerived(flow);
  const reads = derived.size === 0 ? nothingRead : settleReads(planning, derived, graph, map);
  const crossings = new Crossings(countHandoffs(regions));
  for (const variable of flow.variables.values())
    planVariable(planning, variable, reads, crossings);
  return crossings;
}

const nothing: readonly never[] = [];

const noPlans: Plans = { ofStep: () => nothing, ofGlobal: () => nothing, variables: nothing };

interface Planning {
  readonly holders: Holders;
  readonly flow: VariableFlow;
}

/** An edge to another assistant, or what stands for the handoffs to a global node. */
type Handoff = HandoffStep | string;

/** Which variables the aliases read that cross. */
type Reads = Pick<AliasReads<Handoff>, 'reads' | 'nodesOf'>;

/** Takes in what crosses with the handoffs. */
interface Taker {
  /** `from` is the node that is left; null where any of the region can be. */
  take(handoff: Handoff, region: Region, from: NodeIndex | null, crossing: Crossing): void;
}

/** What crosses, by the handoffs. */
class Crossings implements Plans, Taker {
  readonly variables: Variable[] = [];
  private readonly bySteps: (Crossing[] | undefined)[];
  private byGlobals: Map<string, Crossing[]> | null = null;

  constructor(handoffs: number) {
    this.bySteps = new Array<Crossing[] | undefined>(handoffs).fill(undefined);
  }

  take(handoff: Handoff, _: Region, __: NodeIndex | null, crossing: Crossing): void {
    const { variables, bySteps } = this;
    // What crosses is taken in variable by variable.
    if (variables[variables.length - 1] !== crossing.variable) variables.push(crossing.variable);
    if (typeof handoff === 'string') {
      this.byGlobals ??= new Map();
      append(this.byGlobals, handoff, crossing);
      return;
    }
    const known = bySteps[handoff.number];
    if (known === undefined) bySteps[handoff.number] = [crossing];
    else known.push(crossing);
  }

  ofStep({ number }: HandoffStep): readonly Crossing[] {
    return this.bySteps[number] ?? nothing;
  }

  ofGlobal(region: RegionIndex, global: NodeIndex): readonly Crossing[] {
    return this.byGlobals?.get(keyOf(region, global)) ?? nothing;
  }
}

function countHandoffs(regions: readonly PlannedRegion[]): number {
  let count = 0;
  for (const { handoffs } of regions) count += handoffs.length;
  return count;
}

/** The variables that a handoff may derive. */
function listDerived({ variables }: VariableFlow): ReadonlySet<Variable> {
  let derived: Set<Variable> | null = null;
  for (const variable of variables.values()) {
    if (!variable.captures.some(isAlias)) continue;
    derived ??= new Set();
    derived.add(variable);
  }
  return derived ?? noVariables;
}

const noVariables: ReadonlySet<Variable> = new Set();

/** What the aliases read that cross, among them those that cross because others read them. */
function settleReads(
  planning: Planning,
  derived: ReadonlySet<Variable>,
  graph: FlowGraph,
  map: RegionMap,
): Reads {
  const { variables } = planning.flow;
  const reads = createAliasReads<Handoff>();
  const nodesOf = createTwins(graph, map);
  let pending = derived;
  while (pending.size > 0) {
    const noted = new NotedReads(reads, nodesOf);
    for (const variable of pending) planVariable(planning, variable, reads, noted);
    const read = noted.names.map((name) => variables.get(name)!);
    pending = new Set(read.filter((variable) => derived.has(variable)));
  }
  return reads;
}

/** The variables that aliases are the first to read at their handoffs. */
class NotedReads implements Taker {
  readonly names: string[] = [];

  constructor(
    private readonly reads: AliasReads<Handoff>,
    private readonly nodesOf: NodesOf,
  ) {}

  take(handoff: Handoff, region: Region, from: NodeIndex | null, { captures }: Crossing): void {
    const alias = aliasAmong(captures)?.capture.alias;
    if (alias === undefined) return;
    const nodes = this.nodesOf(from === null ? region.nodes : [from]);
    extend(this.names, this.reads.note(handoff, nodes, alias));
  }
}

function planVariable(
  { holders, flow }: Planning,
  variable: Variable,
  reads: Reads,
  taker: Taker,
): void {
  const capturing = listCapturing(holders, variable);
  if (capturing.length === 0) return;
  const live = flow.liveIn(withReads(variable, reads.nodesOf(variable.name)));
  for (const planned of capturing) planRegion(planned, variable, live, reads, taker);
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

/** The nodes and those that are equal to them, which are left by the same handoffs. */
type NodesOf = (nodes: readonly NodeIndex[]) => NodeIndex[];

function createTwins({ order }: FlowGraph, { representative }: RegionMap): NodesOf {
  const twins = once(() => groupBy(order, (node) => representative[node]! as NodeIndex));
  return (nodes) => nodes.flatMap((node) => twins().get(node) ?? []);
}

/** Takes in what the region hands over of the variable. */
function planRegion(
  planned: PlannedRegion,
  variable: Variable,
  live: Uint8Array,
  { reads }: Reads,
  taker: Taker,
): void {
  const { region, handoffs, globals } = planned;
  const { name } = variable;
  let reach: Reach | null = null;
  let left: NodeIndex | null = null;
  let crossing: Crossing | null = null;
  for (const step of handoffs) {
    if (live[step.to] !== 1 && !reads(step, name)) continue;
    reach ??= planned.reach(variable);
    // The steps out of a node stand together, and the same crosses by each of them.
    if (step.from !== left) crossing = crossingAt(step.from, region, variable, reach);
    left = step.from;
    if (crossing !== null) taker.take(step, region, left, crossing);
  }
  for (const node of globals) {
    const handoff = keyOf(region.index, node);
    if (live[node] !== 1 && !reads(handoff, name)) continue;
    reach ??= planned.reach(variable);
    const captures = reach.anywhere();
    if (captures.length === 0) continue;
    const mixed = reach.respondsAnywhere() || isOffered(region, variable);
    taker.take(handoff, region, null, { variable, captures, mixed, missable: true });
  }
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
