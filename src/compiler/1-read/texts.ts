/** Texts of the source, with the variables that they read. */

import { diagnose } from '../../diagnostics/diagnose.js';
import { extend } from '../../graph/lists.js';
import { child, type JsonPointer } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, Text, Use } from '../ir/workflow.js';
import { readString, type Source } from './fields.js';
import { readLogical } from './logical.js';
import { readPieces, readQuickly, type TemplateFault } from './template.js';

export function readText(source: Source, field: string): Text | null {
  const value = readString(source, field);
  return value === null ? null : textAt(value, child(source.at, field), source.faults);
}

/** A condition; white space alone says nothing, so it is none. */
export function readCondition(source: Source, field: string, marked = false): Condition | null {
  const value = readString(source, field);
  if (value === null || value.trim() === '') return null;
  return conditionAt(value, child(source.at, field), source.faults, marked);
}

/** `marked`: the dialect says that the text is an expression, whatever it looks like. */
export function conditionAt(
  value: string,
  at: JsonPointer,
  faults: Diagnostic[],
  marked: boolean,
): Condition {
  const uses = readUses(value, at, faults);
  const operands = readLogical(value, marked)?.operands ?? null;
  return {
    value,
    at,
    uses: operands === null ? uses : inOrder([...uses, ...operands]),
    logical: operands !== null,
    routing: null,
    guard: null,
    call: null,
  };
}

function inOrder(uses: Use[]): Use[] {
  return uses.sort((a, b) => a.start - b.start);
}

/** All texts of a value that is carried through, keys in the order of their names. */
export function textsWithin(value: Json, at: JsonPointer, faults: Diagnostic[]): Text[] {
  const texts: Text[] = [];
  const pending: { value: Json; at: JsonPointer }[] = [{ value, at }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next.value === 'string') texts.push(textAt(next.value, next.at, faults));
    else extend(pending, elementsOf(next.value, next.at).reverse());
  }
  return texts;
}

export function textAt(value: string, at: JsonPointer, faults: Diagnostic[]): Text {
  return { value, at, uses: readUses(value, at, faults) };
}

function readUses(value: string, at: JsonPointer, faults: Diagnostic[]): readonly Use[] {
  const quick = readQuickly(value);
  if (quick !== null) return quick;
  const { uses, faults: found } = readPieces(value);
  for (const fault of found) faults.push(diagnoseTemplate(fault, at));
  return uses;
}

function diagnoseTemplate(fault: TemplateFault, at: JsonPointer): Diagnostic {
  return fault.fault === 'syntax'
    ? diagnose('shape/liquid-syntax', at, { reason: fault.reason })
    : diagnose('shape/liquid-too-large', at, { limit: fault.limit });
}

function elementsOf(value: Json, at: JsonPointer): { value: Json; at: JsonPointer }[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.map((element: Json, index) => ({ value: element, at: child(at, index) }));
  }
  const object = value as { readonly [key: string]: Json };
  return Object.keys(object)
    .sort()
    .map((key) => ({ value: object[key]!, at: child(at, key) }));
}
