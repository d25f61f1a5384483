/**
 * The tools of the source → tools as the target has them.
 *
 * Shared by the compiler, which writes from it, and the verifier, which compares with it. In: a
 * request, a transfer or a tool of the source, and the target. Out: a template. What a tool is called
 * and when the model is to call it are decisions, so they come from outside.
 *
 * In target `vapi` what a request sends is a JSON Schema. A field of a body whose value is fixed
 * becomes a static field, which the model neither sees nor fills; a header becomes a schema that
 * allows one text: `"X-Key": "{{key}}"` is
 * `{ type: 'object', properties: { 'X-Key': { type: 'string', enum: ['{{key}}'] } }, … }`.
 */
import { isJsonObject, type Json, type JsonObject } from './json.js';
import type { Target } from './options.js';
import { derived, fromAnswer, synthesized, type Traced, traced } from './provenance.js';
import { asText, fixerOf, isSchema, membersByName, schemaTemplate } from './schema.js';
import { type Field, type Fields, fieldsOf, fixed, partOf, type Template } from './template.js';
import { confirms, originOf } from './wording.js';
import type {
  Capture,
  NamedSetting,
  Request,
  ResponseVariable,
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

export function requestTool(request: Request, target: Target, naming: Naming): Fields {
  const { url, method, timeoutSeconds, credentialId } = request;
  return {
    fields: [
      ['type', fixed('apiRequest')],
      ['name', naming.name],
      ...given('description', naming.description),
      ...given('url', url),
      ...given('method', method),
      ...(target === 'vapi' ? payloadAsSchemas(request) : payload(request)),
      ...given('timeoutSeconds', timeoutSeconds),
      ...given('credentialId', credentialId),
      ...responseFields(request),
      ...passedFields(request.passed),
    ],
  };
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
  const declared: Field[] = [
    ['name', traced(name, origin)],
    ['description', traced(confirms(variables), origin)],
    ['parameters', target === 'vapi' ? schemaTemplate(parameters) : parameters],
  ];
  const aliases = variables.map((key) => ({ key, value: traced(`{{ $.${key} }}`, origin) }));
  return {
    fields: [
      ['type', fixed('function')],
      ['function', { fields: declared }],
      ...extraction(null, aliases),
    ],
  };
}

export function endCallTool(): Fields {
  return { fields: [['type', fixed('endCall')]] };
}

/** `describe` says when to choose a destination, by what the source says that it is for. */
export function transferTool(
  { others, ...first }: Transfer,
  target: Target,
  describe: (purpose: Text | null) => Template,
): Fields {
  const items = [first, ...others].flatMap((it) => transferDestination(it, target, describe));
  return {
    fields: [
      ['type', fixed('transferCall')],
      ['destinations', { items }],
    ],
  };
}

function transferDestination(
  { destination, message, description, passed }: Omit<Transfer, 'others'>,
  target: Target,
  describe: (purpose: Text | null) => Template,
): Fields[] {
  if (destination === null) return [];
  const { value, origin } = destination;
  const address: Field =
    value.type === 'sip'
      ? ['sipUri', traced(value.sipUri, origin)]
      : ['number', traced(value.number, origin)];
  const fields: Field[] = [
    ['type', fixed(value.type)],
    address,
    ...(message === null ? [] : [['message', traced(message.value, originOf(message))] as const]),
    ['description', describe(description)],
    ...passedFields(passed),
  ];
  if (target === 'squad') return [{ fields }];
  if (value.type === 'number' && !isE164(value.number)) {
    // The platform refuses a number that is not E.164 unless it is told to take it as it is.
    fields.push(['numberE164CheckEnabled', traced(false, derived('not-e164', origin))]);
  }
  return [{ fields: [...fields, ...transferPlan(passed)] }];
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
  const items = refused.map((liquid): Fields => {
    return {
      fields: [
        ['type', fixed('liquid')],
        ['liquid', liquid],
      ],
    };
  });
  return [['rejectionPlan', { fields: [['conditions', { items }]] }]];
}

/** A variable, and the template by which the platform takes it from the response. */
interface Alias {
  readonly key: string;
  readonly value: Traced<string>;
}

function responseFields({ responses, responseSchema }: Request): Field[] {
  const aliases = responses.flatMap((it) => aliasOf(it));
  // A key can stand once; where the source sets a name twice, the later one counts.
  const unique = new Map(aliases.map((alias) => [alias.key, alias]));
  return extraction(responseSchema, [...unique.values()]);
}

/** A variable of a schema stays in the schema. */
function aliasOf({ name, path, value, sourceAt }: ResponseVariable): Alias[] {
  if (value !== null) return [{ key: name, value: traced(value.value, originOf(value)) }];
  if (path === '') return [];
  const template = `{{ $${path.startsWith('[') ? '' : '.'}${path} }}`;
  return [{ key: name, value: traced(template, synthesized('response-path', [sourceAt])) }];
}

function extraction(schema: Traced<JsonObject> | null, aliases: readonly Alias[]): Field[] {
  if (schema === null && aliases.length === 0) return [];
  const items = aliases.map(({ key, value }) => pair(key, value, 'alias-key'));
  const plan = [
    ...given('schema', schema),
    ...(items.length === 0 ? [] : [['aliases', { items }] as const]),
  ];
  return [['variableExtractionPlan', { fields: plan }]];
}

/** A key, which a rule made of where the value stands, and the value. */
function pair(key: string, value: Traced<Json>, rule: string): Fields {
  return {
    fields: [
      ['key', traced(key, derived(rule, value.origin))],
      ['value', value],
    ],
  };
}

/** Fields that are sent as they are; the model neither sees nor fills them. */
function staticFields(bound: readonly NamedSetting[]): Field[] {
  // There is no way to send nothing under a key.
  const sent = bound.filter(({ value }) => value.value !== null);
  const items = sent.map(({ key, value }) => pair(key, value, 'static-field'));
  return items.length === 0 ? [] : [['parameters', { items }]];
}

/** Headers and body go through as they are. */
function payload({ headers, body, statics }: Request): Field[] {
  return [...staticFields(statics), ...given('headers', headers), ...given('body', body)];
}

function payloadAsSchemas({ headers, body, statics }: Request): Field[] {
  return [
    ...(headers === null ? [] : [['headers', headersSchema(headers)] as const]),
    ...bodyFields(body, statics),
  ];
}

/** Headers as a schema. Its keywords that fix a value are those that dashboards write. */
function headersSchema(headers: Traced<JsonObject>): Fields {
  if (isSchema(headers.value)) {
    return schemaTemplate(headers, { fixing: ['value', 'default', 'const'] });
  }
  const names = Object.keys(headers.value).sort();
  const properties = names.map((name): Field => {
    const items = [asText(partOf(headers, name))];
    return [
      name,
      {
        fields: [
          ['type', fixed('string')],
          ['enum', { items }],
        ],
      },
    ];
  });
  return {
    fields: [
      ['type', fixed('object')],
      ['properties', { fields: properties }],
      ['required', fixed(names)],
    ],
  };
}

/** The `body` that the model fills, and the `parameters` that it does not see. */
function bodyFields(given: Traced<Json> | null, more: readonly NamedSetting[]): Field[] {
  if (given === null || !isJsonObject(given.value)) return staticFields(more);
  const body = traced<JsonObject>(given.value, given.origin);
  if (!isSchema(body.value)) return staticFields([...membersByName(body), ...more]);
  const properties = partOf(body, 'properties');
  const all = isJsonObject(properties.value) ? membersByName(properties as Traced<JsonObject>) : [];
  const statics = all.flatMap(({ key, value }) => {
    if (!isJsonObject(value.value)) return [];
    const found = fixerOf(value.value, ['value', 'const']);
    return found === undefined ? [] : [{ key, value: partOf(value as Traced<JsonObject>, found) }];
  });
  const without = new Set(statics.map(({ key }) => key));
  const isFilled = without.size === 0 || all.length > without.size;
  return [
    ...(isFilled ? [['body', schemaTemplate(body, { without })] as const] : []),
    ...staticFields([...statics, ...more]),
  ];
}

function given(key: string, value: Template | null): Field[] {
  return value === null ? [] : [[key, value]];
}

function passedFields(settings: readonly NamedSetting[]): Field[] {
  return settings.map(({ key, value }) => [key, value]);
}

/** Whether a number is written as E.164 has it: a plus, the country code, at most 15 digits. */
export function isE164(number: string): boolean {
  return /^\+[1-9][0-9]{1,14}$/.test(number);
}
