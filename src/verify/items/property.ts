/** A variable as what a model is asked for, by its captures. */
import { describe } from '../../compiler/ir/prompt.js';
import { synthesized, traced } from '../../compiler/ir/provenance.js';
import type { PlanProperty } from '../../compiler/ir/squad-ir.js';
import type { Capture } from '../../compiler/ir/workflow.js';
import { isSame } from '../../text/parts.js';

/** What the model is asked for: as in the captures, if they agree. */
export function propertyOf(name: string, found: readonly Capture[]): PlanProperty {
  const [first, ...others] = found as [Capture, ...Capture[]];
  const isOne = others.every(({ type }) => type === first.type);
  const isAlike = others.every(({ details }) => isSame(details?.value, first.details?.value));
  const texts = found.flatMap(({ description }) => description ?? []);
  const isListed = isOne && found.every((it) => it.enum !== null);
  return {
    name,
    type: isOne ? first.type : 'string',
    description: texts.length > 0 ? describe(texts) : traced(name, synthesized('variable-name')),
    enum: isListed ? [...new Set(found.flatMap((it) => it.enum ?? []))] : null,
    details: isOne && isAlike ? first.details : null,
    captures: found.map(({ at }) => at),
  };
}
