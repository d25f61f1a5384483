/**
 * What a tool of the source sends and keeps, in the shape of either target.
 *
 * In: a request or a given tool, and what the model fills in when it calls the tool. A field that
 * is only a variable, read nowhere else by the tool, is the property that the model fills in; if the
 * response sets a variable twice, the later one counts.
 */
import { describe } from '../../compiler/ir/prompt.js';
import { fixed, isSchema, schemaTemplate, writeTemplate } from '../../compiler/ir/template.js';
import { isToken } from '../../compiler/ir/tokens.js';
import type { Capture, Request } from '../../compiler/ir/workflow.js';
import type { TargetShape } from '../../compiler/targets.js';
import { asObject, isObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { elements, isSame } from '../../text/parts.js';

/** Fields of a tool; those that are undefined it does not have. */
export type Fields = Readonly<Record<string, Json | undefined>>;

/** A schema in the few keywords that the platform accepts; `fixing` leave no choice. */
export function schemaOf(schema: JsonObject, fixing?: readonly string[]): JsonObject {
  const written = asObject(writeTemplate(schemaTemplate(fixed(schema), fixing), '', []));
  return schema['type'] === 'object' ? { ...written, type: 'object' } : written;
}

/** A property that the model fills in. */
export interface FilledProperty {
  readonly name: string;
  /** What the captures say of it; without a description if none has one. */
  readonly schema: JsonObject;
  /** True if the tool reads it only once. */
  readonly isOnly: boolean;
  readonly isRequired: boolean;
}

/** What a model is asked for: as in the captures of a variable, if they agree. */
export function propertyOf(found: readonly Capture[]): JsonObject {
  const [first, ...others] = found as [Capture, ...Capture[]];
  const isOne = others.every(({ type }) => type === first.type);
  const isAlike = others.every(({ details }) => isSame(details?.value, first.details?.value));
  const texts = found.flatMap(({ description }) =>
    description === null ? [] : String(writeTemplate(describe([description]), '', [])),
  );
  const type = isOne ? first.type : 'string';
  const details = isOne && isAlike ? first.details : null;
  const { description: _, ...more } = asObject(details && schemaOf({ ...details.value, type }, []));
  const isListed = isOne && found.every((it) => it.enum !== null);
  return {
    type,
    ...more,
    ...(texts.length > 0 && { description: [...new Set(texts)].join('; or ') }),
    ...(isListed && { enum: [...new Set(found.flatMap((it) => it.enum ?? []))] }),
  };
}

export function sentBy(
  { body, statics }: Request,
  shape: TargetShape,
  filled: readonly FilledProperty[],
): Fields {
  const hidden = statics.map(({ key, value }): Field => [key, value.value]);
  if (!shape.hasSchemas && filled.length === 0) {
    return { body: body?.value ?? undefined, parameters: listStatic(hidden) };
  }
  const given = asObject(body?.value);
  const isForm = isSchema(given);
  const sent = isForm ? listFixed(given) : Object.entries(given);
  const isText = ([, value]: Field) => typeof value === 'string';
  const texts = sent.filter(isText).map(([key, value]) => [key, { type: 'string', value }]);
  const form = isForm ? schemaOf(given) : { properties: Object.fromEntries(texts) };
  const { whole, taken } = fillIn(form, [...sent, ...hidden], filled);
  const unseen = isForm ? [] : sent.filter((it) => !isText(it));
  const isEmpty = Object.keys(asObject(whole['properties'])).length === 0;
  return {
    body: !isEmpty ? whole : isForm ? form : undefined,
    parameters: listStatic([...unseen, ...hidden].filter(([key]) => !taken.has(key))),
  };
}

/** What a request takes from the response. */
export function keptBy({ responses, responseSchema }: Request, shape: TargetShape): Fields {
  const keys = new Map<string, string>();
  for (const { name, path, value } of responses) {
    const step = path.startsWith('[') ? path : `.${path}`;
    if (value !== null) keys.set(name, value.value);
    else if (path !== '') keys.set(name, `{{ $${step} }}`);
  }
  const aliases = Array.from(keys, ([key, value]) => ({ key, value }));
  const given = responseSchema?.value;
  const schema = given === undefined || !shape.hasSchemas ? given : schemaOf(given, ['value']);
  const plan = { ...(schema && { schema }), ...(aliases.length > 0 && { aliases }) };
  return { variableExtractionPlan: Object.keys(plan).length === 0 ? undefined : plan };
}

/** The form and static fields of a given tool, if the model fills something in. */
export function sentByGiven(
  { type, body, function: declared, parameters }: JsonObject,
  filled: readonly FilledProperty[],
): Fields {
  if (filled.length === 0) return {};
  const isFunction = type === 'function';
  const given = isFunction ? asObject(declared)['parameters'] : body;
  const form: JsonObject = { type: 'object', ...asObject(given) };
  const hidden = elements(parameters).map((it) => asObject(it));
  const fields = hidden.map(({ key = null, value = null }): Field => [textOf(key), value]);
  const sent = isSchema(form) ? listFixed(form) : Object.entries(form);
  const { whole, taken } = fillIn(form, [...sent, ...fields], filled);
  const left = hidden.filter(({ key = null }) => !taken.has(textOf(key)));
  const own = isFunction
    ? { function: { ...asObject(declared), parameters: whole } }
    : { body: whole };
  return { ...own, parameters: left.length === 0 ? undefined : left };
}

type Field = readonly [key: string, value: Json];

/** The form with what the model fills in, and the keys of that. */
function fillIn(form: JsonObject, sent: readonly Field[], filled: readonly FilledProperty[]) {
  const properties = new Map(Object.entries(asObject(form['properties'])));
  const required = [...elements(form['required'])];
  const taken = new Set<string>();
  for (const { name, schema, isOnly, isRequired } of filled) {
    const own = isOnly ? sent.find(([, value]) => isToken(value, name)) : undefined;
    const [key] = own ?? [name];
    taken.add(key);
    properties.set(key, keepOwn(properties.get(key) ?? null, name, schema));
    if (isRequired && !required.includes(key)) required.push(key);
  }
  const demanded = required.length === 0 ? {} : { required };
  const all = { ...form, properties: Object.fromEntries(properties), ...demanded };
  return { whole: { type: 'object', ...all } as JsonObject, taken };
}

/** A property of the source keeps its schema; of a capture it takes what it does not say itself. */
function keepOwn(own: Json, name: string, added: JsonObject): Json {
  const named = { description: name, ...added };
  if (!isObject(own)) return named;
  const { value: _, const: __, ...kept } = own;
  const isOther = kept['type'] !== undefined && kept['type'] !== added['type'];
  const [said, also] = [kept, added].map((it) => textOf(it['description'] ?? ''));
  const both = said!.includes(also!) ? said! : `${said}; ${also}`;
  return {
    ...(isOther ? {} : added),
    ...kept,
    description: said === '' ? named.description : both,
  };
}

/** A key without a value cannot be sent as a static field. */
function listStatic(fields: readonly Field[]): Json | undefined {
  const sent = fields.filter(([, value]) => value !== null);
  return sent.length === 0 ? undefined : sent.map(([key, value]) => ({ key, value }));
}

/** The fields of a schema whose value it fixes. */
function listFixed(schema: JsonObject): Field[] {
  return Object.entries(asObject(schema['properties'])).flatMap(([key, part]) => {
    const { value, const: only = null } = isObject(part) ? part : {};
    return value === undefined && only === null ? [] : [[key, value ?? only] as const];
  });
}
