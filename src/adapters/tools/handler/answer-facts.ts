/**
 * The facts that may be said of an answer, and where they stand in it.
 *
 * What a place and a name come to is worked out once, when the handler is made; an answer is then
 * only walked through. Keys that an answer inherits are none of its own, and nothing of it is said
 * but the values at these places.
 */
import { isKind, type SaidAsOrText, type SaidValue, sayValue } from './say-value.js';
import { wordsOf } from './texts.js';

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

export function outlineOf(sayable: readonly SayableFact[]): Outline {
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

export function factsIn(answer: unknown, all: readonly Sought[]): Fact[] {
  const facts: Fact[] = [];
  for (const sought of all) {
    const found = sayValue(valueAt(answer, sought.way), sought.as);
    if (found) facts.push({ sought, said: found.said, value: found.value });
  }
  return facts;
}

/** The facts of each entry that has any. */
export function entriesIn(answer: unknown, { list, inEntry }: Outline): Fact[][] {
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
