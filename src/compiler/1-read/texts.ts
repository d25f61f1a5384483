/** Texts of the source, with the variables that they read. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, Text, Use } from '../ir/workflow.js';
import { readLogical } from './logical.js';
import { readTemplate } from './template.js';

export function textAt(value: string, at: JsonPointer, faults: Diagnostic[]): Text {
  return { value, at, uses: readUses(value, at, faults) };
}

/** `marked`: the dialect says that the text is an expression, whatever it looks like. */
export function conditionAt(
  value: string,
  at: JsonPointer,
  faults: Diagnostic[],
  marked: boolean,
): Condition {
  const operands = readLogical(value, marked)?.operands ?? null;
  const uses = [...readUses(value, at, faults), ...(operands ?? [])];
  uses.sort((a, b) => a.start - b.start);
  return { value, at, uses, logical: operands !== null, routing: null, guard: null, call: null };
}

function readUses(value: string, at: JsonPointer, faults: Diagnostic[]): readonly Use[] {
  const { uses, faults: found } = readTemplate(value);
  for (const fault of found) {
    faults.push(
      'reason' in fault
        ? diagnose('shape/liquid-syntax', at, { reason: fault.reason })
        : diagnose('shape/liquid-too-large', at, { limit: fault.limit }),
    );
  }
  return uses;
}

/**
 * All texts of a value that is carried through, keys in the order of their names. Recurses as deep
 * as a document may be.
 */
export function textsWithin(value: Json, at: JsonPointer, faults: Diagnostic[]): Text[] {
  if (typeof value === 'string') return [textAt(value, at, faults)];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  if (!Array.isArray(value)) members.sort(([one], [other]) => (one < other ? -1 : 1));
  return members.flatMap(([key, member]) => textsWithin(member, child(at, key), faults));
}

/**
 * Texts of a request without what the tool's own arguments fill: the properties of its body that
 * are left for the model to give (PLATFORM.md, "When a template is rendered").
 */
export function withoutArguments(texts: readonly Text[], body: Json): Text[] {
  const { properties } = isJsonObject(body) ? body : {};
  if (!isJsonObject(properties)) return [...texts];
  const isGiven = (name: string) => {
    const schema = Object.hasOwn(properties, name) ? (properties[name] ?? null) : null;
    return (
      isJsonObject(schema) && !Object.hasOwn(schema, 'value') && !Object.hasOwn(schema, 'const')
    );
  };
  return texts.map((text) => ({ ...text, uses: text.uses.filter(({ name }) => !isGiven(name)) }));
}
