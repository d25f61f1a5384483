/** What crosses → properties and aliases of a plan. */
import { synthesized, traced } from '../ir/provenance.js';
import type { PlanAlias, PlanProperty, Segment } from '../ir/squad-ir.js';
import type { CaptureSite } from '../ir/variable-flow.js';
import type { Capture } from '../ir/workflow.js';
import { aliasAmong, foundAmong } from './derivations.js';
import type { Crossing } from './plans.js';
import { join, originOf, originOfName, quoted, segment, unique } from './segments.js';

export function planProperties(crossings: readonly Crossing[]): PlanProperty[] {
  return crossings.flatMap(({ variable, captures: all }) => {
    const captures = foundAmong(variable, all);
    if (captures.length === 0) return [];
    const types = typesOf(captures);
    return [
      {
        name: variable.name,
        type: types.length === 1 ? types[0]! : 'string',
        description: describe(variable.name, captures),
        enum: types.length === 1 ? commonEnum(captures) : null,
        details: types.length === 1 ? commonDetails(captures) : null,
        captures: captures.map(({ capture }) => capture.at),
      },
    ];
  });
}

/** What is derived; an alias stands behind those that it reads, as far as they are no circle. */
export function planAliases(crossings: readonly Crossing[]): PlanAlias[] {
  const aliases = new Map(
    crossings.flatMap(({ variable, captures }) => {
      const alias = aliasAmong(captures);
      return alias === null ? [] : [[variable.name, alias.capture] as const];
    }),
  );
  return putReadFirst(aliases).map((capture) => ({
    key: traced(capture.name, originOfName(capture)),
    value: traced(capture.alias!.value, originOf(capture.alias!)),
  }));
}

/** Chains of aliases can be long, so the search keeps its own stack. */
function putReadFirst(aliases: ReadonlyMap<string, Capture>): Capture[] {
  const inOrder = new Set<Capture>();
  const seen = new Set<Capture>();
  const pending = [...aliases.values()].reverse();
  for (let next = pending.at(-1); next !== undefined; next = pending.at(-1)) {
    if (seen.has(next)) {
      inOrder.add(next);
      pending.pop();
      continue;
    }
    seen.add(next);
    for (const { name } of next.alias!.uses.toReversed()) {
      const read = aliases.get(name);
      if (read !== undefined && !seen.has(read)) pending.push(read);
    }
  }
  return [...inOrder];
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
