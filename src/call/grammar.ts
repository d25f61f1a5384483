/**
 * Readers of a text that return every way to read it, as small functions that make larger ones.
 *
 * A reader gets the input and a place, and returns values with the places where they end; none if the
 * text there is something else. The vocabulary of the input says what can stand in the holes of the
 * wording. Example: `form('go', { step: number })` reads `go to step 3.` as `{ step: 3 }`.
 */
import { type Form, piecesOfForm } from '../compiler/ir/wording.js';
import { groupBy } from '../graph/lists.js';

export type Readings<T> = readonly (readonly [value: T, end: number])[];
export type Read<T> = (input: Input, at: number) => Readings<T>;

/** What can stand in the holes of the wording. */
export type Vocabulary = Readonly<Record<Hole, Texts>>;

export type Hole =
  | 'lines'
  | 'instructions'
  | 'conditions'
  | 'descriptions'
  | 'globalPrompts'
  /** Templates of derived variables. */
  | 'templates'
  /** Enumerations, joined. */
  | 'choices'
  | 'variables'
  | 'types'
  | 'numbers'
  | 'assistants'
  | 'functions'
  /** Nodes by whose name a tool is called. */
  | 'nodes'
  /** When a handoff without a condition is made. */
  | 'whens';

/** Texts by their first characters and their length. */
export interface Texts {
  readonly all: readonly string[];
  readonly byStart: ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>;
  /** The lengths of the starts: shorter texts are their own. */
  readonly lengths: readonly number[];
}

const prefix = 6;

export function indexTexts(texts: Iterable<string>): Texts {
  const all = [...new Set(texts)].filter((text) => text !== '');
  const starts = groupBy(all, (text) => text.slice(0, prefix));
  const byStart = new Map(
    Array.from(starts, ([start, same]) => {
      const byLength = groupBy(same, ({ length }) => length);
      return [start, new Map(Array.from(byLength, ([length, own]) => [length, new Set(own)]))];
    }),
  );
  const lengths = [...new Set(Array.from(starts.keys(), ({ length }) => length))];
  return { all, byStart, lengths: lengths.sort((one, other) => other - one) };
}

/** A text, and how far it could be read. */
export interface Input {
  readonly text: string;
  readonly words: Vocabulary;
  /** Whether steps may lack their heading. */
  readonly isLenient: boolean;
  furthest: number;
  /** Whether there are more readings than were kept. */
  isCut: boolean;
  readonly known: Map<Read<unknown>, Map<number, Readings<unknown>>>;
}

/** A text of the vocabulary, and where it begins. */
export interface Said {
  readonly value: string;
  readonly at: number;
}

/** The most readings that are kept of the same part of a text. */
const maxReadings = 16;

function advance(input: Input, at: number): number {
  input.furthest = Math.max(input.furthest, at);
  return at;
}

function limit<T>(input: Input, readings: Readings<T>): Readings<T> {
  if (readings.length <= maxReadings) return readings;
  return [...groupBy(readings, ([, end]) => end).values()].flatMap((same) => {
    input.isCut ||= same.length > maxReadings;
    return same.slice(0, maxReadings);
  });
}

/** The same reader, which reads each place once. */
export function once<T>(read: Read<T>): Read<T> {
  const remembering: Read<T> = (input, at) => {
    const known = input.known.get(remembering) ?? new Map<number, Readings<T>>();
    input.known.set(remembering, known);
    const found = (known.get(at) as Readings<T> | undefined) ?? limit(input, read(input, at));
    known.set(at, found);
    return found;
  };
  return remembering;
}

export function literal(words: string): Read<string> {
  return (input, at) => {
    const isThere = input.text.startsWith(words, at);
    return isThere ? [[words, advance(input, at + words.length)]] : [];
  };
}

export function map<A, B>(read: Read<A>, make: (value: A, at: number, end: number) => B): Read<B> {
  return (input, at) => read(input, at).map(([value, end]) => [make(value, at, end), end]);
}

export function either<T>(...reads: readonly Read<T>[]): Read<T> {
  return (input, at) => reads.flatMap((read) => read(input, at));
}

/** Nothing, which is this value. */
export function nothing<T>(value: T): Read<T> {
  return (_, at) => [[value, at]];
}

export function maybe<T>(read: Read<T>): Read<T | null> {
  return either<T | null>(read, nothing(null));
}

/** Any number of values, the most first. */
export function many<T>(read: Read<T>, separator = ''): Read<readonly T[]> {
  return fold<T, readonly T[]>(read, separator, [], (values, value) => [...values, value]);
}

/** Any number of values, made into one; the most first. */
export function fold<T, All>(
  read: Read<T>,
  separator: string,
  none: All,
  add: (all: All, value: T) => All,
): Read<All> {
  return (input, at) => {
    const found: Readings<All>[] = [];
    let last: Readings<All> = [[none, at]];
    while (last.length > 0) {
      const between = found.length === 0 ? '' : separator;
      found.push(last);
      const longer = last.flatMap(([all, end]): [All, number][] => {
        if (!input.text.startsWith(between, end)) return [];
        const next = read(input, end + between.length);
        return next.flatMap(([value, to]) => (to > end ? [[add(all, value), to]] : []));
      });
      last = limit(input, longer);
    }
    return found.reverse().flat();
  };
}

/** One value or more. */
export function some<T>(read: Read<T>, separator: string): Read<readonly T[]> {
  const list = many(read, separator);
  return (input, at) => list(input, at).filter(([values]) => values.length > 0);
}

type Values<P> = { readonly [K in keyof P]: P[K] extends Read<infer T> ? T : never };
type Partial = readonly (readonly [Record<string, unknown>, number])[];

/** The parts one after the other. */
export function inTurn<P extends Readonly<Record<string, Read<unknown>>>>(parts: P) {
  const entries = Object.entries(parts);
  return (input: Input, at: number): Readings<Values<P>> => {
    let partial: Partial = [[{}, at]];
    for (const [key, read] of entries) {
      partial = partial.flatMap(([values, from]) =>
        read(input, from).map(([value, end]) => [{ ...values, [key]: value }, end] as const),
      );
    }
    return partial as unknown as Readings<Values<P>>;
  };
}

/** A form of the wording, with a reader for each of its holes; a repeated hole has one value. */
export function form<P extends Readonly<Record<string, Read<unknown>>>>(called: Form, holes: P) {
  const pieces = piecesOfForm(called);
  const [first] = pieces;
  return (input: Input, at: number): Readings<Values<P>> => {
    if (!input.text.startsWith(first!.words, at)) return [];
    let partial: Partial = [[{}, at]];
    for (const { words, hole } of pieces) {
      partial = partial.flatMap(([values, from]): Partial => {
        if (!input.text.startsWith(words, from)) return [];
        const end = advance(input, from + words.length);
        if (hole === null) return [[values, end]];
        return holes[hole]!(input, end).flatMap(
          ([value, to]): Partial =>
            hole in values && values[hole] !== value ? [] : [[{ ...values, [hole]: value }, to]],
        );
      });
    }
    return partial as unknown as Readings<Values<P>>;
  };
}

/** One of the texts of the vocabulary. */
export function said(hole: Hole): Read<Said> {
  return (input, at) => {
    const { text, words } = input;
    const { byStart, lengths } = words[hole];
    const found: (readonly [Said, number])[] = [];
    for (const start of lengths) {
      const same = byStart.get(text.slice(at, at + start));
      for (const [length, texts] of same ?? []) {
        const value = text.slice(at, at + length);
        if (texts.has(value)) found.push([{ value, at }, advance(input, at + length)]);
      }
    }
    return found;
  };
}

export function name(hole: Hole): Read<string> {
  return map(said(hole), ({ value }) => value);
}

/** A name of the vocabulary, else one that nothing has. */
export function anyName(hole: Hole, otherwise: RegExp): Read<string> {
  const [known, other] = [name(hole), pattern(otherwise)];
  return (input, at) => {
    const found = known(input, at);
    return found.length > 0 ? found : other(input, at);
  };
}

function pattern(expression: RegExp): Read<string> {
  const sticky = new RegExp(expression.source, 'y');
  return (input, at) => {
    sticky.lastIndex = at;
    const found = sticky.exec(input.text)?.[0];
    return found === undefined ? [] : [[found, advance(input, at + found.length)]];
  };
}

export const number: Read<number> = map(pattern(/\d{1,7}/), Number);
