/** What the target allows of the source's texts (DESIGN section 5, "Limits"). */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import type { Workflow } from '../ir/workflow.js';

/** How long the number of a transfer may be on the platform. */
const numberLength = { least: 3, most: 40 };

export function checkLimits(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  target: Target,
): Diagnostic[] {
  if (target !== 'vapi') return [];
  return reachable.flatMap((node) => {
    const destination = workflow.nodes[node]!.transfer?.destination ?? null;
    if (destination?.value.type !== 'number' || destination.origin.kind !== 'source') return [];
    const { length } = [...destination.value.number];
    if (length >= numberLength.least && length <= numberLength.most) return [];
    const { least, most } = numberLength;
    const args = {
      field: 'destination',
      expected: `a number of ${least} to ${most} characters`,
      found: `${length} characters long`,
    };
    return [diagnose('shape/wrong-type', destination.origin.at, args)];
  });
}
