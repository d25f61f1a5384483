/**
 * What crosses with each handoff (DESIGN section 4, "Plan").
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
 * plans are made until no read is new; there is an end to variables, nodes and handoffs.
 */
import { append } from '../graph/lists.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { CaptureSite, Variable, VariableFlow } from '../ir/variable-flow.js';
import type { Text } from '../ir/workflow.js';
import { aliasAmong, collectReads, type Derivations } from './derivations.js';
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
  const regions = map.regions.map((region) => createRegion(graph, region));
  const holders = listHolders(regions);
  let derivations: Derivations<Step | string> = collectReads([]);
  for (;;) {
    const round = planAll(regions, holders, flow, derivations);
    const found = collectReads(listDerived(graph, round));
    if (found.count === derivations.count) return toPlans(round);
    derivations = found;
  }
}

/** What crosses with each step, and with each handoff to a global node. */
interface Round {
  readonly steps: Map<Step, Crossing[]>;
  readonly globals: Map<string, Crossing[]>;
  readonly variables: Variable[];
  readonly regions: readonly PlannedRegion[];
}

function planAll(
  regions: readonly PlannedRegion[],
  holders: ReadonlyMap<NodeIndex, readonly PlannedRegion[]>,
  flow: VariableFlow,
  derivations: Derivations<Step | string>,
): Round {
  const round: Round = { steps: new Map(), globals: new Map(), variables: [], regions };
  for (const variable of flow.variables.values()) {
    const sites = variable.captures.flatMap(({ node }) => holders.get(node) ?? []);
    const capturing = new Set(sites.filter(canBeLeft));
    if (capturing.size === 0) continue;
    const derived = derivations.nodesOf(variable.name);
    const conditionReads = [...variable.conditionReads, ...derived];
    const live = flow.liveIn(derived.length === 0 ? variable : { ...variable, conditionReads });
    let crosses = false;
    for (const region of capturing) {
      crosses = planRegion(region, variable, live, derivations, round) || crosses;
    }
    if (crosses) round.variables.push(variable);
  }
  return round;
}

function toPlans({ steps, globals, variables }: Round): Plans {
  return {
    ofStep: (step) => steps.get(step) ?? [],
    ofGlobal: (region, global) => globals.get(keyOf(region, global)) ?? [],
    variables,
  };
}

/** The aliases that cross; one that crosses to a global node does so from everywhere inside. */
function* listDerived({ workflow }: FlowGraph, { steps, globals, regions }: Round) {
  for (const [handoff, crossings] of steps) {
    for (const value of listAliases(crossings)) yield { handoff, nodes: [handoff.from], value };
  }
  for (const { region, globals: out } of regions) {
    const nodes = region.nodes.filter((node) => workflow.nodes[node]!.role !== 'exit');
    for (const global of out) {
      const handoff = keyOf(region.index, global);
      const values = listAliases(globals.get(handoff) ?? []);
      for (const value of values) yield { handoff, nodes, value };
    }
  }
}

function listAliases(crossings: readonly Crossing[]): Text[] {
  return crossings.flatMap(({ captures }) => aliasAmong(captures)?.capture.alias ?? []);
}

interface PlannedRegion {
  readonly region: Region;
  readonly walks: InnerWalks;
  readonly handoffs: readonly Step[];
  /** Global nodes that other regions hold and that this one hands off to. */
  readonly globals: readonly NodeIndex[];
}

function createRegion(graph: FlowGraph, region: Region): PlannedRegion {
  const own = new Set(region.nodes);
  return {
    region,
    walks: createInnerWalks(graph, region),
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
  { region, walks, handoffs, globals: out }: PlannedRegion,
  variable: Variable,
  live: Uint8Array,
  { reads }: Derivations<Step | string>,
  { steps, globals }: Round,
): boolean {
  const { name } = variable;
  const wanted = handoffs.filter((step) => live[step.to] === 1 || reads(step, name));
  const wantedGlobals = out.filter(
    (node) => live[node] === 1 || reads(keyOf(region.index, node), name),
  );
  if (wanted.length + wantedGlobals.length === 0) return false;
  let crosses = false;
  const reach = walks.reach(variable);
  // A tool that the assistant may call at any time can have had the latest word.
  const offered = variable.offers.some((node) => region.nodes.includes(node));
  for (const step of wanted) {
    const captures = reach.at(step.from);
    if (captures.length === 0) continue;
    const mixed = offered || reach.responds(step.from);
    const missable = reach.misses(step.from);
    crosses = true;
    append(steps, step, { variable, captures, mixed, missable });
  }
  for (const global of wantedGlobals) {
    const captures = reach.anywhere();
    if (captures.length === 0) continue;
    crosses = true;
    const key = keyOf(region.index, global);
    const mixed = offered || reach.respondsAnywhere();
    append(globals, key, { variable, captures, mixed, missable: true });
  }
  return crosses;
}

function keyOf(region: RegionIndex, global: NodeIndex): string {
  return `${region} ${global}`;
}
