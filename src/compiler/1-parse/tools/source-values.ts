/**
 * What a request of the source says of an operation's parameters.
 *
 * In: the request, and the operation that it is to call. Out: the values that its address, its body
 * and its static fields fix; which parameters its body leaves to the model; and the places of what
 * the operation has no parameter for.
 */
import type { ToolDefinition, ToolParameter } from '../../../adapters/tools/table/tool.js';
import { child, type JsonPointer } from '../../ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../ir/json.js';
import { synthesized, type Traced, traced, within } from '../../ir/provenance.js';
import type { Request } from '../../ir/workflow.js';
import { matchOperation } from './match-operation.js';
import { parameterOf } from './operations.js';
import { faultOfValue } from './values.js';

export interface SourceValues {
  readonly fixed: ReadonlyMap<string, Traced<Json>>;
  /** Parameters that the source has the model fill. */
  readonly offered: ReadonlySet<string>;
  readonly leftOver: readonly JsonPointer[];
}

export function readSourceValues(request: Request, definition: ToolDefinition): SourceValues {
  const fixed = new Map<string, Traced<Json>>();
  const offered = new Set<string>();
  const leftOver: JsonPointer[] = [];
  for (const field of listFields(request)) {
    const parameter = findParameter(definition, field);
    if (parameter === null) {
      if (field.value.origin.kind === 'source') leftOver.push(field.value.origin.at);
    } else if (field.isOpen) offered.add(parameter.name);
    else if (faultOfValue(parameter.schema as JsonObject, field.value.value) === null) {
      fixed.set(parameter.name, field.value);
    } else if (field.value.origin.kind === 'source') leftOver.push(field.value.origin.at);
  }
  for (const [name, value] of valuesOfAddress(request, definition)) fixed.set(name, value);
  return { fixed, offered, leftOver };
}

/** A field that the request sends, by its pointer within the body. */
interface Field {
  readonly at: JsonPointer;
  readonly value: Traced<Json>;
  /** Whether the model fills it. */
  readonly isOpen: boolean;
}

function findParameter(definition: ToolDefinition, { at }: Field): ToolParameter | null {
  const inBody = definition.parameters.find((it) => it.in === 'body' && it.at === at);
  return inBody ?? parameterOf(definition, at.slice(1));
}

function listFields({ body, statics }: Request): Field[] {
  const beside = statics.map(({ key, value }) => ({ at: child('', key), value, isOpen: false }));
  if (body === null || !isJsonObject(body.value)) return beside;
  const { value, origin } = body;
  const isSchema = value['type'] === 'object' && isJsonObject(value['properties']);
  const listed = isSchema ? fieldsOfSchema({ value, origin }, '') : fieldsOf({ value, origin }, '');
  return [...listed, ...beside];
}

/** The values that stand in no other object. Values are at most as deep as a document may be. */
function fieldsOf({ value, origin }: Traced<JsonObject>, at: JsonPointer): Field[] {
  return Object.keys(value)
    .sort()
    .flatMap((key) => {
      const part = traced(value[key]!, within(origin, key));
      const place = child(at, key);
      return isJsonObject(part.value)
        ? fieldsOf(traced(part.value, part.origin), place)
        : [{ at: place, value: part, isOpen: false }];
    });
}

function fieldsOfSchema({ value, origin }: Traced<JsonObject>, at: JsonPointer): Field[] {
  const properties = value['properties'] as JsonObject;
  const inside = within(origin, 'properties');
  return Object.keys(properties)
    .sort()
    .flatMap((key): Field[] => {
      const schema = traced(properties[key]!, within(inside, key));
      const place = child(at, key);
      if (!isJsonObject(schema.value)) return [{ at: place, value: schema, isOpen: true }];
      if (isJsonObject(schema.value['properties'])) {
        return fieldsOfSchema(traced(schema.value, schema.origin), place);
      }
      const only = ['value', 'const'].find((it) => Object.hasOwn(schema.value as object, it));
      if (only === undefined) return [{ at: place, value: schema, isOpen: true }];
      const part = traced(schema.value[only]!, within(schema.origin, only));
      return [{ at: place, value: part, isOpen: false }];
    });
}

/** An address tells nothing of another operation. */
function valuesOfAddress(request: Request, definition: ToolDefinition): [string, Traced<Json>][] {
  const match = matchOperation(request);
  if (match === null || match.definition.operation !== definition.operation) return [];
  const { origin } = request.url!;
  const from = origin.kind === 'source' ? synthesized('address-part', [origin.at]) : origin;
  return [...match.values].map(([name, value]) => [name, traced(value, from)]);
}
