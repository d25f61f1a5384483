/**
 * What a request of the source says of an operation's parameters.
 *
 * In: the request, and the operation that it is to call. Out: the values that its address, its body
 * and its static fields fix; which parameters its body leaves to the model; and what the tool of
 * the operation leaves out, with the reason.
 */
import type { ToolDefinition, ToolParameter } from '../../../adapters/tools/table/tool.js';
import type { JsonPointer } from '../../ir/ids.js';
import type { Json } from '../../ir/json.js';
import { type Origin, synthesized, type Traced, traced } from '../../ir/provenance.js';
import type { Request } from '../../ir/workflow.js';
import { matchOperation, noParameter, saidTwice } from './match-operation.js';
import { parameterOf } from './operations.js';
import { type Field, listFields } from './source-fields.js';
import { objectToValue } from './values.js';

export interface SourceValues {
  readonly fixed: ReadonlyMap<string, Traced<Json>>;
  /** Parameters that the source has the model fill, and where it says so. */
  readonly offered: ReadonlyMap<string, Offered>;
  readonly leftOut: readonly LeftOut[];
}

export interface Offered {
  readonly field: string;
  readonly origin: Origin;
  readonly parameter: ToolParameter;
}

/** Something that the request sends and the tool of the operation does not. */
export interface LeftOut {
  /** What the source calls it; never what it holds, which may be a secret. */
  readonly field: string;
  readonly origin: Origin;
  /** The parameter that does not take it; null where the operation has none for it. */
  readonly parameter: ToolParameter | null;
  readonly why: string;
}

export function readSourceValues(request: Request, definition: ToolDefinition): SourceValues {
  const fixed = new Map<string, { readonly field: string; readonly value: Traced<Json> }>();
  const offered = new Map<string, Offered>();
  const leftOut: LeftOut[] = [];
  const fix = (parameter: ToolParameter, field: string, value: Traced<Json>): void => {
    const before = fixed.get(parameter.name);
    if (before !== undefined && !isSame(before.value, value)) {
      leftOut.push({ field: before.field, origin: before.value.origin, parameter, why: saidTwice });
    }
    fixed.set(parameter.name, { field, value });
  };
  for (const field of listFields(request, placesOf(definition))) {
    const parameter = findParameter(definition, field);
    // What an operation needs and nobody gives is asked for.
    if (field.isOpen && parameter?.from === 'binding' && parameter.required) continue;
    const name = field.at.slice(1);
    const { origin } = field.value;
    const why = whyLeftOut(parameter, field);
    if (why !== null) leftOut.push({ field: name, origin, parameter, why });
    else if (field.isOpen)
      offered.set(parameter!.name, { field: name, origin, parameter: parameter! });
    else if (!('const' in parameter!.schema)) fix(parameter!, name, field.value);
  }
  const match = matchOperation(request);
  // An address tells nothing of another operation.
  if (match?.definition.operation === definition.operation) {
    const { origin } = request.url!;
    const from = origin.kind === 'source' ? synthesized('address-part', [origin.at]) : origin;
    for (const [name, value] of match.values) {
      fix(parameterOf(definition, name)!, name, traced(value, from));
    }
    leftOut.push(...match.leftOut.map((it) => ({ ...it, origin })));
  }
  const values = [...fixed].map(([name, { value }]) => [name, value] as const);
  return { fixed: new Map(values), offered, leftOut };
}

function whyLeftOut(parameter: ToolParameter | null, { value, isOpen }: Field): string | null {
  if (parameter === null) return noParameter;
  if (!isOpen) return objectToValue(parameter, value.value);
  if (parameter.from === 'caller') return null;
  return 'it is nothing for a model to fill';
}

function findParameter(definition: ToolDefinition, { at }: Field): ToolParameter | null {
  const inBody = definition.parameters.find((it) => it.in === 'body' && it.at === at);
  return inBody ?? parameterOf(definition, at.slice(1));
}

function placesOf({ parameters }: ToolDefinition): JsonPointer[] {
  return parameters.flatMap((it) => (it.in === 'body' && it.at !== undefined ? [it.at] : []));
}

function isSame({ value: one }: Traced<Json>, { value: other }: Traced<Json>): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
