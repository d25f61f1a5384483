/**
 * The tools of the source → tools as the target has them.
 *
 * Shared by the compiler, which writes from it, and the verifier, which compares with it. In: a
 * request, a transfer or a tool of the source, and the target. Out: a template. What a tool is called
 * and when the model is to call it are decisions, so they come from outside. What a request sends and
 * keeps the verifier decides once more (verify/expected/requests.ts).
 *
 * In target `vapi` what a request sends is a JSON Schema. A header or a text of the body is a
 * property with a fixed value: `"X-Key": "{{key}}"` is
 * `{ type: 'object', properties: { 'X-Key': { type: 'string', value: '{{key}}' } } }`. What is no
 * text of a body is a static parameter, which the model neither sees nor fills.
 */
import { fillIn, type Sent, type Supplied, sentBy, withProperties } from './filled.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';
import type { Target } from './options.js';
import { derived, fromAnswer, synthesized, type Traced, traced } from './provenance.js';
import type { FilledProperty } from './squad-ir.js';
import {
  asText,
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
  type Template,
  withFields,
} from './template.js';
import { startAt } from './texts.js';
import { confirms, originOf } from './wording.js';
import type {
  Capture,
  GivenTool,
  NamedSetting,
  Request,
  Text,
  ToolCall,
  Transfer,
} from './workflow.js';

/** How the model knows a tool. */
export interface Naming {
  readonly name: Traced<string>;
  /** Null where the prompt alone says when to call it. */
  readonly description: Template | null;
}

type Members = Readonly<Record<string, Template | null>>;

export function requestTool(
  request: Request,
  target: Target,
  naming: Naming,
  { filled, isSilent }: Supplied,
): Fields {
  const { url, method, headers, body, timeoutSeconds, credentialId, statics, passed } = request;
  const sent =
    target === 'vapi' || filled.length > 0
      ? bodyMembers(request, filled)
      : { parameters: staticFields(statics), body };
  const payload = {
    headers: target === 'vapi' ? headers && headersSchema(headers) : headers,
    ...sent,
  };
  return fieldsWith({
    type: fixed('apiRequest'),
    name: naming.name,
    description: naming.description,
    url,
    method,
    ...payload,
    timeoutSeconds,
    credentialId,
    variableExtractionPlan: extractionPlan(request.responseSchema, aliasesOf(request)),
    ...membersOf(passed),
    ...(isSilent ? { messages: withoutStart(passed.find(isMessages)!.value) } : {}),
  });
}

const isMessages = ({ key }: NamedSetting) => key === 'messages';

/** The messages of a tool, of which the model says the first itself. */
function withoutStart(messages: Traced<Json>): Template {
  const start = startAt(messages.value);
  const items = itemsOf(messages).map((it, at) =>
    at === start ? withFields(it as Traced<JsonObject>, [['content', fixed('')]]) : it,
  );
  return { items };
}

/** A tool in the platform's own words as the source has it, but for what the model gives. */
export function suppliedTool(
  tool: GivenTool & { readonly value: Traced<JsonObject> },
  { filled, isSilent }: Supplied,
): Fields | Traced<JsonObject> {
  if (filled.length === 0 && !isSilent) return tool.value;
  const fields = new Map<string, Template>(fieldsOf(tool.value));
  if (isSilent) fields.set('messages', withoutStart(partOf(tool.value, 'messages')));
  const sent = filled.length === 0 ? null : sentBy(tool);
  if (sent === null) return { fields: [...fields] };
  const { taken, added, demanded } = fillIn(sent, filled);
  const form = { fields: fieldsOf(sent.body as Traced<JsonObject>) };
  const whole = withProperties(form, added, demanded);
  if (fields.has('function')) {
    const declared = partOf(tool.value, 'function') as Traced<JsonObject>;
    fields.set('function', withFields(declared, [['parameters', whole]]));
  } else fields.set('body', whole);
  const items = itemsOf(partOf(tool.value, 'parameters')).filter(
    (_, at) => !taken.has(sent.statics[at]!.key),
  );
  if (items.length > 0) fields.set('parameters', { items });
  else fields.delete('parameters');
  return { fields: [...fields] };
}

/**
 * The tool that answers ask for to confirm values; somebody else implements it. `calls` are those of
 * one tool, `captureOf` finds the first capture of a variable, in walk order.
 */
export function confirmingTool(
  name: string,
  calls: readonly ToolCall[],
  captureOf: (variable: string) => Capture | undefined,
  target: Target,
): Fields {
  const origin = fromAnswer(calls[0]!.question);
  const variables = [...new Set(calls.flatMap((call) => call.variables))];
  const properties = variables.map((variable): [string, Json] => {
    const { type, description } = captureOf(variable) ?? { type: 'string', description: null };
    return [variable, { type, description: description?.value ?? variable }];
  });
  // What the caller said, so that the tool can confirm it.
  const parameters = traced<JsonObject>(
    { type: 'object', properties: Object.fromEntries(properties), required: [] },
    origin,
  );
  const aliases = variables.map((key) => [key, traced(`{{ $.${key} }}`, origin)] as const);
  return fieldsWith({
    type: fixed('function'),
    function: fieldsWith({
      name: traced(name, origin),
      description: traced(confirms(variables), origin),
      parameters: target === 'vapi' ? schemaTemplate(parameters) : parameters,
    }),
    variableExtractionPlan: extractionPlan(null, aliases),
  });
}

export function endCallTool(): Fields {
  return fieldsWith({ type: fixed('endCall') });
}

/** What is decided about the destinations of a transfer. */
interface TransferWords {
  /** When to choose a destination, by what the source says that it is for. */
  readonly describe: (purpose: Text | null) => Template;
  /** Whether the model says the message, as the platform cannot render it. */
  readonly isSilent: (message: Text) => boolean;
}

export function transferTool(
  { others, messages, ...first }: Transfer,
  target: Target,
  { describe, isSilent }: TransferWords,
): Fields {
  const items = [first, ...others].flatMap(
    ({
      destination,
      message,
      description,
      passed,
    }: Omit<Transfer, 'messages' | 'others'>): Fields[] => {
      if (destination === null) return [];
      const { value, origin } = destination;
      // The platform refuses a number that is not E.164 unless it is told to take it as it is.
      const isOdd = target === 'vapi' && value.type === 'number' && !isE164(value.number);
      const fields = fieldsWith({
        type: fixed(value.type),
        ...(value.type === 'sip'
          ? { sipUri: traced(value.sipUri, origin) }
          : { number: traced(value.number, origin) }),
        message:
          message && (isSilent(message) ? fixed('') : traced(message.value, originOf(message))),
        description: describe(description),
        ...membersOf(passed),
        numberE164CheckEnabled: isOdd ? traced(false, derived('not-e164', origin)) : null,
      });
      return [target === 'vapi' ? withFields(fields, transferPlan(passed)) : fields];
    },
  );
  return fieldsWith({ type: fixed('transferCall'), destinations: { items }, messages });
}

/** A plan must say its mode; where the source gives none, nobody announces the call. */
function transferPlan(passed: readonly NamedSetting[]): Field[] {
  const plan = passed.find(({ key }) => key === 'transferPlan')?.value;
  const own = plan !== undefined && isJsonObject(plan.value) ? plan.value : {};
  if (Object.hasOwn(own, 'mode')) return [];
  const kept = plan === undefined ? [] : fieldsOf(traced(own, plan.origin));
  return [['transferPlan', { fields: [...kept, ['mode', fixed('blind-transfer')]] }]];
}

/** What the platform checks before it carries out a call: it refuses where all texts print `true`. */
export function rejectionPlan(refused: readonly Traced<string>[]): Field[] {
  if (refused.length === 0) return [];
  const items = refused.map((liquid) => fieldsWith({ type: fixed('liquid'), liquid }));
  return [['rejectionPlan', fieldsWith({ conditions: { items } })]];
}

/** A variable, and the template by which the platform takes it from the response. */
type Alias = readonly [key: string, value: Traced<string>];

/** One of a schema stays in the schema. Where the source sets a name twice, the later one counts. */
function aliasesOf({ responses }: Request): Alias[] {
  const aliases = responses.flatMap(({ name, path, value, sourceAt }): Alias[] => {
    if (value !== null) return [[name, traced(value.value, originOf(value))]];
    if (path === '') return [];
    const template = `{{ $${path.startsWith('[') ? '' : '.'}${path} }}`;
    return [[name, traced(template, synthesized('response-path', [sourceAt]))]];
  });
  return [...new Map(aliases)];
}

function extractionPlan(schema: Traced<JsonObject> | null, aliases: readonly Alias[]) {
  const items = aliases.map(([key, value]) => pair(key, value, 'alias-key'));
  const plan = fieldsWith({ schema, aliases: items.length === 0 ? null : { items } });
  return plan.fields.length === 0 ? null : plan;
}

/** A key, which a rule made of where the value stands, and the value. */
function pair(key: string, value: Traced<Json>, rule: string): Fields {
  return fieldsWith({ key: traced(key, derived(rule, value.origin)), value });
}

/** Fields that are sent as they are; the model neither sees nor fills them. */
function staticFields(bound: readonly NamedSetting[]): Template | null {
  // There is no way to send nothing under a key.
  const sent = bound.filter(({ value }) => value.value !== null);
  const items = sent.map(({ key, value }) => pair(key, value, 'static-field'));
  return items.length === 0 ? null : { items };
}

/** Headers as a schema. The keywords that fix a value are those that dashboards write. */
function headersSchema(headers: Traced<JsonObject>): Fields {
  if (isSchema(headers.value)) return schemaTemplate(headers, ['default', 'const']);
  const fields = membersByName(headers).map(({ key, value }) => fixedText(key, asText(value)));
  return fieldsWith({ type: fixed('object'), properties: { fields } });
}

function fixedText(key: string, value: Traced<Json>): Field {
  return [key, fieldsWith({ type: fixed('string'), value })];
}

/** The `body`, and the `parameters` that the model does not see. */
function bodyMembers(sent: Sent, filled: readonly FilledProperty[]): Members {
  const { body: given, statics } = sent;
  const object = given !== null && isJsonObject(given.value) ? given.value : {};
  const body = traced<JsonObject>(object, given?.origin ?? fixed(null).origin);
  const { taken, added, demanded } = fillIn(sent, filled);
  const isForm = isSchema(object);
  const values = isForm ? [] : membersByName(body);
  const isText = ({ value }: NamedSetting) => typeof value.value === 'string';
  const texts = values.filter(isText).map(({ key, value }) => fixedText(key, value));
  const unseen = [...values.filter((it) => !isText(it)), ...statics];
  const form = isForm ? schemaTemplate(body) : null;
  const properties = [...texts, ...added];
  return {
    body: properties.length === 0 ? form : withProperties(form, properties, demanded),
    parameters: staticFields(unseen.filter(({ key }) => !taken.has(key))),
  };
}

function membersOf(settings: readonly NamedSetting[]): Members {
  return Object.fromEntries(settings.map(({ key, value }) => [key, value]));
}

/** Whether a number is written as E.164 has it: a plus, the country code, at most 15 digits. */
export function isE164(number: string): boolean {
  return /^\+[1-9][0-9]{1,14}$/.test(number);
}
