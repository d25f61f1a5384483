/**
 * JSON Schemas of this package → rules, with their references resolved.
 *
 * In: the published schemas. Out: for each of their parts the keywords that it has, ready to be
 * looked at. Only the keywords that these schemas use are known; `not` and `if` are applied where
 * they stand and say nothing themselves.
 */
import type { Json, JsonObject } from '../../compiler/ir/json.js';
import { schemaDocuments } from '../../schemas/documents.generated.js';
import { elements, objectOf, textOf } from '../squad-reading.js';

/** A part of a schema; `false` allows nothing, `true` everything. */
export type Rule = boolean | Keywords;

export interface Keywords {
  readonly types: readonly string[] | null;
  readonly allowed: readonly Json[] | null;
  /** What the value counts: characters, elements, keys, or itself. */
  readonly length: Limits | null;
  readonly elements: Limits | null;
  readonly keys: Limits | null;
  readonly amount: Limits | null;
  readonly pattern: RegExp | null;
  readonly required: readonly string[];
  readonly properties: ReadonlyMap<string, Rule>;
  /** Null where further properties are free. */
  readonly additional: Rule | null;
  readonly items: Rule | null;
  readonly uniqueItems: boolean;
  /** Whether nothing but the value itself has to be looked at. */
  readonly isPlain: boolean;
  readonly also: readonly Rule[];
  readonly not: Rule | null;
  /** `if`, and what follows where it is kept and where it is broken. */
  readonly test: Rule | null;
  readonly whenKept: Rule | null;
  readonly whenBroken: Rule | null;
}

export interface Limits {
  readonly least: { readonly keyword: string; readonly limit: number } | null;
  readonly most: { readonly keyword: string; readonly limit: number } | null;
}

/** The rule of a published schema, by its name. */
export function readRule(name: string): Rule {
  const document = schemaDocuments[name]!;
  return ruleOf(document, String(document['$id']), new Map());
}

type Known = Map<Json, Keywords>;

/** Schemas nest as deep as they are written, so the recursion is bounded. */
function ruleOf(schema: Json, document: string, known: Known): Rule {
  if (typeof schema === 'boolean') return schema;
  const earlier = known.get(schema);
  if (earlier !== undefined) return earlier;
  const object = objectOf(schema);
  // A part that only says what it is allows everything.
  if (Object.keys(object).every((key) => key === 'description')) return true;
  // One that only refers to another is that other.
  const target = textOf(object['$ref']);
  if (
    target !== null &&
    Object.keys(object).every((key) => key === '$ref' || key === 'description')
  ) {
    return follow(target, document, known);
  }
  const rule = (part: Json | undefined): Rule | null =>
    part === undefined ? null : ruleOf(part, document, known);
  const properties = new Map<string, Rule>();
  const also: Rule[] = [];
  const keywords: { -readonly [Key in keyof Keywords]: Keywords[Key] } = {
    ...plainKeywords(object),
    properties,
    also,
    isPlain: false,
    additional: null,
    items: null,
    not: null,
    test: null,
    whenKept: null,
    whenBroken: null,
  };
  // A schema may refer to itself, so it is known before its parts are read.
  known.set(schema, keywords);
  for (const [name, part] of Object.entries(objectOf(object['properties']))) {
    properties.set(name, ruleOf(part, document, known));
  }
  keywords.additional = rule(object['additionalProperties']);
  keywords.items = rule(object['items']);
  keywords.not = rule(object['not']);
  keywords.test = rule(object['if']);
  keywords.whenKept = rule(object['then']);
  keywords.whenBroken = rule(object['else']);
  for (const part of elements(object['allOf'])) also.push(ruleOf(part, document, known));
  const reference = textOf(object['$ref']);
  if (reference !== null) also.push(follow(reference, document, known));
  keywords.isPlain = also.length === 0 && keywords.not === null && keywords.test === null;
  return keywords;
}

function follow(reference: string, document: string, known: Known): Rule {
  const [address = '', path = ''] = reference.split('#');
  const id = address === '' ? document : address;
  let part: Json = Object.values(schemaDocuments).find((each) => each['$id'] === id)!;
  for (const key of path.split('/').slice(1)) part = objectOf(part)[key]!;
  return ruleOf(part, id, known);
}

function plainKeywords(object: JsonObject) {
  const { type, enum: listed, const: only, pattern, required } = object;
  return {
    types: type === undefined ? null : [type].flat().map(String),
    allowed: only === undefined ? (listed === undefined ? null : elements(listed)) : [only],
    length: limitsOf(object, 'minLength', 'maxLength'),
    elements: limitsOf(object, 'minItems', 'maxItems'),
    keys: limitsOf(object, 'minProperties', 'maxProperties'),
    amount: limitsOf(object, 'minimum', 'maximum'),
    pattern: pattern === undefined ? null : new RegExp(String(pattern), 'u'),
    required: elements(required).map(String),
    uniqueItems: object['uniqueItems'] === true,
  };
}

function limitsOf(object: JsonObject, least: string, most: string): Limits | null {
  const read = (keyword: string) => {
    const limit = object[keyword];
    return typeof limit === 'number' ? { keyword, limit } : null;
  };
  const limits = { least: read(least), most: read(most) };
  return limits.least === null && limits.most === null ? null : limits;
}
