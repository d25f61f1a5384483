/**
 * Says an answer of a service: the facts that its definition lets out, and no others.
 *
 * In: what may be said of an operation; then its answers. Out: one line of bounded length: a
 * sentence; or, where there are facts, JSON with the sentence in `say` and each fact under its name,
 * for the variables of the conversation. Of a list, the first entries are said, and as few as the
 * line has room for. What a place and a name come to is worked out once, when the handler is made; a
 * value that is not what its kind promises is not said, so that no sentence gets in by way of a number.
 *
 * Example: {"say":"Bill number B-1, net amount 10.00.","billNumber":"B-1","netAmount":10}
 */
import { maySay } from '../table/may-say.js';
import type { Effect, SaidAs } from '../table/tool.js';
import { texts, wordsOf } from './texts.js';

/** A value of an answer: its name, where it stands (`*` for each entry of a list), what it is. */
export interface SayableFact {
  readonly name: string;
  readonly at: string;
  readonly as: SaidAsOrText;
}

/** Whether a fact of a configuration is one: its name must not take the place of the sentence. */
export function isSayable({ name, at, as }: SayableFact): boolean {
  return /^(?!say$)[A-Za-z]\w{0,39}$/.test(name) && at.startsWith('/') && isKind(as);
}

/** A fact that is looked for. */
export interface Sought {
  readonly name: string;
  /** Its name as it is said. */
  readonly words: string;
  /** The keys on the way to it. */
  readonly way: Way;
  readonly as: SaidAsOrText;
}

/** A fact that was found. */
export interface Fact extends SaidValue {
  readonly sought: Sought;
}

type Way = readonly string[];

/** Those that stand by themselves, and those that each entry of the first list has. */
export interface Outline {
  readonly single: readonly Sought[];
  readonly list: Way | undefined;
  readonly inEntry: readonly Sought[];
}

function outlineOf(sayable: readonly SayableFact[]): Outline {
  const single = sayable.filter(({ at }) => !at.includes('/*'));
  const [list] = sayable.flatMap(({ at }) => /^.*?(?=\/\*)/.exec(at) ?? []);
  const below = `${list}/*`;
  const inEntry = sayable.filter(({ at }) => list !== undefined && at.startsWith(`${below}/`));
  return {
    single: single.map((fact) => seek(fact, fact.at)),
    list: list === undefined ? undefined : wayTo(list),
    inEntry: inEntry.map((fact) => seek(fact, fact.at.slice(below.length))),
  };
}

function seek({ name, as }: SayableFact, pointer: string): Sought {
  return { name, words: wordsOf(name), way: wayTo(pointer), as };
}

function wayTo(pointer: string): Way {
  return pointer.split('/').slice(1);
}

function factsIn(answer: unknown, all: readonly Sought[]): Fact[] {
  const facts: Fact[] = [];
  for (const sought of all) {
    const found = sayValue(valueAt(answer, sought.way), sought.as);
    if (found) facts.push({ sought, said: found.said, value: found.value });
  }
  return facts;
}

/** The facts of each entry that has any. */
function entriesIn(answer: unknown, { list, inEntry }: Outline): Fact[][] {
  const entries = list && valueAt(answer, list);
  if (!Array.isArray(entries)) return [];
  return entries.map((entry) => factsIn(entry, inEntry)).filter((facts) => facts.length > 0);
}

/** Undefined where there is none of the answer's own. */
function valueAt(answer: unknown, way: Way): unknown {
  let value = answer;
  for (const key of way) {
    if (!(value instanceof Object) || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** Says an answer. */
export type Say = (answer: unknown) => string;

/** More is not listened to. */
const mostEntries = 5;

export function sayerOf(sayable: readonly SayableFact[], effect: Effect, maxChars: number): Say {
  const outline = outlineOf(sayable);
  const opening = effect === 'changes' ? texts.done.line : '';
  const bare = effect === 'reads' ? texts.nothingToTell.line : texts.done.line;
  return (answer) => {
    const facts = factsIn(answer, outline.single);
    const entries = entriesIn(answer, outline);
    if (facts.length === 0 && entries.length === 0) return bare;
    for (let shown = Math.min(mostEntries, entries.length); shown >= 0; shown -= 1) {
      const line = lineOf(opening, facts, entries.slice(0, shown), shown < entries.length);
      if (line.length <= maxChars) return line;
    }
    return bare.slice(0, maxChars);
  };
}

type Entry = readonly Fact[];

function lineOf(opening: string, facts: Entry, entries: readonly Entry[], more: boolean): string {
  const sentences = [
    ...(opening === '' ? [] : [opening]),
    ...(facts.length > 0 ? [sentenceOf(facts)] : []),
    ...entries.map((entry, index) => `${index + 1}: ${sentenceOf(entry)}`),
    ...(entries.length > 0 && more ? ['There are more.'] : []),
  ];
  // No name is `say`, begins with `_` or is a number: each is a property, in this order.
  const line: Record<string, unknown> = { say: sentences.join(' ') };
  for (const { sought, value } of facts) line[sought.name] = value;
  for (const { sought } of entries.flat()) {
    line[sought.name] = entries.map((entry) => valueIn(entry, sought.name));
  }
  return JSON.stringify(line);
}

function valueIn(entry: Entry, name: string): unknown {
  return entry.find(({ sought }) => sought.name === name)?.value ?? null;
}

function sentenceOf(facts: Entry): string {
  let text = '';
  for (const { sought, said } of facts) text += `${text && ', '}${sought.words} ${said}`;
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

export interface SaidValue {
  readonly said: string;
  readonly value: string | number | boolean;
}

/** `text` is what a configuration may add: words of people, cut and cleaned. */
export type SaidAsOrText = SaidAs | 'text';

export function sayValue(value: unknown, as: SaidAsOrText): SaidValue | null {
  if (as === 'text') return typeof value === 'string' ? plain(plainLine(value)) : null;
  return maySay(as, value) ? sayings[as](value) : null;
}

function isKind(as: string): as is SaidAsOrText {
  return as === 'text' || Object.hasOwn(sayings, as);
}

const plain = (value: string | number): SaidValue | null =>
  value === '' ? null : { said: `${value}`, value };

const asItIs = (value: unknown) => plain(value as string | number);

/** Of values that may be said. */
const sayings: Readonly<Record<SaidAs, (value: unknown) => SaidValue | null>> = {
  count: (value) => asItIs(Array.isArray(value) ? value.length : value),
  number: asItIs,
  identifier: asItIs,
  sign: asItIs,
  amount: (value) => ({ said: amountOf(Number(value)), value: Number(value) }),
  date: (value) => dateOf(`${value}`.slice(0, 10)),
  flag: (value) => ({ said: value ? 'yes' : 'no', value: value === true }),
  status: (value) =>
    plain(
      typeof value === 'number'
        ? (billStatuses.get(value) ?? '')
        : `${value}`.toLowerCase().replaceAll('_', ' '),
    ),
};

function dateOf(day: string): SaidValue | null {
  const [year, month, ofMonth] = day.split('-').map(Number);
  const name = months[(month ?? 0) - 1];
  return name === undefined ? null : { said: `${name} ${ofMonth}, ${year}`, value: day };
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** With the cents, and a comma before each three figures: not by a locale, which machines have. */
function amountOf(amount: number): string {
  return amount.toFixed(2).replace(/\B(?=(?:\d{3})+\.)/g, ',');
}

const billStatuses: ReadonlyMap<number, string> = new Map([
  [-99, 'cancelled'],
  [1, 'active'],
  [2, 'sent to approval'],
  [5, 'partially approved'],
  [11, 'disapproved'],
  [20, 'approved'],
  [50, 'in transit'],
  [100, 'paid'],
]);

const longestText = 200;

/** One line, without what a template or a reader of markup would act on. */
function plainLine(text: string): string {
  const line = text
    .slice(0, 2 * longestText)
    .replace(/[\p{C}\p{Z}{}<>`]+/gu, ' ')
    .trim();
  return line.slice(0, longestText).toWellFormed();
}
