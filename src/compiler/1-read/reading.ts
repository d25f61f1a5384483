/**
 * Reads an object of the source field by field; untaken fields are reported as unknown.
 *
 * Documents say the same thing in many forms, so no list of known fields fits them all. Each reader
 * takes the fields that it understands, under the names of the dialect; `listUnknown` reports the
 * rest. A `take…` returns the value of the first given field, or null if no field is given, if the
 * value is empty, or if it has the wrong type, which is a fault. Faults are collected and never
 * thrown, so that all are reported at once. In the spec's shape a misplaced field is not taken.
 */
import { type ArgsOf, type Code, diagnose, type Placement } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import { isJsonObject, type Json, type JsonObject } from '../../text/json.js';
import { findNearest } from '../ir/names.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import { partOf } from '../ir/template.js';
import type { Absorbed, Condition, NamedSetting, Text } from '../ir/workflow.js';
import type { Vocabulary } from './dialect.js';
import { conditionAt } from './logical.js';
import { textAt } from './template.js';

/** What the readers of one document share. */
export interface Ledger {
  readonly vocabulary: Vocabulary;
  readonly faults: Diagnostic[];
  readonly readings: Reading[];
  readonly absorbed: Absorbed[];
}

/** A value and its place. */
export interface Found<T> {
  readonly value: T;
  readonly at: JsonPointer;
}

/** The types of JSON as messages name them. */
interface Types {
  readonly 'a text': string;
  readonly 'a list': readonly Json[];
  readonly 'an object': JsonObject;
  readonly 'a number': number;
  readonly 'true or false': boolean;
}

/** An editor's placeholder that was never filled in. */
const placeholder = /\$\{[^{}]*\}|<[A-Za-z][\w .-]*>|\byour[-_]\w+/i;

export class Reading implements Found<JsonObject> {
  readonly vocabulary: Vocabulary;
  readonly faults: Diagnostic[];
  /** The fields that the dialect knows here; null if it knows whatever readers ask for. */
  readonly known: ReadonlySet<string> | null;
  readonly taken = new Set<string>();
  /** Known fields that have no use where they stand. */
  readonly misplaced: string[] = [];

  /** `place` is the field that the object stands in. */
  constructor(
    readonly value: JsonObject,
    readonly at: JsonPointer,
    readonly ledger: Ledger,
    readonly place: string,
  ) {
    this.vocabulary = ledger.vocabulary;
    this.faults = ledger.faults;
    this.known = this.vocabulary.fields && (this.vocabulary.fields.get(place) ?? new Set());
    ledger.readings.push(this);
  }

  report<C extends Code>(code: C, at: JsonPointer, args: ArgsOf<C>, more?: Placement): void {
    this.faults.push(diagnose(code, at, args, more));
  }

  /** Returns true if the source gives the field. */
  has(field: string): boolean {
    if ((this.value[field] ?? null) === null || this.known?.has(field) === false) return false;
    return Object.hasOwn(this.value, field);
  }

  /** The first given field, which counts as taken. */
  take(...fields: readonly string[]): string | null {
    const field = fields.find((it) => this.has(it));
    if (field !== undefined) this.taken.add(field);
    return field ?? null;
  }

  /** True for a field with content that no reader took; exports write out empty fields. */
  isUnread(field: string): boolean {
    if (this.known?.has(field)) return this.misplaced.includes(field);
    const value = this.value[field]!;
    const isEmpty =
      typeof value === 'object' ? Object.keys(value ?? {}).length === 0 : value === '';
    return !this.taken.has(field) && (this.vocabulary.isStrict || !isEmpty);
  }

  /** Those of the fields that are given, which count as taken. */
  takeAll(fields: readonly string[]): string[] {
    return fields.filter((it) => this.take(it) !== null);
  }

  /** The place of the first given field; that of the object if none is given. */
  placeOf(fields: readonly string[]): JsonPointer {
    const field = fields.find((it) => this.has(it));
    return field === undefined ? this.at : child(this.at, field);
  }

  takeAs<T extends keyof Types>(expected: T, ...fields: readonly string[]): Found<Types[T]> | null {
    const field = this.take(...fields);
    if (field === null) return null;
    return this.check(expected, field, { value: this.value[field]!, at: child(this.at, field) });
  }

  private check<T extends keyof Types>(expected: T, field: string, { value, at }: Found<Json>) {
    if (nameType(value) === expected) return { value: value as Types[T], at };
    const coerced = this.vocabulary.isStrict ? null : coerce(expected, value);
    if (coerced === null) {
      this.report('shape/wrong-type', at, { field, expected, found: nameType(value) });
      return null;
    }
    this.report('shape/read-as', at, { found: JSON.stringify(value), as: JSON.stringify(coerced) });
    return { value: coerced as Types[T], at };
  }

  /** Applies `make` to the elements of a list; an element of another type is a fault. */
  takeEach<T extends keyof Types, Made>(
    expected: T,
    list: string,
    make: (element: Found<Types[T]>) => readonly Made[],
  ): Made[] {
    const found = this.takeAs('a list', list);
    return (found?.value ?? []).flatMap((value, index) => {
      const element = { value, at: child(found!.at, index) };
      const checked = this.check(expected, `${list}[${index}]`, element);
      return checked === null ? [] : make(checked);
    });
  }

  /** Readings of the objects in a list. */
  takeInsides(list: string): Reading[] {
    return this.takeEach('an object', list, ({ value, at }) => {
      return [new Reading(value, at, this.ledger, list)];
    });
  }

  /** A reading of the object in a field. */
  takeInside(field: string): Reading | null {
    const found = this.takeAs('an object', field);
    return found && new Reading(found.value, found.at, this.ledger, field);
  }

  /** A text that is not empty. */
  takeString(...fields: readonly string[]): Found<string> | null {
    const found = this.takeAs('a text', ...fields);
    return found?.value === '' ? null : found;
  }

  /** A text that the source must give under one of the names; its absence is a fault. */
  requireString(of: string, ...fields: readonly string[]): Found<string> | null {
    const found = this.takeString(...fields);
    const given = fields.find((field) => this.has(field));
    if (found === null && (given === undefined || this.value[given] === '')) {
      this.report('shape/missing-field', this.at, { field: given ?? fields[0]!, of });
    }
    return found;
  }

  takeText(...fields: readonly string[]): Text | null {
    const found = this.takeString(...fields);
    return found && textAt(found.value, found.at, this.faults);
  }

  /** The texts under all of the names that are given. */
  takeTexts(fields: readonly string[]): Text[] {
    return fields.flatMap((field) => this.takeText(field) ?? []);
  }

  /** White space counts as absent. `marked`: it is an expression, whatever it looks like. */
  takeCondition(fields: readonly string[], marked = false): Condition | null {
    const found = this.takeString(...fields);
    if (found === null || found.value.trim() === '') return null;
    return conditionAt(found.value, found.at, this.faults, marked);
  }

  /** Values that are carried over unchanged, by name. */
  takeSettings(fields: readonly string[]): NamedSetting[] {
    const whole = traced(this.value, fromSource(this.at));
    return this.takeAll(fields).map((key) => ({ key, value: partOf(whole, key) }));
  }

  /** Takes the platform's record fields. */
  absorbRecord(): void {
    const fields = ['id', 'orgId', 'createdAt', 'updatedAt', 'isServerUrlSecretSet'];
    this.absorb(fields, 'internal to the platform');
  }

  /** Takes the layout of the graph in an editor. */
  absorbLayout(...more: readonly string[]): void {
    this.absorb(['metadata', 'position', ...more], 'layout of the editor');
  }

  /** Takes fields that do not affect calls; the ledger lists them with the reason. */
  private absorb(fields: readonly string[], reason: string): void {
    for (const field of this.takeAll(fields)) {
      this.ledger.absorbed.push({ at: child(this.at, field), kind: 'field', reason });
    }
  }

  checkPlaceholder({ value, at }: Text): void {
    const [found] = placeholder.exec(value) ?? [];
    if (found !== undefined) this.report('data/unfilled-placeholder', at, { placeholder: found });
  }
}

/** A found value with its origin. */
export function tracedOf<T>(found: Found<T> | null): Traced<T> | null {
  return found && traced(found.value, fromSource(found.at));
}

/** Reports the fields that no reader took, and returns their places. */
export function listUnknown({ readings, faults }: Ledger): JsonPointer[] {
  // A fault at a field says more than that it is unknown; the sign of the dialect is not a fault.
  const reported = new Set(faults.flatMap(({ code, at }) => (code === 'shape/dialect' ? [] : at)));
  return readings.flatMap((reading) => {
    const { value, at, known, place } = reading;
    const isReported = (field: string) => reported.has(child(at, field));
    const left = Object.keys(value).filter((field) => reading.isUnread(field));
    const unread = left.filter((field) => !isReported(field));
    for (const field of unread) {
      if (place !== 'condition' && isSpoken(field, value[field]!)) {
        reading.report('shape/lost-text', child(at, field), { field });
        continue;
      }
      // A field that is present cannot be the one that was meant.
      const free = [...(known ?? [])].filter((name) => !Object.hasOwn(value, name));
      const near = findNearest(field, free);
      reading.report('shape/unknown-field', child(at, field), { field, near });
    }
    return [...unread, ...left.filter(isReported)].map((field) => child(at, field));
  });
}

/** Fields that hold instructions or spoken texts in some dialect. */
const spoken: ReadonlySet<string> = new Set([
  ...['firstMessage', 'systemPrompt', 'prompt', 'instructions', 'systemMessage', 'globalPrompt'],
  ...['exact', 'text', 'message', 'messages', 'endMessage', 'content', 'say'],
]);

/** Returns true if calls would miss an untaken field. */
function isSpoken(field: string, value: Json): boolean {
  const isText = (it: Json | undefined) => typeof it === 'string' && it.trim() !== '';
  const isMessage = (it: Json) => isJsonObject(it) && isText(it['content']);
  return spoken.has(field) && (isText(value) || (Array.isArray(value) && value.some(isMessage)));
}

/** A number or a truth value that was written as a text, or a text written as a number. */
function coerce(expected: keyof Types, value: Json): Json {
  if (expected === 'a text' && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return null;
  if (expected === 'true or false' && /^(?:true|false)$/i.test(value)) {
    return value.toLowerCase() === 'true';
  }
  const isNumber = expected === 'a number' && /^\s*-?\d+(?:\.\d+)?\s*$/.test(value);
  return isNumber ? Number(value) : null;
}

export function nameType(value: Json): keyof Types | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  if (typeof value === 'number') return 'a number';
  return typeof value === 'boolean' ? 'true or false' : 'an object';
}
