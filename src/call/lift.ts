/**
 * Reads a prompt in squadc's wording back, given the texts that it can quote.
 *
 * In: the prompt, and a vocabulary: the texts of the workflow by their use, and the names of the
 * squad. Out: every reading of the whole prompt, or the place that no reading gets past. A text of
 * the vocabulary is one token wherever a form has a hole for it, so a text that imitates the wording
 * is still one text. `raw` pairs are no part of what a prompt says; where they are is kept.
 */
import { type Form, isWorded, piecesOfForm, sentences } from '../compiler/ir/wording.js';
import { groupBy } from '../graph/lists.js';

/** What can stand in the holes of the wording. */
export type Vocabulary = Readonly<Record<Hole, Texts>>;

type Hole =
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
  /** When a handoff without a condition is made. */
  | 'whens';

/** Texts by their first characters and their length; shorter ones by themselves. */
type Texts = ReadonlyMap<string, ReadonlyMap<number, ReadonlySet<string>>>;

const prefix = 6;
const lengths = Array.from({ length: prefix }, (_, less) => prefix - less);

export function indexTexts(texts: Iterable<string>): Texts {
  const all = [...new Set(texts)].filter((text) => text !== '');
  const starts = groupBy(all, (text) => text.slice(0, prefix));
  return new Map(
    Array.from(starts, ([start, same]) => {
      const byLength = groupBy(same, ({ length }) => length);
      return [start, new Map(Array.from(byLength, ([length, own]) => [length, new Set(own)]))];
    }),
  );
}

/** A text of the vocabulary, and where it begins in the prompt without `raw` pairs. */
export interface Said {
  readonly value: string;
  readonly at: number;
}

export interface ReadPrompt {
  readonly globalPrompt: Said | null;
  readonly sentences: readonly string[];
  readonly known: readonly string[];
  readonly entries: readonly ReadEntry[];
  readonly steps: readonly ReadStep[];
  readonly isNumbered: boolean;
  readonly anyTime: readonly (ReadBranch & { readonly except: number | null })[];
}

export interface ReadEntry {
  readonly at: number;
  readonly step: number;
  readonly isStart: boolean;
  /** When the call was handed over, for an edge without a condition. */
  readonly when: Said | null;
  readonly conditions: readonly Said[];
}

export interface ReadStep {
  readonly at: number;
  /** Whether it should have a heading and has none. */
  readonly isHeadless: boolean;
  readonly lines: readonly Said[];
  readonly instructions: Said | null;
  readonly captures: readonly ReadCapture[];
  readonly calls: readonly (string | number)[];
  readonly branches: readonly ReadBranch[];
}

export interface ReadCapture {
  readonly at: number;
  readonly name: string;
  readonly type: string | null;
  readonly description: Said | null;
  readonly choices: string | null;
  readonly template: Said | null;
}

export interface ReadBranch {
  readonly at: number;
  readonly end: number;
  readonly call: string | null;
  readonly know: readonly string[];
  /** Null where it is taken when the work is done. */
  readonly condition: Said | null;
  readonly isOtherwise: boolean;
  readonly lines: readonly Said[];
  readonly instructions: Said | null;
  readonly action: ReadAction;
}

export type ReadAction =
  | { readonly kind: 'go'; readonly step: number }
  | { readonly kind: 'hand-off'; readonly to: string | null; readonly by: string | null }
  | { readonly kind: 'end'; readonly tool: string | null }
  | { readonly kind: 'transfer'; readonly numbers: readonly string[] };

/** A text without `raw` pairs, and the parts that were inside them. */
export interface Unraw {
  readonly plain: string;
  readonly raw: readonly (readonly [start: number, end: number])[];
}

/** All readings of a prompt; if there is none, how far the best attempt got. */
export interface Lifted extends Unraw {
  readonly readings: readonly ReadPrompt[];
  /** Whether there may be more readings than are listed. */
  readonly isCut: boolean;
  /** Whether it is in squadc's wording, although nothing can be read. */
  readonly isWorded: boolean;
  /** Lines that no reading gets past; the readings are those of the rest. */
  readonly strange: readonly string[];
}

/** The most readings that are kept of one place. */
const maxReadings = 16;

type Readings<T> = readonly (readonly [value: T, end: number])[];
type Read<T> = (at: number) => Readings<T>;

/** Takes `{% raw %}` and `{% endraw %}` out. An unpaired one stays, since it is not squadc's. */
export function unraw(text: string): Unraw {
  const raw: (readonly [number, number])[] = [];
  let plain = '';
  let end = 0;
  for (const { 0: pair, 1: inside = '', index } of text.matchAll(
    /\{% raw %\}(.*?)\{% endraw %\}/gs,
  )) {
    plain += text.slice(end, index);
    raw.push([plain.length, plain.length + inside.length]);
    plain += inside;
    end = index + pair.length;
  }
  return { plain: plain + text.slice(end), raw };
}

/** The most lines that are taken out of a prompt to read the rest. */
const maxStrange = 40;

/**
 * Reads the prompt. If it is in squadc's wording and some lines are not, these are taken out until
 * the rest can be read, so that one fault does not hide the others.
 */
export function lift(prompt: string, vocabulary: Vocabulary): Lifted {
  let whole = unraw(prompt);
  const strange: string[] = [];
  for (;;) {
    const { length } = whole.plain;
    const attempt = (isLenient: boolean) => {
      const state = { plain: whole.plain, furthest: 0, isCut: false };
      const read = createReader(state, vocabulary, isLenient);
      const readings = read(0).flatMap(([value, end]) => (end === length ? [value] : []));
      return { ...state, readings };
    };
    const strict = attempt(false);
    const isOurs =
      strict.readings.length > 0 ||
      strange.length > 0 ||
      isWorded(withoutTexts(whole.plain, vocabulary));
    const { readings, isCut, furthest } =
      strict.readings.length > 0 || !isOurs ? strict : attempt(true);
    if (readings.length > 0 || !isOurs || strange.length === maxStrange || length === 0) {
      return { ...whole, readings, isCut, isWorded: isOurs, strange };
    }
    // At the end of the text, the last line is in the way.
    const at = furthest < length ? furthest : length - 1;
    const [start, end] = passageAt(whole.plain, at);
    strange.push(whole.plain.slice(start, end).trimEnd());
    whole = without(whole, start, end);
  }
}

/** The line at a place, with the line above that it belongs to, or those below. */
function passageAt(plain: string, at: number): [start: number, end: number] {
  const lineAt = (place: number) => plain.lastIndexOf('\n', place - 1) + 1;
  const endOf = (start: number) => {
    const next = plain.indexOf('\n', start);
    return next < 0 ? plain.length : next + 1;
  };
  let start = lineAt(at);
  while (start > 0 && plain.startsWith('  ', start)) start = lineAt(start - 1);
  let end = endOf(lineAt(at));
  while (plain.startsWith('- ', start) && plain.startsWith('  ', end)) end = endOf(end);
  return [start, end];
}

/** The text without a part of it. */
function without({ plain, raw }: Unraw, start: number, end: number): Unraw {
  const moved = (at: number) => (at <= start ? at : Math.max(start, at - (end - start)));
  return {
    plain: plain.slice(0, start) + plain.slice(end),
    raw: raw.map(([from, to]) => [moved(from), moved(to)] as const),
  };
}

/** The text with the vocabulary's texts blacked out, the longest first. */
function withoutTexts(plain: string, words: Vocabulary): string {
  const holes = [words.lines, words.instructions, words.conditions, words.globalPrompts];
  const all = holes.flatMap((texts) =>
    [...texts.values()].flatMap((same) => [...same.values()].flatMap((own) => [...own])),
  );
  const texts = all.sort((one, other) => other.length - one.length);
  return texts.reduce((left, text) => (text === '' ? left : left.replaceAll(text, '█')), plain);
}

interface State {
  readonly plain: string;
  furthest: number;
  isCut: boolean;
}

/** `isLenient` accepts steps whose heading is lost. */
function createReader(state: State, words: Vocabulary, isLenient: boolean): Read<ReadPrompt> {
  const { plain } = state;
  const advance = (at: number) => {
    state.furthest = Math.max(state.furthest, at);
    return at;
  };
  const limit = <T>(readings: Readings<T>): Readings<T> => {
    if (readings.length <= maxReadings) return readings;
    // Prefixes of a list end at different places; only readings with one end are alternatives.
    const kept = [...groupBy(readings, ([, end]) => end).values()].flatMap((same) => {
      if (same.length > maxReadings) state.isCut = true;
      return same.slice(0, maxReadings);
    });
    return kept;
  };
  const memo = <T>(read: Read<T>): Read<T> => {
    const known = new Map<number, Readings<T>>();
    return (at) => {
      const found = known.get(at) ?? limit(read(at));
      known.set(at, found);
      return found;
    };
  };
  const literal =
    (text: string): Read<string> =>
    (at) =>
      plain.startsWith(text, at) ? [[text, advance(at + text.length)]] : [];
  const map =
    <A, B>(read: Read<A>, make: (value: A, at: number, end: number) => B): Read<B> =>
    (at) =>
      read(at).map(([value, end]) => [make(value, at, end), end]);
  const either =
    <T>(...reads: readonly Read<T>[]): Read<T> =>
    (at) =>
      reads.flatMap((read) => read(at));
  const maybe = <T>(read: Read<T>): Read<T | null> => either<T | null>(read, (at) => [[null, at]]);
  /** Any number of items, the most first. */
  const many = <T>(read: Read<T>, separator = ''): Read<readonly T[]> => {
    const next = (at: number, isFirst: boolean): Readings<T> => {
      if (isFirst || separator === '') return read(at);
      return plain.startsWith(separator, at) ? read(at + separator.length) : [];
    };
    return (at) => {
      const found: [readonly T[], number][] = [[[], at]];
      let last: Readings<readonly T[]> = found;
      while (last.length > 0) {
        const longer = last.flatMap(([values, end]) =>
          next(end, values.length === 0).flatMap(([value, to]): [readonly T[], number][] =>
            to > end ? [[[...values, value], to]] : [],
          ),
        );
        last = limit(longer);
        found.unshift(...(last as [readonly T[], number][]));
      }
      return found;
    };
  };
  const some = <T>(read: Read<T>, separator: string): Read<readonly T[]> => {
    const list = many(read, separator);
    return (at) => list(at).filter(([values]) => values.length > 0);
  };
  /** One of these texts. */
  const oneOf =
    (texts: Texts): Read<Said> =>
    (at) => {
      const starts = new Set(lengths.map((length) => plain.slice(at, at + length)));
      return [...starts].flatMap((start) =>
        Array.from(texts.get(start) ?? [], ([length, same]): Readings<Said>[number] | null => {
          const value = plain.slice(at, at + length);
          return same.has(value) ? [{ value, at }, advance(at + length)] : null;
        }).filter((it) => it !== null),
      );
    };
  const name = (texts: Texts) => map(oneOf(texts), ({ value }) => value);
  /** One of these names, else one that nothing has. */
  const named =
    (texts: Texts, otherwise: RegExp): Read<string> =>
    (at) => {
      const known = name(texts)(at);
      if (known.length > 0) return known;
      otherwise.lastIndex = at;
      const found = otherwise.exec(plain)?.[0];
      return found === undefined ? [] : [[found, advance(at + found.length)]];
    };
  const number: Read<number> = (at) => {
    const digits = /\d{1,7}/y;
    digits.lastIndex = at;
    const found = digits.exec(plain)?.[0];
    return found === undefined ? [] : [[Number(found), advance(at + found.length)]];
  };
  /** A form, with a reader for each of its holes. */
  const form = <Holes>(
    called: Form,
    holes: { readonly [Name in keyof Holes]: Read<Holes[Name]> },
  ) => {
    const pieces = piecesOfForm(called);
    return (at: number): Readings<Holes> => {
      let partial: (readonly [Record<string, unknown>, number])[] = [[{}, at]];
      for (const { words: fixed, hole } of pieces) {
        partial = partial.flatMap(([values, from]) => {
          const [[, end] = [null, -1]] = literal(fixed)(from);
          if (end < 0) return [];
          if (hole === null) return [[values, end] as const];
          const read = holes[hole as keyof Holes] as Read<unknown>;
          return read(end).flatMap(([value, to]): (typeof partial)[number][] =>
            hole in values && values[hole] !== value ? [] : [[{ ...values, [hole]: value }, to]],
          );
        });
      }
      return partial as unknown as Readings<Holes>;
    };
  };

  const line = oneOf(words.lines);
  const condition = oneOf(words.conditions);
  const conditions = some(condition, '; or ');
  const instructions = oneOf(words.instructions);
  const variable = name(words.variables);
  const tool = named(words.functions, /[\w-]{1,64}/y);
  const assistant = named(words.assistants, /[^"\n]{1,200}/y);
  const step = number;

  const names: Read<readonly string[]> = map(many(variable, ', '), (all) => all);
  /** `a`, `a and b`, `a, b and c`. */
  const enumerated: Read<readonly string[]> = (at) =>
    names(at).flatMap(([all, end]): (readonly [readonly string[], number])[] => {
      if (all.length === 0) return [];
      const lastOne = plain.startsWith(' and ', end) ? variable(end + ' and '.length) : [];
      const more = lastOne.map(([each, to]) => [[...all, each], to] as const);
      return all.length === 1 ? [...more, [all, end]] : more;
    });

  const capture = either<ReadCapture>(
    map(
      form<{ name: string; type: string; description: Said | null; choices: string | null }>(
        'find',
        {
          name: variable,
          type: name(words.types),
          description: maybe(
            map(
              form<{ description: Said }>('findDescription', {
                description: oneOf(words.descriptions),
              }),
              (it) => it.description,
            ),
          ),
          choices: maybe(
            map(
              form<{ choices: string }>('findChoices', { choices: name(words.choices) }),
              (it) => it.choices,
            ),
          ),
        },
      ),
      (it, at) => ({ ...it, at, template: null }),
    ),
    map(
      form<{ name: string; template: Said }>('derive', {
        name: variable,
        template: oneOf(words.templates),
      }),
      (it, at) => ({ ...it, at, type: null, description: null, choices: null }),
    ),
  );

  const action = either<ReadAction>(
    map(form<{ step: number }>('go', { step }), (it) => ({ kind: 'go', ...it })),
    map(form<{ assistant: string }>('handOff', { assistant }), (it) => {
      return { kind: 'hand-off', to: it.assistant, by: null };
    }),
    map(form<{ function: string }>('handOffBy', { function: tool }), (it) => {
      return { kind: 'hand-off', to: null, by: it.function };
    }),
    map(
      form<{ function: string; assistant: string }>('handOffWith', { function: tool, assistant }),
      (it) => {
        return { kind: 'hand-off', to: it.assistant, by: it.function };
      },
    ),
    map(form('end', {}), () => ({ kind: 'end', tool: null })),
    map(form<{ tool: string }>('endBy', { tool }), (it) => ({ kind: 'end', ...it })),
    map(
      form<{ numbers: readonly string[] }>('transfer', {
        numbers: some(name(words.numbers), ' or '),
      }),
      (it) => {
        return { kind: 'transfer', ...it };
      },
    ),
  );
  const saying = map(form<{ line: Said }>('saying', { line }), (it) => it.line);
  const doing = map(
    form<{ instructions: Said }>('doing', { instructions }),
    (it) => it.instructions,
  );
  type Act = Pick<ReadBranch, 'lines' | 'instructions' | 'action'>;
  const act: Read<Act> = memo((at) =>
    many(saying)(at).flatMap(([lines, said]) =>
      maybe(doing)(said).flatMap(([done, after]) =>
        action(after).map(([what, end]): readonly [Act, number] => [
          { lines, instructions: done, action: what },
          end,
        ]),
      ),
    ),
  );
  const demand = either<Pick<ReadBranch, 'call' | 'know'>>(
    map(form<{ tool: string }>('firstCall', { tool }), (it) => ({ call: it.tool, know: [] })),
    map(form<{ names: readonly string[] }>('firstKnow', { names: enumerated }), (it) => {
      return { call: null, know: it.names };
    }),
    (at) => [[{ call: null, know: [] }, at]],
  );
  const none = { call: null, know: [], condition: null, isOtherwise: false };
  const branch = memo(
    either<ReadBranch>(
      map(
        form<{ demand: Pick<ReadBranch, 'call' | 'know'>; condition: Said; action: Act }>('if', {
          demand,
          condition,
          action: act,
        }),
        (it, at, end) => ({
          ...none,
          ...it.demand,
          ...it.action,
          condition: it.condition,
          at,
          end,
        }),
      ),
      map(form<{ action: Act }>('done', { action: act }), (it, at, end) => {
        return { ...none, ...it.action, at, end };
      }),
      map(form<{ action: Act }>('otherwise', { action: act }), (it, at, end) => {
        return { ...none, ...it.action, isOtherwise: true, at, end };
      }),
    ),
  );
  const say = map(form<{ line: Said }>('say', { line }), (it) => it.line);
  const told = map(form<{ text: Said }>('plain', { text: instructions }), (it) => it.text);
  const call = either<string | number>(
    map(form<{ tool: string }>('call', { tool }), (it) => it.tool),
    map(form<{ step: number }>('callOfStep', { step }), (it) => it.step),
  );
  const content: Read<ReadStep> = memo((at) =>
    many(say)(at).flatMap(([lines, a]) =>
      maybe(told)(a).flatMap(([told_, b]) =>
        many(capture)(b).flatMap(([captures, c]) =>
          many(call)(c).flatMap(([calls, d]) =>
            many(branch)(d).map(([branches, end]): readonly [ReadStep, number] => [
              { at, isHeadless: false, lines, instructions: told_, captures, calls, branches },
              end,
            ]),
          ),
        ),
      ),
    ),
  );
  const heading = map(form<{ step: number }>('heading', { step }), (it) => it.step);
  /** A step under its heading; blank lines stand between all parts. */
  const numbered: Read<readonly [number | null, ReadStep]> = (at) => [
    ...heading(at).flatMap(([k, from]) =>
      content(from).map(([it, end]) => [[k, it], end] as const),
    ),
    ...(isLenient ? content(at) : []).flatMap(
      ([it, end]): Readings<readonly [null, ReadStep]> =>
        end > at ? [[[null, { ...it, isHeadless: true }], end]] : [],
    ),
  ];

  const sentence = map(
    either(...Object.entries(sentences).map(([key, text]) => map(literal(`${text}\n`), () => key))),
    (it) => it,
  );
  const value = map(form<{ name: string }>('knownValue', { name: variable }), (it) => it.name);
  const known = map(
    form<{ values: readonly string[] }>('known', { values: some(value, '; ') }),
    (it) => it.values,
  );
  const when = oneOf(words.whens);
  const entry = either<ReadEntry>(
    map(form<{ step: number }>('beginAtStart', { step }), (it, at) => {
      return { ...it, at, isStart: true, when: null, conditions: [] };
    }),
    map(
      form<{ conditions: readonly Said[]; step: number }>('beginIf', { conditions, step }),
      (it, at) => {
        return { ...it, at, isStart: false, when: null };
      },
    ),
    map(form<{ when: Said; step: number }>('beginAfter', { when, step }), (it, at) => {
      return { ...it, at, isStart: false, conditions: [] };
    }),
    map(
      form<{ when: Said; conditions: readonly Said[]; step: number }>('beginElse', {
        when,
        conditions,
        step,
      }),
      (it, at) => {
        return { ...it, at, isStart: false };
      },
    ),
  );
  type Opening = Pick<ReadPrompt, 'sentences' | 'known' | 'entries'>;
  const opening: Read<Opening> = (at) =>
    many(sentence)(at).flatMap(([said, a]) =>
      maybe(known)(a).flatMap(([values, b]) =>
        many(entry)(b).map(([entries, end]): readonly [Opening, number] => [
          { sentences: said, known: values ?? [], entries },
          end,
        ]),
      ),
    );
  const butIn = map(form<{ step: number }>('anyTimeBut', { step }), (it) => it.step);
  const exception: Read<ReadPrompt['anyTime'][number]> = (at) =>
    butIn(at).flatMap(([except, from]) =>
      branch(from).map(([it, end]) => [{ ...it, except }, end]),
    );
  const always: Read<ReadPrompt['anyTime']> = (at) =>
    form(
      'anyTime',
      {},
    )(at).flatMap(([, from]) =>
      many(branch)(from).map(([all, end]) => [all.map((it) => ({ ...it, except: null })), end]),
    );
  const part =
    <T>(read: Read<T>): Read<T> =>
    (at) =>
      plain.startsWith('\n', at) ? read(advance(at + 1)) : [];
  const anyTime: Read<ReadPrompt['anyTime']> = (at) =>
    many(part(exception))(at).flatMap(([exceptions, a]) =>
      maybe(part(always))(a).map(([all, end]): readonly [ReadPrompt['anyTime'], number] => [
        [...exceptions, ...(all ?? [])],
        end,
      ]),
    );
  const inOrder = (all: readonly (readonly [number | null, ReadStep])[]) =>
    all.every(([k], index) => k === null || k === index + 1);
  const first = map(many(numbered, '\n'), (all) => all);
  type Steps = Pick<ReadPrompt, 'steps' | 'isNumbered'>;
  const steps: Read<Steps> = (at) => [
    ...first(at).flatMap(
      ([all, end]): Readings<Steps> =>
        all.length > 0 && inOrder(all)
          ? [[{ steps: all.map(([, it]) => it), isNumbered: true }, end]]
          : [],
    ),
    ...content(at).map(([it, end]): readonly [Steps, number] => [
      { steps: [it], isNumbered: false },
      end,
    ]),
  ];
  const noOpening: Opening = { sentences: [], known: [], entries: [] };
  const isEmpty = (it: Opening) => it.sentences.length + it.known.length + it.entries.length === 0;
  /** The opening with its blank line, or none. */
  const opened: Read<Opening> = either<Opening>(
    (at) =>
      opening(at).flatMap(([it, end]) =>
        isEmpty(it) || !plain.startsWith('\n', end) ? [] : [[it, advance(end + 1)] as const],
      ),
    (at) => [[noOpening, at]],
  );
  const globalPrompt = map(
    form<{ text: Said }>('plain', { text: oneOf(words.globalPrompts) }),
    (it) => it.text,
  );
  const headed: Read<Said | null> = either<Said | null>(
    (at) =>
      globalPrompt(at).flatMap(([it, end]) =>
        plain.startsWith('\n', end) ? [[it, advance(end + 1)] as const] : [],
      ),
    (at) => [[null, at]],
  );
  const whole: Read<ReadPrompt> = (at) =>
    headed(at).flatMap(([text, a]) =>
      opened(a).flatMap(([open, b]) =>
        steps(b).flatMap(([all, c]) =>
          anyTime(c).map(([any, end]): readonly [ReadPrompt, number] => [
            { globalPrompt: text, ...open, ...all, anyTime: any },
            end,
          ]),
        ),
      ),
    );
  const nothing = `${sentences.nothing}\n`;
  const empty: ReadPrompt = {
    ...noOpening,
    globalPrompt: null,
    steps: [
      {
        at: 0,
        isHeadless: false,
        lines: [],
        instructions: null,
        captures: [],
        calls: [],
        branches: [],
      },
    ],
    isNumbered: false,
    anyTime: [],
  };
  const read: Read<ReadPrompt> = (at) => (plain === nothing ? [[empty, plain.length]] : whole(at));
  return read;
}
