/** What is expected of a document, field by field, and where it may stand in a squad (conserve.ts). */
import { groupBy } from '../graph/lists.js';
import { asObject, isObject, type Json, type JsonObject } from '../text/json.js';
import { child, type JsonPointer } from '../text/pointer.js';

/** Where values stand in an assistant, or in what all of them share; positions in lists are `#`. */
export const places = {
  said: /\/(?:\*|firstMessage|content|message|description|text|enum\/#|title|endCallMessage|exact(?:\/#)?)$/,
  tool: /\/tools(?::append)?\/#\/|\/tool(?:Ids|Refs)\//,
  answer: /\/variableExtractionPlan\/(?:aliases\/#\/(?:key|value)|schema\/.*\/\*)$/,
  any: /^/,
  setting: /^(?!\/(?:assistant\/)?model\/(?:messages|tools)\/)/,
} as const;

export type Place = keyof typeof places;

/** Paths within a node, an edge or the workflow, and where their values stand. */
type Fields = readonly (readonly [paths: RegExp, place: Place])[];

const texts = '(?:text|message|content|description|title|enum\\/#)';

/** What a capture consists of is told only where a schema asks for it. */
const notOfParts = '(?!.*\\/properties\\/[^/]+\\/(?:items\\/|properties\\/|title$))';

/** What the platform writes itself. */
const records = 'id|orgId|createdAt|updatedAt|latestVersion|isServerUrlSecretSet';

export const ofNodes: Fields = [
  [
    /^\/(?:(?:messagePlan\/)?firstMessage|systemPrompt|prompt|text|message|exact|variable)$/,
    'said',
  ],
  [/^\/systemPrompt\/#$|^\/(?:model|assistant\/model)\/messages\/#\/content$/, 'said'],
  [
    /^\/extractVariables\/(?:#|[^/]+)\/(?:name|variableName|description|enums?\/#)$|^\/options\/#$/,
    'said',
  ],
  [/^\/(?:output|variableExtractionPlan\/(?:schema|output))\/properties\/\*$/, 'said'],
  [/^\/responseVariables\/#\/(?:name|variableName|path)$/, 'answer'],
  [/^\/tool\/variableExtractionPlan\/(?:schema\/properties\/\*|aliases\/#\/.*)$/, 'answer'],
  [new RegExp(`^\\/(?:output|variableExtractionPlan)\\/${notOfParts}.*\\/${texts}$`), 'said'],
  [
    /^\/tools?(?:\/#)?\/(?:body|headers|(?:function\/)?parameters)\/.*\/(?:description|enum\/#)$/,
    'tool',
  ],
  [new RegExp(`^\\/(?:tools?(?:\\/#)?|destination|transferPlan)\\/.*${texts}$`), 'said'],
  [
    new RegExp(
      `^\\/destination$|^\\/(?:tool|tools\\/#|destination)\\/(?!type$|(?:destinations\\/#\\/)?(?:${records})(?:\\/|$)|.*(?<!^\\/tool\\/(?:body|headers)(?:\\/properties\\/[^/]+)?)\\/type$|.*\\/?name$|variableExtractionPlan\\/schema\\/)`,
    ),
    'tool',
  ],
  [/^\/(?:url|method|timeoutSeconds|headers\/.*|body\/(?!type$).*|tool(?:Ids?|Refs).*)$/, 'tool'],
  [
    /^\/(?:voice|transcriber|(?:start|stop)SpeakingPlan|hooks)\/|^\/maxDurationSeconds$|^\/model\/(?!messages|tools|workflow)/,
    'setting',
  ],
  [/^\/(?:assistant\/)?(?:firstMessage|endCallMessage|messagePlan\/idleMessages\/#)$/, 'said'],
  [/^\/assistant\/(?!model\/(?:messages|tools)|name$)|^\/assistantId$/, 'setting'],
];
export const ofEdges: Fields = [
  [/^\/condition(?:\/prompt|\/liquid|\/matches\/#|\/expression)?$/, 'said'],
  [/^\/condition\/type$/, 'any'],
];
export const ofGlobals: Fields = [[/^\/condition$|^\/globalNodePlan\/enterCondition$/, 'said']];
const settings =
  'voice|transcriber|model|artifactPlan|backgroundSound|server(?:Url(?:Secret)?)?|credentialIds|maxDurationSeconds|(?:start|stop)SpeakingPlan';
/** Of the workflow, or of an assistant around it, for the nodes that have no setting of their own. */
export const ofAll: Fields = [
  [
    /^\/(?:globalPrompt|firstMessage|messagePlan\/idleMessages\/#|(?:model\/)?messages\/#\/content)$/,
    'said',
  ],
  [new RegExp(`^\\/(?!model\\/(?:messages|tools|workflow))(?:${settings})(?:\\/|$)`), 'setting'],
];

/** What an answer gives, within its value. */
export const ofAnswers: Fields = [
  [/^$|\/(?:number|sip|uri|sipUri|url|method|condition|secret|credentialId)$/, 'any'],
];

/** By kind of question, or kind and choice, what an answer replaces in its node; `(?!)` for none. */
export const replacedBy: Readonly<Record<string, RegExp>> = {
  'missing-endpoint': /\/(?:url|method)$/,
  'missing-auth': /(?!)/,
  'missing-destination': /\/(?:destination|number|sipUri)$/,
  'missing-condition': /\/(?:condition|enterCondition)$/,
  'two-openings assistant': /\/firstMessage$/,
};

/** What a talk node has no use for. */
export const ofOthers = /^(?:url|method|headers|body|timeoutSeconds|destination|transferPlan)$/;

/** What only a talk node sets. */
export const ofTalk =
  /^(?:voice|transcriber|model|(?:start|stop)SpeakingPlan|hooks|maxDurationSeconds)$/;

/** All that a node has that only says a line; it needs no setting of the workflow. */
export const ofLines =
  /^(?:id|name|type|isStart|metadata|firstMessage|messagePlan|exact|text|message|voice|transcriber|model)$/;

export interface Leaf {
  readonly at: JsonPointer;
  /** The path within its node, edge or member, list positions as `#`. */
  readonly path: string;
  readonly value: string;
  /** A number or a flag, which may stand anywhere by chance. */
  readonly isPlain: boolean;
}

export interface Expected extends Leaf {
  /** `free` if it need not stand anywhere. */
  readonly place: Place | 'free';
}

/** What the platform does without being told. */
const byDefault =
  /\/firstMessageMode assistant-speaks-first$|^\/condition\/type (?!failed$)|\/type\/# |\/properties\/[^/]+\/type (?!(?:array|boolean|integer|number|object|string)$)/;

/** A name that an argument of a tool may not have. */
const isOddName = ({ path, value }: Leaf) =>
  /^(?!.*\/headers\/).*\/\*$/.test(path) && !/^[a-z]\w*$/i.test(value);

const isOutput = /^\{\{ *[\p{L}_][\p{L}\p{N}_.-]* *\}\}$/u;

/** The values of a part that are in fields of the table. */
export function expectedOf(value: Json, at: JsonPointer, fields: Fields): Expected[] {
  return leavesOf(value, at).flatMap((leaf) => {
    const field = fields.find(([path]) => path.test(leaf.path));
    const text = leaf.value.trim();
    // Without a message, the platform says one of its own when it transfers a call.
    const isSilent =
      leaf.value === '' && /^\/(?:tool\/destinations\/#|destination)\/message$/.test(leaf.path);
    if (isSilent) return [{ ...leaf, isPlain: true, place: 'tool' as const }];
    const isLeftOut = text === '' || byDefault.test(`${leaf.path} ${text}`);
    // A field that is exactly one output may have become an argument of its tool; a header cannot.
    const isInput = isOutput.test(text) && !/\/headers\//.test(leaf.path);
    const isFree = field?.[1] === 'tool' && (isInput || isOddName(leaf));
    if (field === undefined || isLeftOut) return [];
    const place = leaf.isPlain && leaf.path.startsWith('/tool') ? 'tool' : field[1];
    return [{ ...leaf, value: text, place: isFree ? 'free' : place }];
  });
}

/** A capture, or a property of a schema. */
interface Asked {
  readonly at: JsonPointer;
  readonly name: string;
  /** Null for one that no schema has. */
  readonly type: string | null;
  readonly description: string;
  readonly choices: readonly string[];
  /** Whatever else is said of it: `/format email`. */
  readonly rest: readonly string[];
  /** Whether a function asks for it: someone else says what it takes. */
  readonly isInput: boolean;
}

/** What a value asks for. */
export function askedIn(value: Json, at = '', inside = '', isFunction = false): Asked[] {
  const isList = Array.isArray(value);
  if (!isList && !isObject(value)) return [];
  const { options = null, type: kind } = asObject(value);
  const isPicked = Array.isArray(options) && inside === '';
  const picked = isPicked ? asked('input', { enum: options }, `${at}/output/`) : [];
  const isInput = isFunction || kind === 'function';
  const isNamed = /^(?:properties|extractVariables|output)$/.test(inside);
  const within = Object.entries(value as JsonObject).flatMap(([key, it]) => {
    const place = child(at, key);
    const { name: given, variableName, title } = asObject(it);
    const name = isList ? (given ?? variableName ?? title) : key;
    const own = isNamed && isObject(it) ? asked(`${name}`, it, place, isInput) : [];
    return [own, askedIn(it, place, isList ? '' : key, isInput)].flat();
  });
  return [picked, within].flat();
}

/** What a schema of the platform says as it is: other keywords become a part of a description. */
const carried =
  /\/(?:\*|description|pattern|title) .|\/enum\/# |\/type (?:array|boolean|integer|number|object|string)$|\/format (?:date(?:-time)?|time|duration|email|hostname|ipv[46]|uuid)$/s;

/** Nothing if its value is fixed; what tells the destination of a handoff is no variable. */
function asked(name: string, it: JsonObject, at: JsonPointer, isInput = false): Asked | [] {
  const { extractionPrompt = '', dataType = null, enum: one = [], enums = [] } = it;
  const { type = dataType, description: words = extractionPrompt } = it;
  if ('value' in it || 'const' in it || name === 'destination') return [];
  const kind = `${type}`.toLowerCase().replace(/^int$/, 'integer');
  const isType = /^(?:array|boolean|integer|number|object|string)$/.test(kind);
  // Choices of a part that are no texts become words of its description.
  const listed = [one, enums].flat().filter((it) => typeof it === 'string' || !isNested(at));
  const [description, choices] = [`${words}`, [...new Set(listed.map(String))]];
  const { items = null, properties = null, format = null, pattern = null } = it;
  const leaves = leavesOf({ items, properties, format, pattern }).filter((leaf) => !leaf.isPlain);
  const rest = leaves.map((leaf) => `${leaf.path} ${leaf.value}`).filter((it) => carried.test(it));
  return { at, name, type: isType ? kind : null, description, choices, rest, isInput };
}

/** Whether it is a part of what is asked for. */
const isNested = (at: JsonPointer) => /\/properties\/.*\/properties\//.test(at);

const isCapture = ({ at }: Asked) =>
  /\/(?:extractVariables|\w*ExtractionPlan|output|structuredOutputs)\//.test(at);

/** Of what has been read of a node: name and node. */
const keyOf = ({ at, name }: Asked) => `${placeOf(at)} ${name}`.trim();

/** The node or edge that a place is in; empty for a place in a squad. */
const placeOf = (at: JsonPointer) => /^.*?\/(?:nodes|edges)\/\d+/.exec(at)?.[0] ?? '';

/** The captures under whose names a schema of the squad asks for something else. */
export function askedOtherwise(
  wanted: readonly Asked[],
  given: readonly Asked[],
  normal: (text: string) => string,
) {
  const [byName, byNode] = [groupBy(wanted, ({ name }) => name), groupBy(wanted, keyOf)];
  return given.flatMap((it) => {
    const { name, type, description, choices, rest, isInput } = it;
    const every = byNode.get(keyOf(it)) ?? byName.get(keyOf(it)) ?? [];
    // What fills a field of a tool may be the tool's own.
    const own = isCapture(it) ? every.filter(isCapture) : every;
    const [first] = own;
    // A function may ask for a capture that no call reaches.
    if (first === undefined || !own.some(isCapture) || (isInput && description === name)) return [];
    const types = own.map((it) => it.type ?? type);
    const isTyped = types.includes(type) || (type === 'string' && new Set(types).size > 1);
    // In a squad a capture without a description has its name; what it consists of has none.
    const isNamed = placeOf(it.at) === '' && !isNested(it.at);
    const isToldBy = (one: Asked) => {
      const words = one.description || (isNamed && isCapture(one) ? name : '');
      return normal(description).includes(normal(words));
    };
    const all = own.flatMap((it) => it.choices);
    const isFree = choices.length > 0 || own.some((it) => it.choices.length === 0);
    const isAny = isFree && choices.every((it) => all.includes(it));
    const isChoice = own.length > 1 ? isAny : `${choices}` === `${all}`;
    const said = rest.map(normal);
    const says = (each: string) => said.some((one) => one.startsWith(normal(each)));
    const isWhole = own.some((it) => it.rest.every(says));
    // It may leave choices open.
    const isOpen = isInput && choices.length + rest.length === 0;
    const isSame = isTyped && own.some(isToldBy) && (isOpen || (isChoice && isWhole));
    return isSame ? [] : { at: first.at, value: `${name} (${first.type}): ${first.description}` };
  });
}

/** What squadc has read: captures, and the texts of nodes and edges with the names that they read. */
export interface Reading {
  readonly captures: readonly Asked[];
  readonly texts: readonly { readonly at: JsonPointer; readonly texts: readonly ReadText[] }[];
}

interface ReadText {
  readonly value: string;
  readonly uses: readonly { readonly name: string }[];
  /** Whether it is a condition that is an expression. */
  readonly logical?: boolean;
}

const operand = String.raw`(?:[\p{L}_][\p{L}\p{N}_]*|\{\{ *[\p{L}_][\p{L}\p{N}_]* *\}\}|\d+|"[^"]*"|'[^']*')`;
/** A condition that compares a variable with a value. */
const comparison = new RegExp(`^\\s*(${operand}) *(?:[=!<>]=|[<>]) *(${operand})\\s*$`, 'u');
/** An output of a variable, or a tag that asks for one. */
const readings =
  /\{(?:\{-? *(?<one>[\p{L}_][\p{L}\p{N}_-]*) *[.|[}-]|%-? *(?:if|elsif|unless|case) +(?<two>[\p{L}_][\p{L}\p{N}_]*))/gu;
const setting = /\{%-? *(?:assign|capture|cycle|decrement|for|increment|tablerow)\b/;
const literal = /^(?:blank|empty|false|nil|null|true)$/;

/** The texts of nodes and edges of which a name was not read; and the words of conditions. */
export function misread(
  expected: readonly Expected[],
  captures: readonly Asked[],
  texts: Reading['texts'],
) {
  const isCaptured = new Set(captures.map(({ name }) => name));
  // A tool may read what the model fills in.
  const isArgument = new Set(captures.map(keyOf));
  const byPlace = groupBy(texts, ({ at }) => placeOf(at));
  const read = new Map(
    Array.from(byPlace, ([place, all]) => {
      const own = all.flatMap((it) => it.texts);
      const names = new Set(own.flatMap(({ uses }) => uses.map(({ name }) => name)));
      return [place, { own, names }];
    }),
  );
  return expected.flatMap(({ at, value }) => {
    const place = placeOf(at);
    const there = read.get(place);
    // What an answer gives was not read.
    if (there === undefined || at === place) return [];
    const operands = comparison.exec(value)?.slice(1) ?? [];
    const names = operands.map((it) => it.replace(/^\{\{ *| *\}\}$/g, ''));
    const compared = names.filter((it) => isCaptured.has(it));
    const isReadSo = (it: ReadText) =>
      it.value.includes(value) && (compared.length === 0 || it.logical === true);
    const isLost = place.includes('/edges/') && !there.own.some(isReadSo);
    // A name may be the text's own.
    const found = setting.test(value) ? [] : [...value.matchAll(readings)];
    const shown = found.map(({ groups }) => groups!['one'] ?? groups!['two']!);
    const isOwn = (it: string) => isArgument.has(`${place} ${it}`) || literal.test(it);
    const isRead = (it: string) => there.names.has(it) || isOwn(it);
    return isLost || ![...compared, ...shown].every(isRead) ? { at, value } : [];
  });
}

/** Of a member of a list, with the list's: `/required/#`; of a type or a description with the property's. */
export const lastKey = (path: string) =>
  /(?<=\/properties)\/[^/]+\/(?:type|description)$|\/[^/]*(?:\/#)*$/.exec(path)?.[0] ?? '';

/** The texts, numbers and flags within a value. */
export function leavesOf(value: Json, at: JsonPointer = '', path = ''): Leaf[] {
  if (Array.isArray(value)) {
    return value.flatMap((each: Json, index) => leavesOf(each, child(at, index), `${path}/#`));
  }
  if (value === null || value === undefined) return [];
  if (!isObject(value))
    return [{ at, path, value: simple(path, String(value)), isPlain: typeof value !== 'string' }];
  const isNamed = path.endsWith('/properties');
  return Object.entries(value).flatMap(([key, each]) => [
    ...(isNamed ? [{ at: child(at, key), path: `${path}/*`, value: key, isPlain: false }] : []),
    ...leavesOf(each, child(at, key), `${path}/${key.replaceAll('/', '~1')}`),
  ]);
}

/** Methods have no case. */
function simple(path: string, value: string): string {
  return lastKey(path) === '/method' ? value.toUpperCase() : value;
}
