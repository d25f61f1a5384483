/** The faults that a schema finds, in words: “value/url must be a text”. */
import type { Target } from '../compiler/ir/options.js';
import { validateSquad } from '../schemas/squad-validator.generated.js';
import type { SchemaFault } from '../schemas/validator.generated.js';
import { validateVapiSquad } from '../schemas/vapi-squad-validator.generated.js';
import { counted } from '../text/counted.js';
import { isObject, type Json } from '../text/json.js';
import { child, type JsonPointer, valueAt } from '../text/pointer.js';
import { platformFaults } from './platform-shape.js';
import { quote, quoteAll } from './quote.js';
import { kindInWords } from './sentence.js';

type Params = SchemaFault['params'];

/** The unexpected key. */
const extraIn = (params: Params) => params['additionalProperty'] ?? params['unevaluatedProperty'];

const atLeast = (unit: string) => (params: Params) => {
  const limit = Number(params['limit']);
  return limit === 1 ? 'must not be empty' : `must have at least ${counted(limit, unit)}`;
};

/** By the keyword that failed, without “or null”; `pattern` is worded separately. */
const predicates: ReadonlyMap<string, (params: Params) => string> = new Map([
  ['type', ({ type }: Params) => `must be ${kindInWords(String(type).replace(/,null$/, ''))}`],
  ['required', ({ missingProperty: name }) => `must have ${quote(String(name))}`],
  ['additionalProperties', (params) => `must not have ${quote(String(extraIn(params)))}`],
  ['unevaluatedProperties', (params) => `must not have ${quote(String(extraIn(params)))}`],
  ['enum', ({ allowedValues: all }) => `must be ${quoteAll((all as Json[]).map(String), 'or')}`],
  ['const', ({ allowedValue: value }) => `must be ${quote(String(value))}`],
  ['minLength', atLeast('character')],
  ['minItems', atLeast('item')],
  ['minProperties', atLeast('member')],
  ['maxLength', ({ limit }) => `must have at most ${counted(Number(limit), 'character')}`],
  ['minimum', ({ limit }) => `must be at least ${limit}`],
  ['maximum', ({ limit }) => `must be at most ${limit}`],
  ['uniqueItems', () => 'must not contain duplicates'],
  ['not', () => 'must have a different value'],
  ['false schema', () => 'is not allowed here'],
]);

/** Keywords that only repeat that another one failed. */
const echoes: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'allOf', 'propertyNames']);

/** The faults without those that only repeat others; all if every one does. */
export function soleFaults(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const sole = faults.filter(({ keyword }) => !echoes.has(keyword));
  return sole.length === 0 ? faults : sole;
}

/** The place of the fault; for an unexpected key, the key. */
function placeOf({ instancePath, params }: SchemaFault): JsonPointer {
  const extra = extraIn(params);
  return typeof extra === 'string' ? child(instancePath, extra) : instancePath;
}

const validators = { squad: validateSquad, vapi: validateVapiSquad };

/** Settings of an assistant, without what squadc writes: names, lines, prompts and tools. */
const ofAssistant =
  /^(?:\/squad)?\/members\/\d+\/assistant\/(?:model\/(?!(?:messages|tools|toolIds|toolRefs)(?:\/|$))|(?!(?:name|firstMessage|model)(?:\/|$)))/;
/** Settings that override those of an assistant. */
const ofOverrides =
  /^(?:\/squad\/memberOverrides|\/membersOverrides|(?:\/squad)?\/members\/\d+\/assistantOverrides)\/(?!(?:name|tools:append)(?:\/|$))/;
/** Settings of a tool or of a transfer. */
const ofTool =
  /\/(?:tools|tools:append)\/\d+\/(?:backoffPlan|encryptedPaths|messages|rejectionPlan|destinations\/\d+\/(?:callerId|extension|sipHeaders|transferPlan))(?:\/|$)/;

/**
 * The faults that the target's schema finds in a squad: in what squadc writes, and in settings that
 * it only passes through.
 */
export function faultsOfSquad(document: Json, target: Target) {
  const validate = validators[target];
  const found = validate(document) ? [] : soleFaults(validate.errors ?? []);
  const describe = (fault: SchemaFault, near: string | null = null) => {
    const at = placeOf(fault);
    const isLine = fault.keyword === 'maxLength' && /\/messages\/\d+\/content$/.test(at);
    const isSetting = !isLine && [ofAssistant, ofOverrides, ofTool].some((it) => it.test(at));
    const said = faultInWords([fault], undefined, 'the document');
    const problem = near === null ? said : `${said} (did you mean ${quote(near)}?)`;
    return { at, fault, isSetting, target, problem };
  };
  const faults = found.map((it) => describe(it));
  const shape = faults.filter((it) => !it.isSetting);
  if (target === 'squad') return { shape, settings: faults.filter((it) => it.isSetting) };
  const isKnown = (at: JsonPointer) => shape.some((it) => `${at}/`.startsWith(`${it.at}/`));
  const refused = platformFaults(document).map((it) => describe(it, it.near));
  const settings = refused.flatMap((it) => (isKnown(it.at) ? [] : { ...it, isSetting: true }));
  return { shape, settings };
}

/**
 * The first fault in words; `whole` names what was checked. `document` is the schema that found it:
 * if a text does not match a pattern, the description beside the pattern says what was expected.
 */
export function faultInWords(
  faults: readonly SchemaFault[],
  document?: Json,
  whole = 'the value',
): string {
  const [fault] = soleFaults(faults);
  if (fault === undefined) return `${whole} does not fit`;
  const { instancePath, schemaPath, keyword, params, message = 'does not fit' } = fault;
  const place = instancePath.replace(/^\//, '') || whole;
  if (keyword !== 'pattern') return `${place} ${predicates.get(keyword)?.(params) ?? message}`;
  const around = schemaPath.slice(schemaPath.indexOf('/'), schemaPath.lastIndexOf('/'));
  return `${place} must be ${describedBy(valueAt(document, around)) ?? 'in a different format'}`;
}

/** The description of a schema, for use within a sentence. */
export function describedBy(schema: Json | undefined): string | null {
  const found = isObject(schema) ? schema.description : undefined;
  return typeof found === 'string' ? found.charAt(0).toLowerCase() + found.slice(1) : null;
}
