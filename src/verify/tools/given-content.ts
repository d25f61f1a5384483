/** What the tools that a squad has do. */
import type { Json } from '../../compiler/ir/json.js';
import { isE164 } from '../../compiler/ir/phone-numbers.js';
import { elements, objectOf, type Tool, textOf } from '../squad-reading.js';
import {
  type Alias,
  apart,
  type Content,
  destinationField,
  type Fields,
  parametersField,
  pathOf,
  putResponses,
  sortStatic,
} from './content.js';

/** Fields that a squad may have from elsewhere without doing other things. */
export const harmless: ReadonlySet<string> = new Set(['messages', 'backoffPlan']);

/** What a tool of the squad does; `exact`: squadc itself writes nothing beside what is wanted. */
export function contentOfTool({ type, value }: Tool, wrapped: boolean, exact: boolean): Content {
  const fields: Fields = new Map();
  for (const name of Object.keys(value)) {
    const part = value[name]!;
    if (apart.has(name) || (!exact && harmless.has(name))) continue;
    if (name === 'function' && type === 'function') {
      const { parameters } = objectOf(part);
      if (parameters !== undefined) fields.set(parametersField, parameters);
    } else if (name === 'server' && type === 'function') {
      // Whoever implements the tool says where.
    } else if (name === 'destinations' && type === 'transferCall') {
      readTransfer(fields, elements(part), wrapped, exact);
    } else if (name === 'variableExtractionPlan') {
      readPlan(fields, part);
    } else if (name === 'parameters') {
      fields.set(name, sortStatic(elements(part)));
    } else {
      fields.set(name, part);
    }
  }
  return { type, fields };
}

function readTransfer(
  fields: Fields,
  destinations: readonly Json[],
  wrapped: boolean,
  exact: boolean,
): void {
  if (destinations.length === 0) fields.set('destinations', 0);
  destinations.map(objectOf).forEach((destination, index) => {
    const at = destinationField(index);
    for (const name of Object.keys(destination)) {
      if (name !== 'description') fields.set(`${at}/${name}`, destination[name]!);
    }
    if (exact || wrapped) return;
    const plan = objectOf(destination['transferPlan']);
    // A transfer that nobody announces is what the platform does by itself.
    fields.set(`${at}/transferPlan`, { mode: 'blind-transfer', ...plan });
    const check = `${at}/numberE164CheckEnabled`;
    if (isE164(textOf(destination['number']) ?? '')) fields.delete(check);
  });
}

/** The aliases of a response's plan; a plan that does more is another value. */
function readPlan(fields: Fields, plan: Json): void {
  const { aliases, ...others } = objectOf(plan);
  const read = elements(aliases).map((alias): Alias => {
    const { key, value } = objectOf(alias);
    return [textOf(key) ?? '', pathOf(textOf(value) ?? '')];
  });
  const { schema = null, ...more } = others;
  if (Object.keys(more).length > 0) fields.set('variableExtractionPlan', { ...others, read });
  else putResponses(fields, schema, read);
}
