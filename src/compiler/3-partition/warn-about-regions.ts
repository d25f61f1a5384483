/** Assistants that go to and fro only because a global node can be entered from anywhere. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { FlowGraph } from '../ir/flow-graph.js';
import type { RegionIndex } from '../ir/ids.js';
import type { Region, RegionMap } from '../ir/region-map.js';
import type { Diagnostic } from '../ir/result.js';

export function warnAboutRegions(graph: FlowGraph, map: RegionMap): Diagnostic[] {
  const isEntered = (region: Region) => region.globals.some((it) => region.entries.includes(it));
  const entered = map.regions.filter(isEntered);
  return entered.flatMap((region) => {
    const back = new Set<RegionIndex>();
    for (const step of region.steps) if (step.kind === 'handoff') back.add(step.region);
    // Two regions with global nodes lead to each other; the later one reports the pair.
    for (const other of entered) if (other.index < region.index) back.add(other.index);
    return [...back]
      .filter((other) => !leadsTo(map.regions[other]!, region))
      .map((other) => {
        const to = graph.workflow.nodes[region.globals[0]!]!;
        const from = graph.workflow.nodes[map.regions[other]!.first]!;
        const more = { related: [from.at] };
        return diagnose('flow/global-returns', to.at, { from: from.id, to: to.id }, more);
      });
  });
}

/** Whether an explicit edge leads there; then it is the edge that goes to and fro. */
function leadsTo(from: Region, to: Region): boolean {
  return from.steps.some((step) => step.kind === 'handoff' && step.region === to.index);
}
