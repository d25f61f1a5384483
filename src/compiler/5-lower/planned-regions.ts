/** The regions whose handoffs are planned: those that a call can leave. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import type { HandoffStep, Region, RegionMap, Step } from '../ir/region-map.js';
import type { Variable } from '../ir/variable-flow.js';
import { createDefinitions } from './definitions.js';
import { createInnerWalks, type InnerWalks, type Reach } from './inner-walks.js';

/** A region that can be left. */
export class PlannedRegion {
  private walks: InnerWalks | null = null;

  constructor(
    readonly region: Region,
    readonly handoffs: readonly HandoffStep[],
    /** Global nodes that other regions hold and that this one hands off to. */
    readonly globals: readonly NodeIndex[],
    private readonly openWalks: (region: Region) => InnerWalks,
  ) {}

  /** Walks inside, looked at when something is found to be read behind them. */
  reach(variable: Variable): Reach {
    this.walks ??= this.openWalks(this.region);
    return this.walks.reach(variable);
  }
}

export function listPlanned(graph: FlowGraph, { regions }: RegionMap): PlannedRegion[] {
  const planned: PlannedRegion[] = [];
  const { nodes } = graph.workflow;
  const definitions = createDefinitions(graph);
  const openWalks = (region: Region) => createInnerWalks(graph, region, definitions);
  const talking = graph.globals.filter((node) => nodes[node]!.role !== 'exit');
  for (const region of regions) {
    const handoffs = listHandoffs(region.steps);
    const globals = talking.length === 0 ? talking : listOthers(talking, region);
    if (handoffs.length + globals.length === 0) continue;
    planned.push(new PlannedRegion(region, handoffs, globals, openWalks));
  }
  return planned;
}

/** Often these are all steps that there are. */
export function listHandoffs(steps: readonly Step[]): readonly HandoffStep[] {
  return steps.every(isHandoff) ? steps : steps.filter(isHandoff);
}

function isHandoff(step: Step): step is HandoffStep {
  return step.kind === 'handoff';
}

function listOthers(globals: readonly NodeIndex[], region: Region): readonly NodeIndex[] {
  const own = new Set(region.globals);
  return globals.filter((node) => !own.has(node));
}

/** For each node that captures something the regions that hold it, as far as they can be left. */
export type Holders = readonly (readonly PlannedRegion[] | undefined)[];

export function listHolders({ workflow: { nodes } }: FlowGraph, regions: PlannedRegion[]): Holders {
  const holders = new Array<PlannedRegion[] | undefined>(nodes.length).fill(undefined);
  for (const planned of regions) {
    for (const node of planned.region.nodes) {
      if (nodes[node]!.captures.length === 0) continue;
      const known = holders[node];
      if (known === undefined) holders[node] = [planned];
      else known.push(planned);
    }
  }
  return holders;
}
