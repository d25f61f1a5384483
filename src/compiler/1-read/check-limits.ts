/** What the target allows of the source's texts. */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer, NodeIndex } from '../ir/ids.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import type { ResponseVariable, Transfer, Workflow } from '../ir/workflow.js';

/** How long the number of a transfer may be on the platform. */
const numberLength = { least: 3, most: 40 };

/** How long the value of an alias may be, in both targets. */
const maxAliasValue = 10_000;

export function checkLimits(
  workflow: Workflow,
  reachable: readonly NodeIndex[],
  target: Target,
): Diagnostic[] {
  const faults: Diagnostic[] = [];
  for (const node of reachable) {
    const { transfer, request, captures } = workflow.nodes[node]!;
    if (transfer !== null && target === 'vapi') checkNumber(transfer, faults);
    if (request !== null) for (const response of request.responses) checkAlias(response, faults);
    for (const { alias } of captures) {
      if (alias !== undefined) checkLength(alias.value, maxAliasValue, 'value', alias.at, faults);
    }
  }
  return faults;
}

function checkNumber({ destination }: Transfer, faults: Diagnostic[]): void {
  if (destination?.value.type !== 'number' || destination.origin.kind !== 'source') return;
  const { length } = [...destination.value.number];
  const { least, most } = numberLength;
  if (length >= least && length <= most) return;
  const args = {
    field: 'destination',
    expected: `a number of ${least} to ${most} characters`,
    found: `${length} characters long`,
  };
  faults.push(diagnose('shape/wrong-type', destination.origin.at, args));
}

function checkAlias({ path, value, sourceAt }: ResponseVariable, faults: Diagnostic[]): void {
  // A path stands between the marks of an output.
  const marks = path.startsWith('[') ? '{{ $ }}' : '{{ $. }}';
  const [text, most] =
    value === null ? [path, maxAliasValue - marks.length] : [value.value, maxAliasValue];
  checkLength(text, most, value === null ? 'path' : 'value', sourceAt, faults);
}

function checkLength(
  text: string,
  most: number,
  field: string,
  at: JsonPointer,
  faults: Diagnostic[],
): void {
  // Most are far from it, and need no counting.
  const length = text.length > most ? [...text].length : 0;
  if (length <= most) return;
  const args = {
    field,
    expected: `a text of at most ${most} characters`,
    found: `${length} characters long`,
  };
  faults.push(diagnose('shape/wrong-type', at, args));
}
