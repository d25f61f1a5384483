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
import { groupBy } from '../../graph/lists.js';
import { isObject, type Json, type JsonObject } from '../../text/json.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import { findNearest } from '../ir/names.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import type { Absorbed, Condition, NamedSetting, Settings, Text } from '../ir/workflow.js';
import { type Vocabulary, withoutEffect } from './dialect.js';
import { conditionAt } from './logical.js';
import { textAt } from './template.js';

/** What the readers of one document share. */
export interface Intake {
  readonly vocabulary: Vocabulary;
  readonly faults: Diagnostic[];
  readonly readings: Reading[];
  readonly absorbed: Absorbed[];
  /** The settings of what stands around the nodes, which is read before them. */
  around: Settings;
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
  readonly faults: Diagnostic[];
  readonly taken = new Set<string>();
  /** The fields that the dialect knows here; null if it knows whatever readers ask for. */
  readonly known: ReadonlySet<string> | null;
  /** Known fields that have no use where they stand. */
  readonly misplaced: string[] = [];

  /** `place` is the field that the object stands in. */
  constructor(
    readonly value: JsonObject,
    readonly at: JsonPointer,
    readonly intake: Intake,
    readonly place: string,
    readonly inData: ReadonlySet<string> = new Set(),
  ) {
    const { fields } = intake.vocabulary;
    this.faults = intake.faults;
    this.known = fields && (fields.get(place) ?? new Set());
    intake.readings.push(this);
  }

  report<C extends Code>(code: C, at: JsonPointer, args: ArgsOf<C>, more?: Placement): void {
    this.faults.push(diagnose(code, at, args, more));
  }

  has(field: string): boolean {
    const isGiven = Object.hasOwn(this.value, field) && this.value[field] !== null;
    return isGiven && this.known?.has(field) !== false;
  }

  /** Those of the fields that are given, which count as taken. */
  takeAll(fields: readonly string[]): string[] {
    const given = fields.filter((it) => this.has(it));
    for (const field of given) this.taken.add(field);
    return given;
  }

  /** The first given field, which counts as taken. */
  take(...fields: readonly string[]): string | undefined {
    return this.takeAll(fields.filter((it) => this.has(it)).slice(0, 1))[0];
  }

  placeIn(field: string): JsonPointer {
    return child(this.inData.has(field) ? child(this.at, 'data') : this.at, field);
  }

  /** The place of the first given field; that of the object if none is given. */
  placeOf(fields: readonly string[]): JsonPointer {
    const field = fields.find((it) => this.has(it));
    return field === undefined ? this.at : this.placeIn(field);
  }

  takeAs<T extends keyof Types>(expected: T, ...fields: readonly string[]): Found<Types[T]> | null {
    const field = this.take(...fields);
    if (field === undefined) return null;
    return this.check(expected, field, { value: this.value[field]!, at: this.placeIn(field) });
  }

  private check<T extends keyof Types>(expected: T, field: string, { value, at }: Found<Json>) {
    const found = nameType(value);
    if (found === expected) return { value: value as Types[T], at };
    const coerced = this.known === null ? coerce(expected, value) : null;
    if (coerced === null) {
      this.report('shape/wrong-type', at, { field, expected, found });
      return null;
    }
    this.report('shape/read-as', at, { found: JSON.stringify(value), as: JSON.stringify(coerced) });
    return { value: coerced as Types[T], at };
  }

  /** The elements of a list; one of another type is a fault. */
  *takeEach<T extends keyof Types>(expected: T, list: string): Iterable<Found<Types[T]>> {
    const { value: elements = [], at = '' } = this.takeAs('a list', list) ?? {};
    for (const [index, value] of elements.entries()) {
      const checked = this.check(expected, `${list}[${index}]`, { value, at: child(at, index) });
      if (checked !== null) yield checked;
    }
  }

  takeInsides(list: string): Reading[] {
    const objects = this.takeEach('an object', list);
    return Array.from(objects, ({ value, at }) => this.elementOf(list, value, at));
  }

  /** An element of a list; what an editor keeps in the `data` of a node or an edge is its own. */
  elementOf(list: string, value: JsonObject, at: JsonPointer): Reading {
    const { data, ...others } = value;
    const isEdited = this.known === null && /^(?:nodes|edges)$/.test(list) && isObject(data);
    if (!isEdited) return new Reading(value, at, this.intake, list);
    const all = { ...others, ...data, ...('id' in others && { id: others['id'] }) };
    const inside = Object.keys(data).filter((key) => key !== 'id' || !('id' in others));
    return new Reading(all, at, this.intake, list, new Set(inside));
  }

  takeInside(field: string): Reading | null {
    const found = this.takeAs('an object', field);
    return found && new Reading(found.value, found.at, this.intake, field);
  }

  /** A text that is not empty. */
  takeString(...fields: readonly string[]): Found<string> | null {
    const found = this.takeAs('a text', ...fields);
    return found?.value === '' ? null : found;
  }

  /** A text that the source must give under one of the names; its absence is a fault. */
  requireString(of: string, ...fields: readonly string[]): Found<string> | null {
    const field = fields.find((it) => this.has(it)) ?? fields[0]!;
    if (!this.has(field) || this.value[field] === '') {
      this.report('shape/missing-field', this.at, { field, of });
    }
    return this.takeString(...fields);
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
    const { value = '', at = '' } = this.takeString(...fields) ?? {};
    return value.trim() === '' ? null : conditionAt(value, at, this.faults, marked);
  }

  /** Values that are carried over unchanged, by name; two of them squadc has to be able to extend. */
  takeSettings(fields: readonly string[]): NamedSetting[] {
    return this.takeAll(fields).map((key) => {
      const [value, at] = [this.value[key]!, this.placeIn(key)];
      const isExtended = key === 'artifactPlan' || key === 'transferPlan';
      const plan = isExtended ? this.check('an object', key, { value, at })?.value : {};
      const field = 'structuredOutputs';
      const listed = plan?.[field] ?? [];
      this.check('a list', field, { value: listed, at: child(at, field) });
      return { key, value: traced(value, fromSource(at)) };
    });
  }

  /** Takes fields that do not affect calls; the ledger lists them with the reason. */
  absorb(reason: keyof typeof withoutEffect, ...more: readonly string[]): void {
    const fields = [...withoutEffect[reason], ...more].filter((it) => !this.taken.has(it));
    for (const field of this.takeAll(fields)) {
      this.intake.absorbed.push({ at: this.placeIn(field), kind: 'field', reason });
    }
  }

  checkPlaceholder({ value, at }: Text): void {
    const [found] = placeholder.exec(value) ?? [];
    if (found !== undefined) this.report('data/unfilled-placeholder', at, { placeholder: found });
  }

  /** Fields with content that no reader took; exports write out empty fields. */
  listUnread(): string[] {
    const { value, known, taken, misplaced } = this;
    const isEmpty = (it: Json) =>
      typeof it === 'object' ? Object.keys(it ?? {}).length === 0 : it === '';
    return Object.keys(value).filter((field) => {
      if (known?.has(field)) return misplaced.includes(field);
      return !taken.has(field) && (known !== null || !isEmpty(value[field]!));
    });
  }
}

export function tracedOf<T>(found: Found<T> | null): Traced<T> | null {
  return found && traced(found.value, fromSource(found.at));
}

/** Reports the fields that no reader took, and returns their places. */
export function listUnknown({ readings, faults }: Intake): JsonPointer[] {
  // A fault at a field says more than that it is unknown; the sign of the dialect is not a fault.
  const reported = new Set(faults.flatMap(({ code, at }) => (code === 'shape/dialect' ? [] : at)));
  return readings.flatMap((reading) => {
    const { value, known, place } = reading;
    if (known === null) reading.absorb('internal to the platform');
    if (known === null && place === '') reading.absorb('layout of the editor');
    const fields = groupBy(reading.listUnread(), (field) => reported.has(reading.placeIn(field)));
    const unreported = fields.get(false) ?? [];
    for (const field of unreported) {
      const isLost = place !== 'condition' && isSpoken(field, value[field]!);
      // A field that is present cannot be the one that was meant.
      const free = [...(known ?? [])].filter((name) => !Object.hasOwn(value, name));
      const near = findNearest(field, free);
      const at = reading.placeIn(field);
      if (isLost) reading.report('shape/lost-text', at, { field });
      else if (field === 'silenceTimeoutSeconds') reading.report('shape/no-place', at, { field });
      else reading.report('shape/unknown-field', at, { field, near });
    }
    return [...unreported, ...(fields.get(true) ?? [])].map((field) => reading.placeIn(field));
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
  const isMessage = (it: Json) => isObject(it) && isText(it['content']);
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

const typeNames: Readonly<Record<string, keyof Types>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
};

export function nameType(value: Json): keyof Types | 'null' {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeNames[typeof value]!;
}
