/**
 * An object of the source that is taken apart: what nobody took is what nobody understood.
 *
 * Documents say one thing in many ways, so no list of known fields fits them all. Each reader takes
 * the fields that it understands, by the names that the dialect has for them; `listUnknown` tells
 * what is left. A `take…` returns the value of the first field that is given, or null where none is,
 * where it is empty, or of the wrong type; the last is a fault. Faults are collected, never thrown,
 * so that all come out at once.
 */
import type { ArgsOf, Code } from '../../diagnostics/catalogue.js';
import { diagnose, type Placement } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import type { Absorbed, Condition, NamedSetting, Text } from '../ir/workflow.js';
import type { Vocabulary } from './dialect.js';
import { conditionAt, textAt } from './texts.js';

/** What the readers of one document share. */
export interface Ledger {
  /** The dialect's names for our fields. */
  readonly words: Vocabulary;
  readonly faults: Diagnostic[];
  readonly readings: Reading[];
  readonly absorbed: Absorbed[];
}

/** A value and where it stands. */
export interface Found<T> {
  readonly value: T;
  readonly at: JsonPointer;
}

type TypeName = 'a text' | 'a list' | 'an object' | 'a number' | 'true or false';

export class Reading implements Found<JsonObject> {
  readonly words: Vocabulary;
  readonly faults: Diagnostic[];
  readonly taken = new Set<string>();
  /** In the spec's shape the names asked for: what an unknown field may have been meant to be. */
  readonly asked: string[] = [];

  constructor(
    readonly value: JsonObject,
    readonly at: JsonPointer,
    readonly ledger: Ledger,
  ) {
    this.words = ledger.words;
    this.faults = ledger.faults;
    ledger.readings.push(this);
  }

  report<C extends Code>(code: C, at: JsonPointer, args: ArgsOf<C>, more?: Placement): void {
    this.faults.push(diagnose(code, at, args, more));
  }

  /** Whether the source gives the field at all. */
  has(field: string): boolean {
    return Object.hasOwn(this.value, field) && this.value[field] !== null;
  }

  /** The first of the fields that is given, which counts as taken. */
  take(...fields: readonly string[]): string | null {
    if (this.words.isStrict) this.asked.push(...fields);
    const given = fields.find((field) => this.has(field)) ?? null;
    if (given !== null) this.taken.add(given);
    return given;
  }

  private takeTyped<T extends Json>(
    expected: TypeName,
    fields: readonly string[],
  ): Found<T> | null {
    const field = this.take(...fields);
    if (field === null) return null;
    const value = this.value[field]!;
    const at = child(this.at, field);
    if (nameType(value) === expected) return { value: value as T, at };
    this.report('shape/wrong-type', at, { field, expected, found: nameType(value) });
    return null;
  }

  takeNumber(...fields: readonly string[]): number | null {
    return this.takeTyped<number>('a number', fields)?.value ?? null;
  }

  takeBoolean(...fields: readonly string[]): boolean | null {
    return this.takeTyped<boolean>('true or false', fields)?.value ?? null;
  }

  takeList(...fields: readonly string[]): readonly Json[] | null {
    return this.takeTyped<readonly Json[]>('a list', fields)?.value ?? null;
  }

  takeObject(...fields: readonly string[]): JsonObject | null {
    return this.takeTyped<JsonObject>('an object', fields)?.value ?? null;
  }

  /** A text that says something. */
  takeString(...fields: readonly string[]): Found<string> | null {
    const found = this.takeTyped<string>('a text', fields);
    return found?.value === '' ? null : found;
  }

  /** A text that the source must give, under one of the names; its absence is a fault. */
  requireString(of: string, ...fields: readonly string[]): Found<string> | null {
    const found = this.takeString(...fields);
    const given = fields.find((field) => this.has(field));
    if (given === undefined || this.value[given] === '') {
      this.report('shape/missing-field', this.at, { field: given ?? fields[0]!, of });
    }
    return found;
  }

  takeTraced(...fields: readonly string[]): Traced<string> | null {
    const found = this.takeString(...fields);
    return found && traced(found.value, fromSource(found.at));
  }

  takeText(...fields: readonly string[]): Text | null {
    const found = this.takeString(...fields);
    return found && textAt(found.value, found.at, this.faults);
  }

  /** White space alone says nothing. `marked`: it is an expression, whatever it looks like. */
  takeCondition(fields: readonly string[], marked = false): Condition | null {
    const found = this.takeString(...fields);
    if (found === null || found.value.trim() === '') return null;
    return conditionAt(found.value, found.at, this.faults, marked);
  }

  /** The object in a field, to be taken apart in its turn. */
  takeInside(...fields: readonly string[]): Reading | null {
    const found = this.takeTyped<JsonObject>('an object', fields);
    return found && new Reading(found.value, found.at, this.ledger);
  }

  /** The objects of a list, each to be taken apart; an element of another type is a fault. */
  takeInsides(field: string): Reading[] {
    return (this.takeList(field) ?? []).flatMap((value, index) => {
      const at = child(child(this.at, field), index);
      if (isJsonObject(value)) return new Reading(value, at, this.ledger);
      const args = { field: `${field}[${index}]`, expected: 'an object', found: nameType(value) };
      this.report('shape/wrong-type', at, args);
      return [];
    });
  }

  /** What is made of the texts of a list; an element of another type is a fault. */
  takeStrings<T>(field: string, make: (text: string, at: JsonPointer) => T[]): T[] {
    return (this.takeList(field) ?? []).flatMap((value, index) => {
      const at = child(child(this.at, field), index);
      if (typeof value === 'string') return make(value, at);
      const args = { field: `${field}[${index}]`, expected: 'a text', found: nameType(value) };
      this.report('shape/wrong-type', at, args);
      return [];
    });
  }

  /** A value that is carried as it is. */
  takeValue(field: string): Traced<Json> | null {
    if (this.take(field) === null) return null;
    return traced(this.value[field]!, fromSource(child(this.at, field)));
  }

  /** Values that are carried as they are, by their names. */
  takeSettings(fields: readonly string[]): NamedSetting[] {
    return fields.flatMap((key) => {
      const value = this.takeValue(key);
      return value === null ? [] : [{ key, value }];
    });
  }

  /** Takes fields that say nothing about calls; the ledger keeps them. */
  absorb(fields: readonly string[], reason: string): void {
    for (const field of fields) {
      if (this.take(field) === null) continue;
      this.ledger.absorbed.push({ at: child(this.at, field), kind: 'field', reason });
    }
  }
}

/** Tells the fields that nobody took, and gives their places. */
export function listUnknown({ readings, words, faults }: Ledger): JsonPointer[] {
  // A fault at a field says more than that nobody read it; the dialect's sign is no fault.
  const told = new Set(faults.flatMap(({ code, at }) => (code === 'shape/dialect' ? [] : at)));
  return readings.flatMap((reading) => {
    const { value, at, taken, asked } = reading;
    const left = Object.keys(value).filter((field) =>
      words.isStrict
        ? !asked.includes(field)
        : reading.has(field) && !taken.has(field) && !isEmpty(value[field]!),
    );
    const [misplaced, unread] = [true, false].map((isTold) =>
      left.filter((field) => told.has(child(at, field)) === isTold).sort(),
    );
    for (const field of unread!) {
      // A field that is there is not the one that was meant.
      const free = asked.filter((name) => !Object.hasOwn(value, name));
      const near = words.isStrict ? findNearest(field, free) : null;
      reading.report('shape/unknown-field', child(at, field), { field, near });
    }
    return [...unread!, ...misplaced!].map((field) => child(at, field));
  });
}

/** Exports write out lists and texts that hold nothing. */
function isEmpty(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return value === '';
  return Object.keys(value).length === 0;
}

export function nameType(value: Json): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}
