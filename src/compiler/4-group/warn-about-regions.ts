/** Assistants that go to and fro only because a global node can be entered from anywhere. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { type FlowGraph, Kind } from '../ir/flow-graph.js';
import type { NodeIndex, RegionIndex } from '../ir/ids.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';

export function warnAboutRegions(graph: FlowGraph, map: RegionMap): Diagnostic[] {
  if (graph.globals.length === 0) return [];
  const isGlobal = (node: NodeIndex) => (graph.kinds[node]! & Kind.global) !== 0;
  const entered = map.regions.filter((region) => region.entries.some(isGlobal));
  const after = map.regions.map(listNext);
  return entered.flatMap((region) => {
    const back = new Set(after[region.index]);
    // Two regions with global nodes lead to each other; the later one reports the pair.
    for (const other of entered) if (other.index < region.index) back.add(other.index);
    // Where an explicit edge leads there, it is the edge that goes to and fro.
    return [...back]
      .filter((other) => !after[other]!.has(region.index))
      .map((other) => {
        const to = graph.workflow.nodes[region.globals[0]!]!;
        const from = graph.workflow.nodes[map.regions[other]!.first]!;
        const more = { related: [from.at] };
        return diagnose('flow/global-returns', to.at, { from: from.id, to: to.id }, more);
      });
  });
}

/** The regions that explicit edges lead to. */
function listNext({ steps }: Region): ReadonlySet<RegionIndex> {
  const next = new Set<RegionIndex>();
  for (const step of steps) if (step.kind === 'handoff') next.add(step.region);
  return next;
}
