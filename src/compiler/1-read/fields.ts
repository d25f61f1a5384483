/**
 * Typed reading of the fields of one object of the source.
 *
 * Every reader returns the value, or null when the field is absent, null or empty, or of the wrong
 * type; the last is a fault. Faults are collected, never thrown, so that all come out at once.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { withItem } from '../../graph/lists.js';
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';

export interface Source {
  readonly value: JsonObject;
  readonly at: JsonPointer;
  readonly faults: Diagnostic[];
}

type TypeName = 'a text' | 'a list' | 'an object' | 'a number' | 'true or false';

export function readString(source: Source, field: string): string | null {
  const value = present(source, field);
  if (value === null || value === '') return null;
  if (typeof value === 'string') return value;
  return wrongType(source, field, 'a text', value);
}

export function readNumber(source: Source, field: string): number | null {
  const value = present(source, field);
  if (value === null || typeof value === 'number') return value;
  return wrongType(source, field, 'a number', value);
}

export function readBoolean(source: Source, field: string): boolean | null {
  const value = present(source, field);
  if (value === null || typeof value === 'boolean') return value;
  return wrongType(source, field, 'true or false', value);
}

export function readObject(source: Source, field: string): JsonObject | null {
  const value = present(source, field);
  if (value === null || isJsonObject(value)) return value;
  return wrongType(source, field, 'an object', value);
}

export function readList(source: Source, field: string): readonly Json[] | null {
  const value = present(source, field);
  if (value === null) return null;
  if (Array.isArray(value)) return value;
  return wrongType(source, field, 'a list', value);
}

/** The objects of a list; an element of another type is a fault and left out. */
export function readObjects(source: Source, field: string): readonly Source[] {
  const list = readList(source, field);
  if (list === null || list.length === 0) return noSources;
  const { faults } = source;
  // There may be thousands of elements, and their pointers begin alike.
  const base = `${child(source.at, field)}/`;
  let objects = noSources;
  for (let index = 0; index < list.length; index++) {
    const value = list[index];
    const at = base + index;
    if (isJsonObject(value)) objects = withItem(objects, { value, at, faults });
    else faults.push(diagnoseElement(field, index, at, value));
  }
  return objects;
}

const noSources: readonly Source[] = [];

function diagnoseElement(field: string, index: number, at: JsonPointer, value: unknown) {
  const args = { field: `${field}[${index}]`, expected: 'an object', found: nameType(value) };
  return diagnose('shape/wrong-type', at, args);
}

/** A text that the source must give; its absence is a fault. */
export function requireString(source: Source, field: string, of: string): string | null {
  const value = readString(source, field);
  if (value !== null) return value;
  const raw = present(source, field);
  if (raw === null || raw === '') {
    source.faults.push(diagnose('shape/missing-field', source.at, { field, of }));
  }
  return null;
}

/** Whether the source gives the field at all. */
export function has(source: Source, field: string): boolean {
  return present(source, field) !== null;
}

/** Whether the source has no field but these, as nearly every source does. */
export function hasOnly(source: Source, known: ReadonlySet<string>): boolean {
  for (const field in source.value) if (!known.has(field)) return false;
  return true;
}

/** A field that no rule reads; one that was meant instead may be among those of the same object. */
export interface UnknownField {
  readonly at: JsonPointer;
  readonly field: string;
  readonly beside: JsonObject;
  readonly meant: ReadonlySet<string>;
}

const nothing: ReadonlySet<string> = new Set();

export function unknownField(source: Source, field: string, meant = nothing): UnknownField {
  return { at: child(source.at, field), field, beside: source.value, meant };
}

/** Adds the fields that no rule reads, in the order of their names. */
export function noteUnknownFields(
  source: Source,
  known: ReadonlySet<string>,
  unknown: UnknownField[],
  meant = known,
): void {
  if (hasOnly(source, known)) return;
  for (const field of Object.keys(source.value).sort()) {
    if (!known.has(field)) unknown.push(unknownField(source, field, meant));
  }
}

export function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    default:
      return 'an object';
  }
}

function present(source: Source, field: string): Json {
  const value = source.value[field];
  return value === undefined || !Object.hasOwn(source.value, field) ? null : value;
}

function wrongType(source: Source, field: string, expected: TypeName, value: Json): null {
  const at = child(source.at, field);
  const args = { field, expected, found: nameType(value) };
  source.faults.push(diagnose('shape/wrong-type', at, args));
  return null;
}
