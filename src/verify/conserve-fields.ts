/**
 * The fields of a workflow, in all dialects, and where in a squad their values stand. Part of
 * conserve.ts; like it, without a line of the compiler.
 */
import { asObject, isObject, type Json, type JsonObject, textOf } from '../text/json.js';
import { child, type JsonPointer, valueAt } from '../text/pointer.js';

/** Where values stand in an assistant; positions in lists are `#`. */
export const places = {
  /** What the model is told. */
  told: /\/model\/messages\/#\/content(?:\/#\/text)?$/,
  /** What the caller hears. */
  said: /\/(?:firstMessage|content|message|text|endCallMessage)$/,
  /** When something happens, and what something is. */
  when: /\/(?:description|content|message)$/,
  /** As told: the name of a variable, outside of outputs; and the line that asks for it. */
  named: /\/model\/messages\/#\/content(?:\/#\/text)?$/,
  asked: /\/model\/messages\/#\/content(?:\/#\/text)?$/,
  /** Whatever a model reads. */
  read: /\/(?:content|message|description|text|title|value|enum\/#|aliases\/[^/]+)$/,
  /** What descriptions say, and what the platform speaks: in prompts of squadc the rest has labels. */
  described: /\/description$/,
  heard: /(?<!\/model\/messages\/#)\/(?:firstMessage|content|message|text|endCallMessage)$/,
  /** A setting of the assistant; or a part of one of its tools, or of a destination of one. */
  set: /^/,
  sent: /^/,
} as const;
export type Place = keyof typeof places;

/** A text, a number or a flag within a value. */
export interface Leaf {
  readonly at: JsonPointer;
  /** Its keys; a position is `#`, or the key of an element that has a key and a value. */
  readonly path: string;
  readonly value: string;
}

export interface Expected extends Leaf {
  readonly place: Place;
}

/** What has to stand together in one assistant; each list of `tools` in one tool or destination. */
export interface Part {
  readonly values: readonly Expected[];
  readonly tools: readonly (readonly Expected[])[];
  /** Names of the variables that it sets. */
  readonly sets: readonly string[];
  /** It stands in every assistant that the squad contains. */
  readonly isEverywhere?: boolean;
  /** Of all parts of this choice, one has to stand. */
  readonly choice?: string | undefined;
}

export const listOf = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : [];

export function leavesOf(value: Json | undefined, at: JsonPointer = '', path = ''): Leaf[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: Json, index) => {
      const { key, value: paired } = asObject(each);
      const place = child(at, index);
      return typeof key === 'string' && paired !== undefined
        ? leavesOf(paired, child(place, 'value'), `${path}/${key}`)
        : leavesOf(each, place, `${path}/#`);
    });
  }
  if (!isObject(value)) return (value ?? null) === null ? [] : [{ at, path, value: String(value) }];
  return Object.entries(value).flatMap(([key, each]) =>
    leavesOf(each, child(at, key), `${path}/${key}`),
  );
}

/** What a node does, by its type in any spelling, or by that of its tool. */
export type Kind = 'talk' | 'assistant' | 'request' | 'transfer' | 'end' | 'tool';
const kinds: readonly (readonly [types: RegExp, kind: Kind])[] = [
  [/^(?:conversation|say|start|gather)$/, 'talk'],
  [/^assistant$/, 'assistant'],
  [/^apirequest$/, 'request'],
  [/^transfer(?:call)?$/, 'transfer'],
  [/^(?:end(?:call)?|hangup)$/, 'end'],
  [/^tool$/, 'tool'],
];

export function kindOf(node: JsonObject): Kind {
  const { type, tool, toolId, assistant, assistantId, url } = node;
  const find = (name: Json | undefined) => {
    const plain = textOf(name ?? '')
      .toLowerCase()
      .replaceAll(/[-_\s]/g, '');
    return kinds.find(([types]) => types.test(plain))?.[1];
  };
  const kind = find(type);
  if (isObject(tool) && (kind ?? 'tool') === 'tool') return find(tool['type']) ?? 'tool';
  const guess = toolId ? 'tool' : assistant || assistantId ? 'assistant' : url ? 'request' : 'talk';
  return kind ?? guess;
}

/** What the platform adds to what it stores. */
const ofRecords = /\/(?:id|orgId|createdAt|updatedAt|isServerUrlSecretSet)$/;
const prompts = '(?:prompt|systemPrompt|instructions|systemMessage)';
const variables =
  '(?:extractVariables|extract_variables|extractedVariables|output|variableExtractionPlan/(?:schema|output))';
const settings =
  'voice|transcriber|model|analysisPlan|artifactPlan|background(?:Sound|SpeechDenoisingPlan)|(?:client|server)Messages|compliancePlan|credential(?:Id)?s|endCall(?:Message|Phrases)|hooks|keypadInputPlan|maxDurationSeconds|silenceTimeoutSeconds|modelOutputInMessagesEnabled|monitorPlan|observabilityPlan|server|st(?:art|op)SpeakingPlan|transportConfigurations|variableValues|voicemail(?:Detection|Message)';
const ofModel = `(?:/assistant)?/model/(?:messages|tools|toolIds|toolRefs|workflow|${prompts})(?:/|$)`;

/** Nodes of these kinds have these fields, whose values stand in this place; the first row counts. */
type Row = readonly [kinds: string, fields: RegExp, place: Place | null];
const rows: readonly Row[] = (
  [
    ['', `/${prompts}$`, 'told'],
    ['talk assistant all', `(?:/assistant)?/${prompts}$`, 'told'],
    [
      'talk assistant all',
      `(?:/assistant)?/model/(?:${prompts}|messages/#/content(?:/#/text)?)$`,
      'told',
    ],
    [
      'talk',
      `/${variables}/(?:properties/)?[^/]+/(?:description|extractionPrompt|enums?/#)$`,
      'read',
    ],
    ['talk', '/(?:options/#|variableExtractionPlan/aliases/[^/]+)$', 'read'],
    [
      'talk assistant all tool',
      '(?:/assistant)?(?:/model)?/(?:toolIds/#|toolRefs/#/(?:toolId|version)|toolId)$',
      'set',
    ],
    [
      'talk assistant all tool transfer',
      '(?:/assistant)?(?:/model)?/tools?(?:/#)?/messages/#/content$',
      'said',
    ],
    ['request', '(?:/tool)?/messages/#/content$', 'said'],
    ['request tool talk all', '(?:/tool|(?:/model)?/tools/#)?(?:/function)?/description$', 'when'],
    ['talk assistant all', '(?:/assistant)?(?:/model)?/tools/#/.*', 'sent'],
    ['tool', '/tool/.*', 'sent'],
    [
      'request',
      '(?:/tool)?/(?:method|url|timeoutSeconds|credentialId|(?:headers|body|parameters|backoffPlan|rejectionPlan|encryptedPaths|messages|variableExtractionPlan)/.*)',
      'sent',
    ],
    ['transfer', '(?:/tool)?(?:/destinations?(?:/#)?|/transferPlan)?/message$', 'said'],
    ['transfer', '(?:/tool)?/destinations?(?:/#)?/description$', 'when'],
    ['transfer', '(?:/tool)?/(?:destination|number|sipUri|phoneNumber)$', 'sent'],
    [
      'transfer',
      '(?:/tool)?/destinations?(?:/#)?/(?!(?:#/)?(?:type|numberE164CheckEnabled)$).*',
      'sent',
    ],
    ['talk assistant all', ofModel, null],
    ['assistant', '/assistant/(?:firstMessage|exact|text|message|name)$', null],
    ['assistant', '/assistant/.*', 'set'],
    ['assistant', '/assistant(?:Id|Version)$', 'set'],
    ['tool', '/version$', 'set'],
    ['talk', '/(?:voice|transcriber|model)/.*', 'set'],
    ['all', '/globalPrompt$', 'told'],
    ['all', `/(?:${settings})(?:/.*)?$`, 'set'],
  ] as const
).map(([of, fields, place]) => [of, new RegExp(`^${fields}`), place]);

/** The tool or destination that a field is part of, within its node. */
const units =
  /^(?:\/assistant)?(?:\/model)?\/tools\/\d+|^(?:\/tool)?\/destinations\/\d+|^(?:\/tool)?\/destination(?=\/)|^\/tool(?=\/)/;

/** The values of an object that have to stand in the squad; `kind` may be all that is shared. */
export function valuesOf(object: JsonObject, at: JsonPointer, kind: Kind | 'all'): Part {
  const values: Expected[] = [];
  const tools = new Map<string, Expected[]>();
  const placeOf = (path: string): Place | null => {
    const isOf = (of: string) => (of === '' ? kind !== 'all' : of.split(' ').includes(kind));
    return rows.find(([of, fields]) => isOf(of) && fields.test(path))?.[2] ?? null;
  };
  const placesOf = new Map<string, Place | null>();
  for (const leaf of leavesOf(object, at)) {
    if (!placesOf.has(leaf.path)) placesOf.set(leaf.path, placeOf(leaf.path));
    const place = placesOf.get(leaf.path)!;
    // An empty message of a destination is silence.
    const isSilence =
      kind === 'transfer' && leaf.value === '' && /\/destinations?\/.*message$/.test(leaf.path);
    if (place === null || (!isSilence && isIdle(object, leaf, at, kind))) continue;
    if (place === 'set' && isOfUnusable(object, leaf.path)) continue;
    if (place !== 'sent' && !isSilence) values.push({ ...leaf, place });
    else {
      const inside = leaf.at.slice(at.length);
      const unit = units.exec(inside)?.[0] ?? '';
      const path = leaf.path.slice(unit.replaceAll(/\/\d+/g, '/#').length);
      const own = tools.get(unit) ?? [];
      own.push({ ...leaf, path, place: 'sent' });
      tools.set(unit, own);
    }
  }
  return { values, tools: [...tools.values()], sets: [] };
}

/** A field that is exactly one output may have become an argument of its tool. */
const isOutput = (text: Json | undefined) =>
  typeof text === 'string' && /^\s*\{\{-?\s*[\p{L}_][\p{L}\p{N}_.-]*\s*-?\}\}\s*$/u.test(text);

/** A model without provider and name is none. */
function isOfUnusable(holder: JsonObject, path: string): boolean {
  const [place] = /^(?:\/assistant)?\/model(?=\/(?!tool))/.exec(path) ?? [];
  if (place === undefined) return false;
  const { provider, model } = asObject(valueAt(holder, place));
  return typeof provider !== 'string' || typeof model !== 'string';
}

/** What says nothing, what a model says itself, and what editors write into every tool. */
function isIdle(
  holder: JsonObject,
  { at, path, value }: Leaf,
  base: JsonPointer,
  kind: string,
): boolean {
  if (value.trim() === '' || ofRecords.test(path)) return true;
  if (/\/(?:type\/#|\$schema|additionalProperties|async)$/.test(path)) return true;
  if (/\/(?:body|parameters)\//.test(path)) {
    // It may have become a property that the model fills in, of another type.
    const holding = asObject(valueAt(holder, at.slice(base.length).replace(/\/type$/, '')));
    if ([value, holding['value'], holding['default'], holding['enum']].some(isOutput)) return true;
  }
  const [, place, of] = /^(.*)\/(messages\/\d+|function)\//.exec(at.slice(base.length)) ?? [];
  if (of === undefined) return false;
  const around = asObject(valueAt(holder, place!));
  const inside = asObject(valueAt(holder, `${place}/${of}`));
  const { role = '', type = 'request-start', name = '' } = inside;
  // The first line of a transfer is that of its node.
  if (kind === 'transfer' && type === 'request-start') return true;
  if (of !== 'function') return place!.endsWith('model') && /^assistant$/i.test(textOf(role));
  const isStub = /^(?:untitled_tool|api_request_tool)$/.test(textOf(name));
  return around['type'] !== 'function' && (isStub || around['type'] !== 'apiRequest');
}

export const expect = (place: Place, at: JsonPointer, value: Json, path = ''): Expected => ({
  at,
  path,
  value: textOf(value),
  place,
});

export interface Variable {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly choices: readonly string[];
  /** How squadc asks for it. */
  readonly line: string;
  readonly at: JsonPointer;
}

/** The variables that a node captures, in any form: a list, an object by name, a schema. */
export function variablesOf(node: JsonObject, at: JsonPointer): Variable[] {
  const plan = asObject(node['variableExtractionPlan']);
  const planAt = child(at, 'variableExtractionPlan');
  const own = ['extractVariables', 'extract_variables', 'extractedVariables', 'output'];
  const all = [
    ...['schema', 'output'].map((key) => [plan[key], child(planAt, key)] as const),
    ...own.map((key) => [node[key], child(at, key)] as const),
  ];
  const declared = all.flatMap(([given, place]): (readonly [string, Json, JsonPointer])[] => {
    if (Array.isArray(given)) {
      return given.flatMap((each: Json, index) => {
        const { name, title, key, variableName } = asObject(each);
        const called = name ?? title ?? key ?? variableName ?? null;
        return called === null ? [] : [[textOf(called), each, `${place}/${index}`] as const];
      });
    }
    const { properties, type } = asObject(given);
    const isSchema = isObject(properties) || type === 'object';
    const inside = isSchema ? child(place, 'properties') : place;
    const named = Object.entries(isSchema ? asObject(properties) : asObject(given));
    return named.flatMap(([name, each]) =>
      isObject(each) ? [[name, each, child(inside, name)] as const] : [],
    );
  });
  const { variable, options } = node;
  const isAsked = (variable ?? options ?? null) !== null;
  const asked = isAsked
    ? [[textOf(variable ?? 'input'), { enum: options ?? [] }, at] as const]
    : [];
  return [...declared, ...asked].map(([name, given, place]) => {
    const {
      type,
      dataType,
      description = '',
      extractionPrompt = '',
      enum: choices,
      enums,
    } = asObject(given);
    const [first = 'string'] = [type ?? dataType ?? 'string'].flat().filter((it) => it !== 'null');
    const said = textOf(first as Json).toLowerCase();
    const [kind = 'string'] = Object.keys(types).filter(
      (it) => it === said || types[it]!.includes(said),
    );
    const described = [...new Set([description, extractionPrompt].map((it) => textOf(it ?? '')))];
    const words = described.filter((it) => it !== '').join('\n\n');
    const listed = listOf(choices ?? enums).map(textOf);
    const of = listed.length === 0 ? '' : `; one of ${listed.join(', ')}`;
    const line = `- Find out ${name} (${kind})${words && `: ${words}`}${of}\n`;
    return { name, type: kind, description: words, choices: listed, line, at: place };
  });
}

/** Types, and other names of them. */
const types: Readonly<Record<string, readonly string[]>> = {
  integer: ['int', 'long'],
  number: ['float', 'double', 'decimal'],
  boolean: ['bool'],
  array: ['list'],
  object: [],
};
