/** The regions whose handoffs are planned: those that a call can leave. */
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { once } from '../ir/once.js';
import type { Region, RegionMap, Step } from '../ir/region-map.js';
import type { Variable } from '../ir/variable-flow.js';
import { createDefinitions } from './definitions.js';
import { createInnerWalks, type Reach } from './inner-walks.js';

/** A region that can be left. */
export interface PlannedRegion {
  readonly region: Region;
  readonly handoffs: readonly Step[];
  /** Global nodes that other regions hold and that this one hands off to. */
  readonly globals: readonly NodeIndex[];
  /** Walks inside, looked at when something is found to be read behind them. */
  readonly reach: (variable: Variable) => Reach;
}

export function listPlanned(graph: FlowGraph, { regions }: RegionMap): PlannedRegion[] {
  const planned: PlannedRegion[] = [];
  const { nodes } = graph.workflow;
  const definitions = createDefinitions(graph);
  const talking = graph.globals.filter((node) => nodes[node]!.role !== 'exit');
  for (const region of regions) {
    const handoffs = handoffsOf(region);
    const globals = talking.length === 0 ? talking : listOthers(talking, region);
    if (handoffs.length + globals.length === 0) continue;
    const walks = once(() => createInnerWalks(graph, region, definitions));
    const reach = (variable: Variable) => walks().reach(variable);
    planned.push({ region, handoffs, globals, reach });
  }
  return planned;
}

/** Often these are all steps that there are. */
function handoffsOf({ steps }: Region): readonly Step[] {
  return steps.every(isHandoff) ? steps : steps.filter(isHandoff);
}

function isHandoff({ kind }: Step): boolean {
  return kind === 'handoff';
}

function listOthers(globals: readonly NodeIndex[], region: Region): readonly NodeIndex[] {
  const own = new Set(region.globals);
  return globals.filter((node) => !own.has(node));
}

/** For each node that captures something the regions that hold it, as far as they can be left. */
export type Holders = readonly (readonly PlannedRegion[] | undefined)[];

export function listHolders({ workflow: { nodes } }: FlowGraph, regions: PlannedRegion[]): Holders {
  const holders: (PlannedRegion[] | undefined)[] = Array.from(nodes, () => undefined);
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
