/**
 * An object of the source that is taken apart: what nobody took is what nobody understood.
 *
 * Exports say one thing in many ways, so no list of known fields fits them all. Each reader takes
 * the fields that it understands; `listUntaken` tells what is left. A field that is null says
 * nothing, as if it were missing.
 */
import { child, type JsonPointer } from '../../ir/ids.js';
import { isJsonObject, type Json } from '../../ir/json.js';
import { fromSource, type Traced, traced } from '../../ir/provenance.js';
import type { Absorbed, Text } from '../../ir/workflow.js';
import { has, hasOnly, readObject, readObjects, readString, type Source } from '../fields.js';
import { sortKeys } from '../sort-keys.js';
import { readText } from '../texts.js';

/** What the readers of one document share. */
export interface Ledger {
  readonly readings: Reading[];
  readonly absorbed: Absorbed[];
}

export interface Reading extends Source {
  readonly ledger: Ledger;
  readonly taken: Set<string>;
}

export function openReading(source: Source, ledger: Ledger): Reading {
  const { value, at, faults } = source;
  const reading: Reading = { value, at, faults, ledger, taken: new Set() };
  ledger.readings.push(reading);
  return reading;
}

/** The first of the fields that is given, which counts as taken; null where none is. */
export function take(reading: Reading, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    if (!has(reading, field)) continue;
    reading.taken.add(field);
    return field;
  }
  return null;
}

export function takeString(reading: Reading, ...fields: readonly string[]): string | null {
  const field = take(reading, ...fields);
  return field === null ? null : readString(reading, field);
}

export function takeText(reading: Reading, ...fields: readonly string[]): Text | null {
  const field = take(reading, ...fields);
  return field === null ? null : readText(reading, field);
}

/** The object in a field, to be taken apart in its turn. */
export function takeInside(reading: Reading, ...fields: readonly string[]): Reading | null {
  const field = take(reading, ...fields);
  const value = field === null ? null : readObject(reading, field);
  if (value === null) return null;
  const { faults, ledger } = reading;
  return openReading({ value, at: child(reading.at, field!), faults }, ledger);
}

/** The objects in a list, each to be taken apart. */
export function takeInsides(reading: Reading, field: string): Reading[] {
  reading.taken.add(field);
  return readObjects(reading, field).map((it) => openReading(it, reading.ledger));
}

/** A value that is carried as it is. */
export function takeValue(reading: Reading, field: string): Traced<Json> | null {
  if (take(reading, field) === null) return null;
  return traced(sortKeys(reading.value[field]!), fromSource(child(reading.at, field)));
}

/** Takes all of the object, so that nothing in it is left. */
export function takeWhole({ taken, value }: Reading): void {
  for (const field of Object.keys(value)) taken.add(field);
}

/** Takes fields that say nothing about calls; the ledger keeps them. */
export function absorb(reading: Reading, fields: readonly string[], reason: string): void {
  for (const field of fields) {
    if (take(reading, field) === null) continue;
    reading.ledger.absorbed.push({ at: child(reading.at, field), kind: 'field', reason });
  }
}

/** Places of the fields that nobody took. */
export function listUntaken({ readings }: Ledger): JsonPointer[] {
  const untaken: JsonPointer[] = [];
  for (const reading of readings) {
    if (hasOnly(reading, reading.taken)) continue;
    for (const field of Object.keys(reading.value).sort()) {
      const isLeft = has(reading, field) && !reading.taken.has(field);
      if (isLeft && !isEmpty(reading.value[field]!)) untaken.push(child(reading.at, field));
    }
  }
  return untaken;
}

/** Exports write out lists and texts that hold nothing. */
function isEmpty(value: Json): boolean {
  if (value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}
