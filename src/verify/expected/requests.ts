/**
 * What a request sends and keeps, decided without the compiler's template of a tool.
 *
 * In: a request of the source, and what the model fills in when it calls the tool. Out: the fields
 * of the tool that follow. A field that is only a variable, read nowhere else by the tool, is the
 * property that the model fills in; if the response sets a variable twice, the later one counts.
 */
import { synthesized, traced } from '../../compiler/ir/provenance.js';
import type { FilledProperty } from '../../compiler/ir/squad-ir.js';
import { isSchema, schemaTemplate, writeTemplate } from '../../compiler/ir/template.js';
import { isToken } from '../../compiler/ir/tokens.js';
import { type Payload, propertyField } from '../../compiler/ir/tool.js';
import type { Request } from '../../compiler/ir/workflow.js';
import { asObject, isObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { elements } from '../../text/parts.js';

/** By key; undefined for a field that the tool does not have. */
export function expectPayload(
  { body, statics, responses, responseSchema }: Request,
  target: 'squad' | 'vapi',
  filled: readonly FilledProperty[],
): Readonly<Record<'body' | 'parameters' | 'variableExtractionPlan', Json | undefined>> {
  const aliases = new Map<string, string>();
  for (const { name, path, value } of responses) {
    const step = path.startsWith('[') ? path : `.${path}`;
    if (value !== null) aliases.set(name, value.value);
    else if (path !== '') aliases.set(name, `{{ $${step} }}`);
  }
  const list = Array.from(aliases, ([key, value]) => ({ key, value }));
  const isRaw = responseSchema === null || target === 'squad';
  const plain = isRaw ? responseSchema : schemaTemplate(responseSchema, ['value']);
  const schema = plain === null ? {} : { schema: writeTemplate(plain, '', []) };
  const kept: JsonObject = { ...schema, ...(list.length === 0 ? {} : { aliases: list }) };
  const variableExtractionPlan = Object.keys(kept).length === 0 ? undefined : kept;
  const fixed = statics.map(({ key, value }) => [key, value.value] as const);
  if (target === 'squad' && filled.length === 0) {
    return {
      body: body?.value ?? undefined,
      parameters: listStatic(fixed),
      variableExtractionPlan,
    };
  }

  const given = asObject(body?.value);
  const isForm = isSchema(given);
  const template = schemaTemplate(traced<Json>(given, synthesized('body')));
  const sent = isForm ? listFixed(given) : Object.entries(given);
  const texts = sent.filter(([, value]) => typeof value === 'string');
  const properties = texts.map(([key, value]) => [key, { type: 'string', value }]);
  const form = isForm
    ? asObject(writeTemplate(template, '', []))
    : { properties: Object.fromEntries(properties) };
  const { whole, taken } = fillIn(form, [...sent, ...fixed], filled);
  const unseen = isForm ? [] : sent.filter(([, value]) => typeof value !== 'string');
  const parameters = listStatic([...unseen, ...fixed].filter(([key]) => !taken.has(key)));
  const isEmpty = Object.keys(asObject(whole['properties'])).length === 0;
  const none = isForm ? form : undefined;
  return { body: isEmpty ? none : whole, parameters, variableExtractionPlan };
}

/** The expected form and static fields of a given tool. */
export function expectGiven(
  { type, body, function: declared, parameters }: JsonObject,
  filled: readonly FilledProperty[],
): Readonly<Record<string, Json | undefined>> {
  if (filled.length === 0) return {};
  const given = type === 'function' ? asObject(declared)['parameters'] : body;
  const form: JsonObject = { type: 'object', ...asObject(given) };
  const fixed = elements(parameters).map((it) => asObject(it));
  const fields = fixed.map(({ key = null, value = null }) => [textOf(key), value] as const);
  const sent = isSchema(form) ? listFixed(form) : Object.entries(form);
  const { whole, taken } = fillIn(form, [...sent, ...fields], filled);
  const left = fixed.filter(({ key = null }) => !taken.has(textOf(key)));
  const statics = { parameters: left.length === 0 ? undefined : left };
  if (type !== 'function') return { ...statics, body: whole };
  return { ...statics, function: { ...asObject(declared), parameters: whole } };
}

type Sending = readonly (readonly [key: string, value: Json])[];

/** The form with what the model fills in, and the keys of that. */
function fillIn(form: JsonObject, sent: Sending, filled: readonly FilledProperty[]) {
  const properties = new Map(Object.entries(asObject(form['properties'])));
  const required = [...elements(form['required'])];
  const taken = new Set<string>();
  for (const { property, isOnly, isRequired } of filled) {
    const { name } = property;
    const own = isOnly && sent.find(([, value]) => isToken(value, name));
    const key = own ? own[0] : name;
    taken.add(key);
    properties.set(key, writeTemplate(propertyField(property)[1], '', []));
    if (isRequired && !required.includes(key)) required.push(key);
  }
  const demanded = required.length === 0 ? {} : { required };
  const all = { ...form, properties: Object.fromEntries(properties), ...demanded };
  return { whole: { type: 'object', ...all }, taken };
}

/** A key without a value cannot be sent as a static field. */
function listStatic(fields: Sending): Json | undefined {
  const sent = fields.filter(([, value]) => value !== null);
  return sent.length === 0 ? undefined : sent.map(([key, value]) => ({ key, value }));
}

/** The fields of a schema whose value it fixes. */
function listFixed(schema: JsonObject): [string, Json][] {
  return Object.entries(asObject(schema['properties'])).flatMap(([key, part]) => {
    const { value, const: only = null } = isObject(part) ? part : {};
    return value === undefined && only === null ? [] : [[key, value ?? only]];
  });
}

/** Returns true if the tool can have a property of this name besides what it sends. */
export function canHaveProperty(sent: Payload | null, name: string): boolean {
  if (sent === null) return false;
  const { body, statics } = sent;
  const isFree = (key: string, value: Json | undefined) => key !== name || isToken(value, name);
  if (!statics.every(({ key, value }) => isFree(key, value.value))) return false;
  if (body === null) return true;
  if (!isObject(body.value)) return false;
  const isForm = isSchema(body.value);
  const fields = isForm ? asObject(body.value['properties']) : body.value;
  return Object.keys(fields).every((key) => {
    const field = fields[key]!;
    return isFree(key, isForm && isObject(field) ? field['value'] : field);
  });
}
