/**
 * What the model fills in as it calls a tool of the source.
 *
 * Shared by the compiler and the verifier: which values those are is decided by each of the two. In: a
 * tool, and what the model gives. Out: the form with these properties. A field that is nothing but
 * such a value becomes the property itself; all others stay, and read it as an argument of the call.
 *
 * Example: `{ order: '{{number}}' }`, where the model knows `number`, becomes
 * `{ type: 'object', properties: { order: { type: 'string' } }, required: ['order'] }`.
 */
import { isJsonObject, type Json, type JsonObject } from './json.js';
import { synthesized, type Traced, traced, withPart } from './provenance.js';
import type { FilledProperty, PlanProperty } from './squad-ir.js';
import {
  type Field,
  type Fields,
  fieldsOf,
  fieldsWith,
  fixed,
  isSchema,
  itemsOf,
  membersByName,
  partOf,
  schemaTemplate,
  withFields,
} from './template.js';
import { isToken } from './tokens.js';
import type { GivenTool, NamedSetting, Request } from './workflow.js';

/** What the model gives as it calls a tool: values, and the line that the tool says at first. */
export interface Supplied {
  readonly filled: readonly FilledProperty[];
  readonly isSilent: boolean;
}

/** What a tool sends: the form that the model fills in, or values, and fields that it never sees. */
export interface Sent {
  readonly body: Traced<Json> | null;
  readonly statics: readonly NamedSetting[];
}

/** What a tool of the source sends; null where the platform alone knows. */
export function sentBy(tool: Request | GivenTool): Sent | null {
  if ('statics' in tool) return tool;
  if (tool.value === null) return null;
  const { type, function: declared } = tool.value.value;
  const isFunction = type === 'function' && isJsonObject(declared ?? null);
  if (!isFunction && type !== 'apiRequest') return null;
  const { value, origin } = isFunction
    ? partOf(partOf(tool.value, 'function') as Traced<JsonObject>, 'parameters')
    : partOf(tool.value, 'body');
  const isTyped = Object.hasOwn(objectIn(value), 'type');
  const whole = isTyped ? origin : withPart(origin, 'type', fixed(null).origin);
  const form = traced<JsonObject>({ type: 'object', ...objectIn(value) }, whole);
  const statics = itemsOf(partOf(tool.value, 'parameters')).map((it): NamedSetting => {
    const entry = traced(objectIn(it.value), it.origin);
    return { key: String(entry.value['key']), value: partOf(entry, 'value') };
  });
  return { body: form, statics };
}

/** Those that the model fills in under a name that the tool sends nothing under. */
export function listBesides(tool: Request | GivenTool, filled: readonly FilledProperty[]) {
  const sent = sentBy(tool)!;
  const keys = ownFields(sent).map(({ key }) => key);
  return fillIn(sent, filled).added.flatMap(([key]) => (keys.includes(key) ? [] : [key]));
}

/** What is sent by itself, by key. */
function ownFields({ body, statics }: Sent): NamedSetting[] {
  const object = traced(objectIn(body?.value), body?.origin ?? fixed(null).origin);
  return [...(isSchema(object.value) ? fixedIn(object) : membersByName(object)), ...statics];
}

/** The properties that the model fills in, beside or in place of what a tool sends by itself. */
export function fillIn(sent: Sent, filled: readonly FilledProperty[]) {
  const own = ownFields(sent);
  const keyOf = ({ property: { name }, isOnly }: FilledProperty) => {
    const isValue = ({ value }: NamedSetting) => isToken(value.value, name);
    return (isOnly && own.find(isValue)?.key) || name;
  };
  return {
    /** Keys under which nothing else is sent any more. */
    taken: new Set(filled.map(keyOf)),
    added: filled.map((it): Field => [keyOf(it), propertyField(it.property)[1]]),
    demanded: filled.flatMap((it) => (it.isRequired ? [keyOf(it)] : [])),
  };
}

/** Fields of a schema whose value it fixes. */
function fixedIn(body: Traced<JsonObject>): NamedSetting[] {
  const { value, origin } = partOf(body, 'properties');
  const all = isJsonObject(value) ? membersByName(traced(value, origin)) : [];
  return all.flatMap(({ key, value: { value, origin } }) => {
    const schema = objectIn(value);
    const fixing = ['value', 'const'].find((it) => Object.hasOwn(schema, it));
    return fixing === undefined ? [] : [{ key, value: partOf(traced(schema, origin), fixing) }];
  });
}

function objectIn(value: Json | undefined): JsonObject {
  return value !== undefined && isJsonObject(value) ? value : {};
}

/** The schema with further properties behind its own; they replace those of the same key. */
export function withProperties(
  form: Fields | null,
  added: readonly Field[],
  demanded: readonly string[],
): Fields {
  const all = new Map(form?.fields ?? []);
  const own = all.get('properties');
  const required = all.get('required');
  const listed = required !== undefined && 'value' in required ? (required.value as string[]) : [];
  const properties =
    own === undefined ? [] : 'fields' in own ? own.fields : fieldsOf(own as Traced<JsonObject>);
  const needed = [...new Set([...listed, ...demanded])];
  all.set('type', all.get('type') ?? fixed('object'));
  all.set('properties', { fields: [...new Map([...properties, ...added])] });
  if (needed.length > 0) all.set('required', fixed(needed));
  return { fields: [...all].sort(([one], [other]) => (one < other ? -1 : 1)) };
}

/** A variable as a property of a schema that the model fills in. */
export function propertyField(property: PlanProperty): Field {
  const { name, type, description, enum: choices, details, captures } = property;
  const origin = synthesized('plan-property', captures);
  const own = fieldsWith({
    type: traced(type, origin),
    description,
    enum: choices === null ? null : traced([...choices], origin),
  });
  if (details === null) return [name, own];
  // What a schema of the source says, in the few words that a plan may have.
  const { fields } = schemaTemplate(traced({ ...details.value, type }, details.origin));
  return [
    name,
    withFields(
      own,
      fields.filter(([key]) => key !== 'type' && key !== 'description'),
    ),
  ];
}
