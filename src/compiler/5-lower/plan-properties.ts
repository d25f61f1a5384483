/** What crosses → properties and aliases of a plan. */
import { withItem } from '../../graph/lists.js';
import type { JsonPointer } from '../ir/ids.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { Composition, PlanAlias, PlanProperty } from '../ir/squad-ir.js';
import type { CaptureSite } from '../ir/variable-flow.js';
import type { Capture, Text, VariableType } from '../ir/workflow.js';
import { aliasAmong, foundAmong } from './derivations.js';
import type { Crossing } from './plans.js';
import { composed, eitherOf, originOf, originOfName, quotation, segment } from './segments.js';

export function planProperties(crossings: readonly Crossing[]): readonly PlanProperty[] {
  let properties = noProperties;
  for (const { variable, captures: all } of crossings) {
    const captures = foundAmong(variable, all);
    if (captures.length === 0) continue;
    properties = withItem(properties, planProperty(variable.name, captures));
  }
  return properties;
}

const noProperties: readonly PlanProperty[] = [];

function planProperty(name: string, captures: readonly CaptureSite[]): PlanProperty {
  const { type } = captures[0]!.capture;
  const isOne = captures.every(({ capture }) => capture.type === type);
  const places = captures.map(({ capture }) => capture.at);
  return {
    name,
    type: isOne ? type : 'string',
    description: describe(name, captures, places),
    enum: isOne ? commonEnum(captures) : null,
    details: isOne ? commonDetails(captures) : null,
    captures: places,
  };
}

/** What is derived; an alias stands behind those that it reads, as far as they are no circle. */
export function planAliases(crossings: readonly Crossing[]): readonly PlanAlias[] {
  const derived = crossings.filter(({ captures }) => aliasAmong(captures) !== null);
  if (derived.length === 0) return none;
  const aliases = new Map(
    derived.map((it) => [it.variable.name, aliasAmong(it.captures)!.capture] as const),
  );
  return putReadFirst(aliases).map((capture) => ({
    key: traced(capture.name, originOfName(capture)),
    value: traced(capture.alias!.value, originOf(capture.alias!)),
  }));
}

const none: readonly PlanAlias[] = [];

/** Chains of aliases can be long, so the search keeps its own stack. */
function putReadFirst(aliases: ReadonlyMap<string, Capture>): readonly Capture[] {
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

/** The types, each once. */
export function typesOf(captures: readonly CaptureSite[]): readonly VariableType[] {
  let types = noTypes;
  for (const { capture } of captures) {
    if (!types.includes(capture.type)) types = withItem(types, capture.type);
  }
  return types;
}

const noTypes: readonly VariableType[] = [];

function describe(
  name: string,
  captures: readonly CaptureSite[],
  places: readonly JsonPointer[],
): Composition {
  const { description } = captures[0]!.capture;
  if (captures.length === 1 && description !== null) return quotation(description);
  let described = noTexts;
  for (const { capture } of captures) {
    if (capture.description !== null) described = withItem(described, capture.description);
  }
  if (described.length > 0) return eitherOf(described);
  return composed([segment(name, synthesized('named-after-variable', places))]);
}

const noTexts: readonly Text[] = [];

/** All values that the captures allow; one without an enumeration allows any. */
function commonEnum(captures: readonly CaptureSite[]): readonly string[] | null {
  if (captures.some(({ capture }) => capture.enum === null)) return null;
  return [...new Set(captures.flatMap(({ capture }) => capture.enum ?? []))];
}

/** What all captures say alike. */
function commonDetails(captures: readonly CaptureSite[]): PlanProperty['details'] {
  const { details } = captures[0]!.capture;
  const saysAlike = ({ capture }: CaptureSite) =>
    capture.details === details || keyOfDetails(capture) === keyOfDetails(captures[0]!.capture);
  return captures.every(saysAlike) ? details : null;
}

function keyOfDetails({ details }: Capture): string {
  return JSON.stringify(details?.value ?? null);
}
