/** What crosses → properties of an extraction plan (DESIGN section 4, "A plan's schema"). */
import { synthesized } from '../ir/provenance.js';
import type { PlanProperty, Segment } from '../ir/squad-ir.js';
import type { CaptureSite } from '../ir/variable-flow.js';
import type { Crossing } from './plans.js';
import { join, quoted, segment, unique } from './segments.js';

export function planProperties(crossings: readonly Crossing[]): PlanProperty[] {
  return crossings.map(({ variable, captures }) => {
    const types = typesOf(captures);
    return {
      name: variable.name,
      type: types.length === 1 ? types[0]! : 'string',
      description: describe(variable.name, captures),
      enum: types.length === 1 ? commonEnum(captures) : null,
      details: types.length === 1 ? commonDetails(captures) : null,
      captures: captures.map(({ capture }) => capture.at),
    };
  });
}

export function typesOf(captures: readonly CaptureSite[]) {
  return [...new Set(captures.map(({ capture }) => capture.type))];
}

function describe(name: string, captures: readonly CaptureSite[]): Segment[] {
  const described = captures.flatMap(({ capture }) =>
    capture.description === null ? [] : [[quoted(capture.description)]],
  );
  if (described.length > 0) return join(unique(described), '; or ');
  const from = captures.map(({ capture }) => capture.at);
  return [segment(name, synthesized('named-after-variable', from))];
}

/** All values that the captures allow; one without an enumeration allows any. */
function commonEnum(captures: readonly CaptureSite[]): readonly string[] | null {
  const lists = captures.map(({ capture }) => capture.enum);
  if (lists.some((list) => list === null)) return null;
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/** What all captures say alike. */
function commonDetails(captures: readonly CaptureSite[]): PlanProperty['details'] {
  const [first, ...others] = captures.map(({ capture }) => capture.details);
  const key = JSON.stringify(first?.value ?? null);
  const isCommon = others.every((other) => JSON.stringify(other?.value ?? null) === key);
  return isCommon ? (first ?? null) : null;
}
