/** A variable as a property of a plan, of arguments, or of what the model fills in. */
import { synthesized, traced } from '../ir/provenance.js';
import type { PlanProperty } from '../ir/squad-ir.js';
import { type Crossing, foundAmong } from '../ir/variables.js';
import { describe } from '../ir/wording.js';
import type { Capture } from '../ir/workflow.js';

/** Null where nothing is found out that could cross. */
export function propertyOf(crossing: Crossing): PlanProperty | null {
  const { name } = crossing.variable;
  const [first, ...others] = foundAmong(crossing).map(({ capture }) => capture);
  if (first === undefined) return null;
  const found = [first, ...others];
  const captures = found.map(({ at }) => at);
  const isOne = others.every(({ type }) => type === first.type);
  const isDetailed = others.every((it) => isSameJson(it.details, first.details));
  const choices = found.flatMap((it) => it.enum ?? []);
  const described = found.flatMap(({ description }) => description ?? []);
  return {
    name,
    type: isOne ? first.type : 'string',
    description:
      described.length > 0
        ? describe(described)
        : traced(name, synthesized('named-after-variable', captures)),
    // One without an enumeration allows any value.
    enum: isOne && found.every((it) => it.enum !== null) ? [...new Set(choices)] : null,
    details: isOne && isDetailed ? first.details : null,
    captures,
  };
}

function isSameJson(one: Capture['details'], other: Capture['details']): boolean {
  return JSON.stringify(one?.value) === JSON.stringify(other?.value);
}
