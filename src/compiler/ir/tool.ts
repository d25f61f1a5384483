/**
 * The tools of the source → tools of the target.
 *
 * In: a request, a transfer or a given tool, the target, and what the model fills in when it calls
 * the tool. Out: a template. What a tool is called, when to call it and which values the model fills
 * in are decisions, so callers provide them. The verifier has its own table of a tool's fields
 * (verify/expected/tools.ts); only the tool that confirms values, which no source has, is shared.
 *
 * In target `vapi` a request sends a JSON Schema. A header or a text of the body is a property with
 * a fixed value: `"X-Key": "{{key}}"` is `{ type: 'object', properties: { 'X-Key': { type:
 * 'string', value: '{{key}}' } } }`. Any other value in a body is a static parameter, which the
 * model neither sees nor fills in.
 *
 * A field that consists of one value the model fills in becomes a property of the form. All others
 * stay, and read it as an argument of the call: `{ order: '{{number}}' }` becomes `{ type:
 * 'object', properties: { order: { type: 'string' } }, required: ['order'] }`.
 */
import { asObject, isObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { targets } from '../targets.js';
import type { Target } from './options.js';
import { originOf } from './prompt.js';
import { derived, fromAnswer, synthesized, type Traced, traced, withPart } from './provenance.js';
import type { FilledProperty, PlanProperty } from './squad-ir.js';
import {
  asText,
  type Field,
  type Fields,
  fieldsOf,
  fieldsWith,
  fixed,
  isSchema,
  itemsOf,
  keepOwn,
  membersByName,
  objectOf,
  partOf,
  schemaTemplate,
  sorted,
  type Template,
  withFields,
  writeTemplate,
} from './template.js';
import { indexOfStart } from './texts.js';
import { isToken } from './tokens.js';
import { enumerate } from './wording.js';
import type * as ir from './workflow.js';

/** What the model provides when it calls a tool: values, and the tool's opening line. */
export interface ModelInput {
  readonly filled: readonly FilledProperty[];
  readonly isSilent: boolean;
}

/** What a tool sends: values, or what a form asks the model for and fixes. */
export interface Payload {
  readonly body: Traced<JsonObject>;
  readonly isForm: boolean;
  readonly fields: readonly PayloadField[];
}

interface PayloadField {
  readonly key: string;
  /** What is sent regardless of the model; null if the model fills it in. */
  readonly value: Traced<Json> | null;
  /** The model does not see it. */
  readonly isHidden: boolean;
}

/** A schema of a form, by the key of its value. */
type FormField = readonly [key: string, schema: Fields];

/** `description` is null if only the prompt says when to call it. */
export function requestTool(
  request: ir.Request,
  target: Target,
  { name, description }: { readonly name: Traced<string>; readonly description: Template | null },
  { filled, isSilent }: ModelInput,
): Fields {
  const { url, method, headers, body, timeoutSeconds, credentialId, statics, passed } = request;
  const { hasSchemas } = targets[target];
  return fieldsWith({
    type: fixed('apiRequest'),
    name,
    description,
    url,
    method,
    headers: hasSchemas ? headers && headersSchema(headers) : headers,
    ...(hasSchemas || filled.length > 0
      ? formMembers(payloadOf(request)!, filled)
      : { parameters: staticFields(statics), body }),
    timeoutSeconds,
    credentialId,
    variableExtractionPlan: extractionPlan(request, hasSchemas),
    ...membersOf(passed),
    ...(isSilent && { messages: withoutStart(membersOf(passed)['messages']!) }),
  });
}

/** The messages of a tool, without the first, which the model says itself. */
function withoutStart(messages: Traced<Json>): Template {
  const start = indexOfStart(messages.value);
  const items = itemsOf(messages).map((it, at) =>
    at === start ? withFields(objectOf(it), [['content', fixed('')]]) : it,
  );
  return { items };
}

/** A given tool as the source has it, except for what the model provides. */
export function toolWithInput(
  tool: ir.GivenTool & { readonly value: Traced<JsonObject> },
  { filled, isSilent }: ModelInput,
): Fields | Traced<JsonObject> {
  const { value } = tool;
  const sent = filled.length === 0 ? null : payloadOf(tool);
  if (sent === null && !isSilent) return value;
  const fields = new Map<string, Template>(fieldsOf(value));
  if (isSilent) fields.set('messages', withoutStart(partOf(value, 'messages')));
  if (sent === null) return { fields: [...fields] };
  const { taken, added, required } = fillIn(sent, filled);
  const form = withProperties({ fields: fieldsOf(sent.body) }, added, required);
  if (fields.has('function')) {
    const declared = objectOf(partOf(value, 'function'));
    fields.set('function', withFields(declared, [['parameters', form]]));
  } else fields.set('body', form);
  const items = staticsOf(value).flatMap(({ key, whole }) => (taken.has(key) ? [] : [whole]));
  if (items.length > 0) fields.set('parameters', { items });
  else fields.delete('parameters');
  return { fields: [...fields] };
}

/** What a given tool sends beside what the model sees. */
function staticsOf(tool: Traced<JsonObject>) {
  return itemsOf(partOf(tool, 'parameters')).map((whole) => {
    const { key = null } = asObject(whole.value);
    return { key: textOf(key), value: partOf(objectOf(whole), 'value'), whole };
  });
}

/** What a tool of the source sends; null if only the platform knows. */
export function payloadOf(tool: ir.Request | ir.GivenTool): Payload | null {
  if ('statics' in tool) return parsePayload(objectOf(tool.body ?? fixed(null)), tool.statics);
  if (tool.value === null) return null;
  const { type, function: declared, parameters: statics = [] } = tool.value.value;
  const isFunction = type === 'function' && isObject(declared);
  if (!isFunction && type !== 'apiRequest') return null;
  const holder = isFunction ? objectOf(partOf(tool.value, 'function')) : tool.value;
  const form = partOf(holder, isFunction ? 'parameters' : 'body');
  const { properties = {}, required = [] } = asObject(form.value);
  // Nothing can be added to parts that have an unexpected shape.
  if ((form.value !== null && !isObject(form.value)) || !isObject(properties)) return null;
  if (!Array.isArray(required) || !Array.isArray(statics) || !statics.every(isObject)) return null;
  const { value, origin } = objectOf(form);
  const isTyped = Object.hasOwn(value, 'type');
  const whole = isTyped ? origin : withPart(origin, 'type', fixed(null).origin);
  return parsePayload(traced({ type: 'object', ...value }, whole), staticsOf(tool.value));
}

function parsePayload(body: Traced<JsonObject>, statics: readonly ir.NamedSetting[]): Payload {
  const isForm = isSchema(body.value);
  const shown = membersByName(isForm ? objectOf(partOf(body, 'properties')) : body);
  const own = shown.map(({ key, value }): PayloadField => {
    if (!isForm) return { key, value, isHidden: typeof value.value !== 'string' };
    const schema = objectOf(value);
    const keyword = ['value', 'const'].find((it) => Object.hasOwn(schema.value, it));
    return { key, value: keyword === undefined ? null : partOf(schema, keyword), isHidden: false };
  });
  const hidden = statics.map(({ key, value }) => ({ key, value, isHidden: true }));
  return { body, isForm, fields: [...own, ...hidden] };
}

/** Returns true if the model can fill in a value of this name besides what the tool sends itself. */
export function canFill(sent: Payload | null, name: string): boolean {
  if (sent === null) return false;
  return sent.fields.every(({ key, value }) => key !== name || isToken(value?.value, name));
}

/** Keys that the model fills in besides those that the tool sends by itself. */
export function listAddedKeys(tool: ir.Request | ir.GivenTool, filled: readonly FilledProperty[]) {
  const sent = payloadOf(tool)!;
  const keys = fillIn(sent, filled).added.map(([key]) => key);
  return keys.filter((key) => sent.fields.every((it) => it.key !== key || it.value === null));
}

/** The properties that the model fills in, in addition to or instead of what a tool sends by itself. */
function fillIn({ fields }: Payload, filled: readonly FilledProperty[]) {
  const keyOf = ({ property: { name }, isOnly }: FilledProperty) =>
    (isOnly && fields.find(({ value }) => isToken(value?.value, name))?.key) || name;
  return {
    /** Keys that are no longer sent otherwise. */
    taken: new Set(filled.map(keyOf)),
    added: filled.map((it): FormField => [keyOf(it), propertyField(it.property)[1]]),
    required: filled.flatMap((it) => (it.isRequired ? [keyOf(it)] : [])),
  };
}

/** The `body`, and the `parameters` that the model does not see. */
function formMembers(sent: Payload, filled: readonly FilledProperty[]) {
  const { body, isForm, fields } = sent;
  const { taken, added, required } = fillIn(sent, filled);
  const shown = isForm ? [] : fields.filter((it) => !it.isHidden);
  const texts = shown.map(({ key, value }) => fixedText(key, value!));
  const form = isForm ? schemaTemplate(body) : null;
  const properties = [...texts, ...added];
  return {
    body: properties.length === 0 ? form : withProperties(form, properties, required),
    parameters: staticFields(fields.filter((it) => it.isHidden && !taken.has(it.key))),
  };
}

/** The schema with more properties after its own; a property of the same key keeps its schema. */
function withProperties(
  form: Fields | null,
  added: readonly FormField[],
  keys: readonly string[],
): Fields {
  const all = new Map(form?.fields ?? []);
  const properties = (all.get('properties') ?? { fields: [] }) as Fields | Traced<JsonObject>;
  const required = all.get('required') ?? fixed([]);
  const listed = 'items' in required ? required.items : itemsOf(required as Traced<Json>);
  const names = new Set((listed as readonly Traced<Json>[]).map(({ value }) => value));
  const missing = [...new Set(keys)].filter((key) => !names.has(key));
  all.set('type', all.get('type') ?? fixed('object'));
  const own = new Map(fieldsOf(properties));
  const merged = added.map(([key, it]): Field => [key, keepOwn(own.get(key), it)]);
  all.set('properties', withFields(properties, merged));
  if (listed.length > 0) all.set('required', { items: [...listed, ...missing.map(fixed)] });
  else if (missing.length > 0) all.set('required', fixed(missing));
  return { fields: [...all].sort(([one], [other]) => (one < other ? -1 : 1)) };
}

/** A variable as a schema property that the model fills in. */
export function propertyField(property: PlanProperty): FormField {
  const { name, type, description, enum: choices, details, captures } = property;
  const origin = synthesized('plan-property', captures);
  const own = fieldsWith({
    type: traced(type, origin),
    description,
    enum: choices && traced([...choices], origin),
  });
  if (details === null) return [name, own];
  // What a schema of the source says, in the few keywords that a plan may have.
  const { fields } = schemaTemplate(traced({ ...details.value, type }, details.origin), []);
  const more = fields.filter(([key]) => key !== 'type' && key !== 'description');
  return [name, withFields(own, more)];
}

/**
 * The tool that answers request to confirm values; someone else implements it. `calls` are those of
 * one tool; `captureOf` finds the first capture of a variable, in walk order.
 */
export function confirmingTool(
  name: string,
  calls: readonly ir.ToolCall[],
  captureOf: (variable: string) => ir.Capture | undefined,
  target: Target,
): Fields {
  const variables = [...new Set(calls.flatMap((call) => call.variables))];
  // What the caller said, so that the tool can confirm it.
  const properties = variables.map((variable): [string, Json] => {
    const { type, description } = captureOf(variable) ?? { type: 'string', description: null };
    return [variable, { type, description: description?.value ?? variable }];
  });
  const form = { type: 'object', properties: Object.fromEntries(properties), required: [] };
  const parameters = targets[target].hasSchemas
    ? writeTemplate(schemaTemplate(fixed(form)), '', [])
    : form;
  const description = `Gives the confirmed value of ${enumerate(variables)}.`;
  const aliases = variables.map((key) => ({ key, value: `{{ $.${key} }}` }));
  const own = { function: { name, description, parameters }, variableExtractionPlan: { aliases } };
  const { fields } = fieldsWith({ type: fixed('function') });
  return { fields: [...fields, ...fieldsOf(traced(own, fromAnswer(calls[0]!.question)))] };
}

/** It says the line of the exit, if there is one. */
export function endCallTool(exit: ir.WorkflowNode | null): Fields {
  const { lineBy = null, firstMessage = null } = exit ?? {};
  const content = firstMessage && traced(firstMessage.value, originOf(firstMessage));
  const message = lineBy && {
    fields: sorted(withFields(lineBy, fieldsWith({ content }).fields).fields),
  };
  return fieldsWith({ type: fixed('endCall'), messages: message && { items: [message] } });
}

/** Where transfers lead, as one destination of a tool. */
export interface TransferEnd {
  readonly transfer: ir.Transfer;
  readonly description: Template;
  /** Whether the model says the message, because the platform cannot render it or has another. */
  readonly isSilent: boolean;
}

/** Transfers with the same key share a destination. */
export function destinationKey({ destination, passed }: ir.Transfer): string {
  const settings = passed.map(({ key, value }) => [key, value.value]);
  return JSON.stringify([destination?.value, settings]);
}

/** Transfers with the same key share a tool, of which the platform knows one by an assistant. */
export function transferToolKey({ messages }: ir.Transfer): string {
  return JSON.stringify(messages?.value ?? null);
}

export function transferTool(ends: readonly TransferEnd[], target: Target): Fields {
  const { checksTransfers } = targets[target];
  const items = ends.flatMap(({ transfer, description, isSilent }): Fields[] => {
    const { destination, message, passed } = transfer;
    if (destination === null) return [];
    const { value, origin } = destination;
    // The platform rejects a number that is not E.164 unless the check is turned off.
    const isOdd = checksTransfers && value.type === 'number' && !isE164(value.number);
    const fields = fieldsWith({
      type: fixed(value.type),
      ...(value.type === 'sip'
        ? { sipUri: traced(value.sipUri, origin) }
        : { number: traced(value.number, origin) }),
      message: isSilent ? fixed('') : message && traced(message.value, originOf(message)),
      description,
      ...membersOf(passed),
      numberE164CheckEnabled: isOdd ? traced(false, derived('not-e164', origin)) : null,
    });
    return [checksTransfers ? withFields(fields, transferPlan(passed)) : fields];
  });
  const messages = ends[0]!.transfer.messages;
  return fieldsWith({ type: fixed('transferCall'), destinations: { items }, messages });
}

/** A plan must have a mode; if the source gives none, the call is not announced. */
function transferPlan(passed: readonly ir.NamedSetting[]): Field[] {
  const plan = objectOf(membersOf(passed)['transferPlan'] ?? fixed(null));
  if (Object.hasOwn(plan.value, 'mode')) return [];
  return [['transferPlan', withFields(plan, [['mode', fixed('blind-transfer')]])]];
}

/** What the platform checks before it makes a call: it refuses if all texts print `true`. */
export function rejectionPlan(refused: readonly Traced<string>[]): Field[] {
  if (refused.length === 0) return [];
  const items = refused.map((liquid) => fieldsWith({ type: fixed('liquid'), liquid }));
  return [['rejectionPlan', fieldsWith({ conditions: { items } })]];
}

/**
 * What the platform takes from the response. Variables of a schema stay there. If the source sets a
 * name twice, the later one counts.
 */
function extractionPlan({ responses, responseSchema: given }: ir.Request, hasSchemas: boolean) {
  const aliases = responses.flatMap(({ name, path, value, sourceAt }) => {
    if (value !== null) return [[name, traced(value.value, originOf(value))] as const];
    const template = `{{ $${path.startsWith('[') ? '' : '.'}${path} }}`;
    const origin = synthesized('response-path', [sourceAt]);
    return path === '' ? [] : [[name, traced(template, origin)] as const];
  });
  const items = Array.from(new Map(aliases), ([key, value]) => pair(key, value, 'alias-key'));
  const schema = hasSchemas && given ? schemaTemplate(given, ['value']) : given;
  const plan = fieldsWith({ schema, aliases: items.length === 0 ? null : { items } });
  return plan.fields.length === 0 ? null : plan;
}

/** A key, which a rule derived from where the value stands, and the value. */
function pair(key: string, value: Traced<Json>, rule: string): Fields {
  return fieldsWith({ key: traced(key, derived(rule, value.origin)), value });
}

/** Fields that are sent unchanged; the model neither sees nor fills them in. */
function staticFields(bound: readonly Pick<PayloadField, 'key' | 'value'>[]): Template | null {
  // It is impossible to send nothing under a key.
  const items = bound.flatMap(({ key, value }) =>
    (value?.value ?? null) === null ? [] : [pair(key, value!, 'static-field')],
  );
  return items.length === 0 ? null : { items };
}

/** Headers as a schema. The keywords that fix a value are those that dashboards write. */
function headersSchema(headers: Traced<JsonObject>): Fields {
  if (isSchema(headers.value)) return schemaTemplate(headers, ['value', 'default', 'const']);
  const fields = membersByName(headers).map(({ key, value }) => fixedText(key, asText(value)));
  return fieldsWith({ type: fixed('object'), properties: { fields } });
}

function fixedText(key: string, value: Traced<Json>): FormField {
  return [key, fieldsWith({ type: fixed('string'), value })];
}

const membersOf = (settings: readonly ir.NamedSetting[]) =>
  Object.fromEntries(settings.map(({ key, value }) => [key, value]));

/** Returns true for a number in E.164 form: a plus, the country code, at most 15 digits. */
export function isE164(number: string): boolean {
  return /^\+[1-9][0-9]{1,14}$/.test(number);
}
