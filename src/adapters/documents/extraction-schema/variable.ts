/**
 * Reads a captured variable into a draft of its field.
 *
 * In: an entry of a node's captures, as a workflow holds it: name, type, description and choices,
 * and of lists and objects what they hold, in the words of JSON Schema. Out: a draft that can be
 * joined with another capture of the same variable. Refused, since leaving it out would change what
 * is extracted: a name that a schema cannot have, a type that there is not, an object without
 * properties, more than five levels, constructs that extraction does not know.
 */
import { invalidArgument } from '../../http/api-error.js';
import { child } from './finding.js';
import { isObject, type Kind, own, readType } from './reading.js';
import { isPropertyName } from './rules/rule-5-names.js';
import { isUnsupported } from './rules/rule-8-constructs.js';

export interface Draft {
  readonly kind: Kind;
  readonly descriptions: readonly string[];
  /** Null where any value will do. */
  readonly choices: readonly string[] | null;
  readonly isDate: boolean;
  /** What a list holds. */
  readonly items: Draft | null;
  /** The properties of an object, by name. */
  readonly properties: readonly (readonly [name: string, field: Draft])[];
}

/** Objects around the variable and inside of it, the schema itself included. */
const deepest = 5;

/** How many fields and choices may still come, so that the schema is one that can be read again. */
export interface Allowance {
  parts: number;
}

export function readVariable(value: unknown, at: string, level: number, left: Allowance): Draft {
  if (!isObject(value)) return refuse(at, 'is no variable');
  spend(left, 1, at);
  const construct = Object.keys(value).find(isUnsupported);
  if (construct !== undefined) refuse(child(at, construct), 'is not supported');
  const kind = kindOf(value, at);
  return {
    kind,
    descriptions: descriptionsOf(value, at),
    choices: choicesOf(value, at, left),
    isDate: kind === 'string' && own(value, 'format') === 'date',
    items: kind === 'array' ? itemsOf(value, at, level, left) : null,
    properties: kind === 'object' ? propertiesOf(value, at, level + 1, left) : [],
  };
}

/** Nothing said is a text. */
function kindOf(value: object, at: string): Kind {
  if (own(value, 'type') === undefined) return 'string';
  return readType(value).kind ?? refuse(child(at, 'type'), 'is no type');
}

function descriptionsOf(value: object, at: string): readonly string[] {
  const given = own(value, 'description') ?? '';
  if (typeof given !== 'string') return refuse(child(at, 'description'), 'is no text');
  return given.trim() === '' ? [] : [given];
}

function choicesOf(value: object, at: string, left: Allowance): readonly string[] | null {
  const given = own(value, 'enum') ?? [];
  const place = child(at, 'enum');
  if (!Array.isArray(given)) return refuse(place, 'is no list');
  spend(left, given.length, place);
  const choices = given.filter((each) => each !== null).map((each) => choiceOf(each, place));
  return choices.length === 0 ? null : [...new Set(choices)];
}

function choiceOf(value: unknown, at: string): string {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  return isScalar ? String(value) : refuse(at, 'holds a choice that is no scalar');
}

function itemsOf(value: object, at: string, level: number, left: Allowance): Draft {
  const place = child(at, 'items');
  const items = readVariable(own(value, 'items') ?? {}, place, level, left);
  return items.kind === 'array' ? refuse(place, 'is a list in a list') : items;
}

function propertiesOf(
  value: object,
  at: string,
  level: number,
  left: Allowance,
): Draft['properties'] {
  const place = child(at, 'properties');
  const given = own(value, 'properties');
  if (level > deepest) return refuse(at, 'is nested deeper than level 5');
  if (!isObject(given) || Object.keys(given).length === 0) return refuse(place, 'is missing');
  return Object.keys(given).map((name) => {
    if (!isPropertyName(name)) refuse(place, 'holds a name that is not allowed');
    return [name, readVariable(own(given, name), child(place, name), level, left)];
  });
}

function spend(left: Allowance, parts: number, at: string): void {
  left.parts -= parts;
  if (left.parts < 0) refuse(at, 'is more than a schema should hold');
}

export function refuse(at: string, why: string): never {
  throw invalidArgument('toExtractionSchema', `variables${at} ${why}`);
}
