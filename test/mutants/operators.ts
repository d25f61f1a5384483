/**
 * Damage on purpose: what is done to the values of a squad, as a table over their kinds.
 *
 * An operator asks no checker. It makes only squads that mean something else than the one that they
 * were made of; where a change may mean nothing, a guard stands beside it and says why.
 */
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';
import type { JsonPointer } from '../../src/index.js';
import {
  append,
  change,
  drop,
  isSame,
  listOf,
  objectOf,
  put,
  textOf,
  type Value,
  type View,
  valueAt,
} from './parts.js';

export interface Mutation {
  readonly squad: JsonObject;
  /** The place that was damaged, and what it is. */
  readonly at: JsonPointer;
  readonly kind: string;
}

export interface Operator {
  readonly name: string;
  /** The item of the checklist that is expected to fail; null where it is not clear, or a walk does. */
  readonly item: number | null;
  /** The checker of the first house did not look for it. */
  readonly isNew?: boolean;
  readonly mutate: (view: View) => Iterable<Mutation>;
}

type Verb = 'lost' | 'changed' | 'emptied' | 'renamed' | 'moved' | 'copied' | 'doubled' | 'swapped';
/** Whether the changed squad is harmed; where a row has none, it always is. */
type Guard = (view: View, part: Value, after: JsonObject) => boolean;

/** Something that a destination stood for is offered nowhere any more. */
const leavesGap: Guard = (view, _, after) => {
  const namesAfter = listOf(valueAt(after, view.membersAt)).map((member) =>
    textOf(valueAt(member, '/assistant/name')),
  );
  return view.values.some((each) => {
    if (each.kind !== 'handoff/destinations/-') return false;
    const target = view.names.indexOf(textOf(objectOf(each.value)['assistantName']));
    const left = destinationsOf(view, after, each.member).filter(
      (other) => namesAfter.indexOf(textOf(other['assistantName'])) === target,
    );
    const conditions = conditionsOf(view, each);
    if (conditions.length === 0) return left.length === 0;
    const described = left.map((other) => textOf(other['description']));
    return conditions.some((text) => !described.some((other) => other.includes(text)));
  });
};

/** The part is the only one of the member that does the same: names and descriptions aside. */
const isOnlyOne: Guard = ({ values }, part) =>
  values.filter(
    (other) => other.kind === part.kind && other.member === part.member && doSame(other, part),
  ).length === 1;

const isQuoted: Guard = (_, { quotes }) => quotes.some(({ isSource }) => isSource);
/** The source, or an answer, names it: a default is nobody's wish. */
const isNamed: Guard = ({ workflow }, { value }) => workflow.includes(JSON.stringify(value));
const saysSomething: Guard = (_, { value }) => {
  const { type, properties } = objectOf(value);
  return Object.keys(objectOf(type === 'object' ? properties : value)).length > 0;
};
const isNotDestination: Guard = (_, { at, value }) =>
  !/\/destination$/.test(at) && value !== 'destination';
const isLedTo: Guard = ({ values }, { value }) =>
  values.some(
    ({ kind, value: to }) => kind === 'handoff/destinations/-/assistantName' && to === value,
  );
const isCalled: Guard = (view, { member, value }) =>
  view.lines.some(
    ({ member: own, text }) =>
      own === member && new RegExp(`call the tool ${escaped(textOf(value))}[;\\n]`).test(text),
  );

const tool = /^(?:apiRequest|function|transferCall)$/;
const plan = 'handoff/destinations/-/variableExtractionPlan';

/** Kinds of values, the item that is expected to fail, and what is done to them. */
const rows: readonly (readonly [
  RegExp | string,
  number | null,
  Partial<Record<Verb, Guard | true>>,
])[] = [
  ['members/-', 2, { lost: (view) => view.names.length > 1 }],
  ['members/-', null, { swapped: swapsEntry }],
  ['members/-', 7, { doubled: true }],
  ['assistant/name', 7, { changed: isLedTo }],
  ['assistant/name', 8, { lost: true }],
  ['assistant/name', null, { swapped: leavesGap }],
  ['assistant/firstMessage', null, { lost: says, changed: says, moved: says, swapped: true }],
  ['assistant/model/messages/-', 8, { lost: true }],
  ['assistant/model/messages/-/role', 8, { changed: true }],
  ['assistant/model/messages/-/content', null, { emptied: instructs }],
  [/^assistant\/model\/(?:provider|model)$/, null, { changed: isNamed }],
  [/^assistant\/(?!name$|firstMessage|model$)[^/]+$/, null, { lost: true, changed: true }],
  [/^members?Overrides\/[^/]+$/, null, { lost: true, changed: true }],
  ['handoff', 3, { lost: leavesGap, moved: leavesGap }],
  ['handoff/destinations/-', 3, { lost: leavesGap, doubled: standsForOne }],
  ['handoff/destinations/-/assistantName', 7, { changed: true }],
  ['handoff/destinations/-/assistantName', 3, { swapped: leavesGap }],
  ['handoff/destinations/-/description', 3, { changed: leavesGap, swapped: leavesGap }],
  ['handoff/destinations/-/description', 8, { lost: true, emptied: true }],
  ['handoff/destinations/-/contextEngineeringPlan', 8, { lost: true }],
  ['handoff/destinations/-/contextEngineeringPlan/type', 3, { changed: true }],
  [plan, 4, { lost: true, moved: true, swapped: differs }],
  [`${plan}/schema/properties/-`, 4, { lost: true, renamed: true }],
  [`${plan}/schema/properties/-/type`, 4, { changed: true }],
  [`${plan}/schema/properties/-/description`, 4, { changed: true }],
  [`${plan}/schema/properties/-/enum`, 4, { lost: true }],
  [`${plan}/schema/properties/-/enum/-`, 4, { lost: true, changed: true }],
  [`${plan}/schema/required/-`, 4, { lost: true }],
  [/^handoff\/function\/parameters\/properties\/-$/, 4, { lost: isNotDestination }],
  [/^handoff\/function\/parameters\/properties\/-\/(?:type|description)$/, 4, { changed: true }],
  ['handoff/function/parameters/required/-', 4, { lost: isNotDestination }],
  [/\/aliases\/-$/, null, { lost: true }],
  [/\/aliases\/-\/(?:key|value)$/, null, { changed: true }],
  [tool, 5, { lost: isOnlyOne, moved: isOnlyOne, copied: true, doubled: true, swapped: isOnlyOne }],
  [/^(?:apiRequest\/name|function\/function\/name)$/, 5, { changed: isCalled }],
  [/^apiRequest\/(?:url|method|timeoutSeconds|credentialId)$/, 5, { changed: true }],
  [/^apiRequest\/(?:credentialId|headers|body)$/, 5, { lost: saysSomething }],
  ['apiRequest/timeoutSeconds', 5, { lost: (_, { value }) => value !== 20 }],
  [/^apiRequest\/headers\/-$/, 5, { changed: true }],
  [/^apiRequest\/headers\/properties\/-\/(?:enum\/0|value)$/, 5, { changed: true }],
  ['apiRequest/body/properties/-', 5, { lost: true }],
  [/^apiRequest\/body\/.*description$/, 5, { changed: isQuoted }],
  [/^\w+\/parameters\/-$/, 5, { lost: true }],
  [/^\w+\/parameters\/-\/value$/, 5, { changed: true }],
  ['function/server', 5, { lost: true }],
  ['function/server/url', 5, { changed: true }],
  ['function/function/parameters/properties/-', 5, { lost: true }],
  [/^transferCall\/destinations\/-\/(?:number|sipUri)$/, 5, { changed: true }],
  [
    'transferCall/destinations/-/message',
    5,
    { lost: (_, { value }) => value !== '', changed: true },
  ],
  ['transferCall/destinations/-/description', 5, { lost: isQuoted, changed: isQuoted }],
  ['endCall', 6, { lost: true }],
  [/^\w+\/rejectionPlan$/, 5, { lost: true }],
  [/^\w+\/rejectionPlan\/conditions\/-\/liquid$/, 5, { changed: true }],
];

function says(_: View, { value }: Value): boolean {
  return value !== '';
}

/** A prompt in which no step says anything has nothing to lose: what tools say stands there, too. */
function instructs({ lines }: View, { member }: Value): boolean {
  const telling = ['say', 'instruction', 'capture', 'call', 'toStep', 'toEnd'];
  return lines.some(({ kind, member: own, text }) => {
    return own === member && telling.includes(kind) && text.trim() !== '';
  });
}

/** Only the first place among members means something. */
function swapsEntry({ squad, membersAt }: View, _: Value, after: JsonObject): boolean {
  return !isSame(listOf(valueAt(after, membersAt))[0], listOf(valueAt(squad, membersAt))[0]);
}

/** Plans are sets of properties: only where those differ is there something to swap. */
function differs(view: View, { at }: Value, after: JsonObject): boolean {
  const sorted = (document: JsonObject): string => {
    const { schema, ...rest } = objectOf(valueAt(document, at));
    const properties = Object.entries(objectOf(objectOf(schema)['properties']));
    return JSON.stringify([properties.sort(([a], [b]) => (a < b ? -1 : 1)), rest]);
  };
  return sorted(view.squad) !== sorted(after);
}

/** A second one stands for no other edge: the source has no more reasons of these words. */
function standsForOne(view: View, part: Value): boolean {
  const [text, ...others] = conditionsOf(view, part);
  if (text === undefined || others.length > 0) return false;
  if (textOf(objectOf(part.value)['description']) !== text) return false;
  const reasons = view.workflow.split(JSON.stringify(text)).length - 1;
  const own = destinationsOf(view, view.squad, part.member);
  return reasons <= own.filter(({ description }) => description === text).length;
}

/** The conditions of the source that a destination's description quotes. */
function conditionsOf({ values }: View, { at, value }: Value): string[] {
  const description = textOf(objectOf(value)['description']);
  const quotes = values.find((each) => each.at === `${at}/description`)?.quotes ?? [];
  return quotes
    .filter(({ isSource }) => isSource)
    .map(({ start, end }) => description.slice(start, end));
}

function destinationsOf({ membersAt }: View, squad: JsonObject, member: number): JsonObject[] {
  const tools = listOf(valueAt(squad, `${membersAt}/${member}/assistant/model/tools`));
  const handoffs = tools.map(objectOf).filter(({ type }) => type === 'handoff');
  return handoffs.flatMap(({ destinations }) => listOf(destinations).map(objectOf));
}

/** Whether two members say the same, names aside: such are told apart by where they are entered. */
export function looksAlike({ prompts, names, squad, membersAt }: View, one: number, other: number) {
  const [first, second] = [one, other].map((member) => {
    const opening = valueAt(squad, `${membersAt}/${member}/assistant/firstMessage`) ?? '';
    const steps = (prompts[member] ?? '').replace(/^[\s\S]*?(?=\nStep 1\n)/, '');
    return JSON.stringify([opening, steps.replaceAll(names[member] || '\u0000', '')]);
  });
  return first === second;
}

function doSame(one: Value, other: Value): boolean {
  const [first, second] = [one, other].map(({ value, kind }) => {
    if (kind === 'function') return objectOf(objectOf(value)['function'])['name'];
    const { name: _, description: __, rejectionPlan: ___, destinations, ...rest } = objectOf(value);
    const addresses = listOf(destinations).map((each) => ({ ...objectOf(each), description: '' }));
    return { ...rest, addresses };
  });
  return isSame(first, second);
}

/** Another value of the kind; null where there is none that means something else. */
function otherThan({ word }: View, { kind, key, value, quotes }: Value): Json | null {
  if (typeof value === 'number') return value === 1 ? 2 : value - 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'object') {
    const [name] = Object.keys(objectOf(value)).filter((each) => /^(?:voiceId|model)/.test(each));
    return Array.isArray(value) ? null : { ...objectOf(value), [name ?? word]: word };
  }
  if (key === 'type') {
    const types = kind.includes('contextEngineeringPlan') ? ['none', 'all'] : ['string', 'number'];
    return types.find((type) => type !== value) ?? null;
  }
  if (key === 'role') return 'user';
  if (key === 'liquid') return value === 'false' ? 'true' : 'false';
  if (key === 'method') return value === 'GET' ? 'POST' : 'GET';
  if (/^(?:number|provider)$/.test(key)) return key === 'number' ? otherNumber(value) : word;
  // A path into a tool's response is another path; a text that a template prints another text.
  if (key === 'value' && /^\{\{ *\$/.test(value)) return value.replace('$', `$.${word}`);
  if (!/description$|[mM]essage$/.test(kind)) return `${value}${word}`;
  const words = quotes.filter(({ isSource }) => isSource);
  for (const { start, end } of words.length > 0 ? words : [{ start: 0, end: value.length }]) {
    const other = reword(value.slice(start, end), word);
    if (other !== null) return value.slice(0, start) + other + value.slice(end);
  }
  return null;
}

/** Numbers stay numbers: the last digit is another. */
export function otherNumber(number: string): string {
  const other = number.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
  return other === number ? `${number}1` : other;
}

/** The text with one word changed to another, not one of a template; null where it has none. */
export function reword(text: string, word: string): string | null {
  const plain = text.replaceAll(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (tag) =>
    ' '.repeat(tag.length),
  );
  const found = /\p{L}[\p{L}\p{N}]+/u.exec(plain);
  if (found === null) return null;
  return text.slice(0, found.index) + word + text.slice(found.index + found[0].length);
}

const escaped = (text: string): string => text.replaceAll(/[^\w]/g, '\\$&');

type Edit = (view: View, part: Value, same: readonly Value[]) => Iterable<JsonObject>;

const listAt = (at: JsonPointer): JsonPointer => at.slice(0, at.lastIndexOf('/'));

/** What each verb does with a part; `same` are all parts of its kind. */
const edits: Readonly<Record<Verb, Edit>> = {
  *lost({ squad }, { at, key, kind }) {
    const dropped = drop(squad, at);
    // A property is lost with the demand for it.
    const required = `${listAt(listAt(at))}/required`;
    const isProperty = /properties\/-$/.test(kind) && valueAt(squad, required) !== undefined;
    const without = (names: Json | undefined) => listOf(names).filter((name) => name !== key);
    yield isProperty ? change(dropped, required, without) : dropped;
  },
  *changed(view, part) {
    const other = otherThan(view, part);
    if (other !== null) yield put(view.squad, part.at, other);
  },
  *emptied({ squad }, { at }) {
    yield put(squad, at, '');
  },
  *renamed({ squad, word }, { at, key, value }) {
    const half = put(drop(squad, at), `${listAt(at)}/${word}`, value);
    yield change(half, `${listAt(listAt(at))}/required`, (names) =>
      listOf(names).map((name) => (name === key ? word : name)),
    );
  },
  *moved(view, part) {
    for (const copied of edits.copied(view, part, [])) yield drop(copied, part.at);
  },
  /** Another holder of the same kind that has none gets the part. */
  *copied(view, part) {
    const { squad, membersAt, names } = view;
    const { at, kind, key, value, member } = part;
    const parent = listAt(at);
    if (kind === plan) {
      const sisters = view.values.filter((each) => each.kind === 'handoff/destinations/-');
      for (const sister of sisters.filter((each) => each.member === member && each.at !== parent)) {
        if (objectOf(sister.value)[key] === undefined)
          yield put(squad, `${sister.at}/${key}`, value);
      }
      return;
    }
    for (const other of names.keys()) {
      if (other === member) continue;
      const place = parent.replace(/(\/members\/)\d+/, `$1${other}`);
      if (kind === 'assistant/firstMessage') {
        const opening = valueAt(squad, `${place}/${key}`) ?? '';
        const isSaid = view.prompts[other]?.includes(textOf(value));
        if (opening === '' && !isSaid)
          yield put(squad, `${membersAt}/${other}/assistant/${key}`, value);
      } else if (Number.isInteger(Number(key))) {
        const own = view.values.filter((each) => each.kind === kind && each.member === other);
        if (own.some((each) => doSame(each, part))) continue;
        const leadsHere = listOf(objectOf(value)['destinations']).some(
          (each) => objectOf(each)['assistantName'] === names[other],
        );
        if (!leadsHere) yield append(squad, place, value);
      }
    }
  },
  *doubled({ squad }, { at, value }) {
    yield append(squad, listAt(at), value);
  },
  *swapped(view, part, same) {
    for (const other of same) {
      if (other.at <= part.at || isSame(other.value, part.value)) continue;
      const isBeside = part.kind.startsWith('handoff/') && other.member !== part.member;
      if (isBeside || (part.member !== other.member && looksAlike(view, part.member, other.member)))
        continue;
      if (tool.test(part.kind) && (part.member === other.member || !canSwap(view, part, other)))
        continue;
      yield put(put(view.squad, part.at, other.value), other.at, part.value);
    }
  },
};

/** Neither member has the other's tool already, or else one of them lacks nothing. */
function canSwap({ values }: View, one: Value, other: Value): boolean {
  const has = (member: number, wanted: Value): boolean =>
    values.some(
      (each) => each.member === member && each.kind === wanted.kind && doSame(each, wanted),
    );
  return !has(one.member, other) && !has(other.member, one);
}

/** One operator for each verb of each row. */
export const fieldOperators: readonly Operator[] = rows.flatMap(([kind, item, verbs]) =>
  (Object.entries(verbs) as [Verb, Guard | true][]).map(([verb, guard]): Operator => {
    const isKind = (each: Value): boolean =>
      typeof kind === 'string' ? each.kind === kind : kind.test(each.kind);
    return {
      name: verb,
      item,
      *mutate(view) {
        const same = view.values.filter(isKind);
        for (const part of same) {
          for (const squad of edits[verb](view, part, same)) {
            if (guard === true || guard(view, part, squad))
              yield { squad, at: part.at, kind: part.kind };
          }
        }
      },
    };
  }),
);
