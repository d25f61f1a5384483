/**
 * Reads a prompt in squadc's wording back, given the texts that it can quote.
 *
 * In: the prompt, and a vocabulary: the texts of the workflow by their use, and the names of the
 * squad. Out: every reading of the whole prompt, and the lines that had to be taken out for it. A text
 * of the vocabulary is one token wherever a form has a hole for it, so a text that imitates the
 * wording is still one text. `raw` pairs are no part of what a prompt says; where they are is kept.
 */
import {
  announced,
  between,
  enumerate,
  isWorded,
  saysIf,
  sentences,
  silences,
} from '../compiler/ir/wording.js';
import {
  anyName,
  either,
  fold,
  form,
  type Input,
  inTurn,
  literal,
  many,
  map,
  maybe,
  name,
  nothing,
  number,
  once,
  type Read,
  type Readings,
  type Said,
  said,
  some,
  type Vocabulary,
} from './grammar.js';
import type {
  ReadAction,
  ReadBranch,
  ReadCapture,
  ReadEntry,
  ReadPrompt,
  ReadStep,
  Unraw,
} from './prompt.js';
import { toolFor, unraw } from './prompt.js';

export interface Lifted extends Unraw {
  readonly readings: readonly ReadPrompt[];
  /** Whether there may be more readings than are listed. */
  readonly isCut: boolean;
  /** Lines that no reading gets past; the readings are those of the rest. */
  readonly strange: readonly string[];
}

/** The most lines that are taken out of a prompt to read the rest. */
const maxStrange = 40;

/**
 * Reads the prompt; without a reading if it is prose. If it is in squadc's wording and some lines are
 * not, these are taken out until the rest can be read, so that one fault does not hide the others.
 */
export function lift(prompt: string, words: Vocabulary): Lifted {
  let whole = unraw(prompt);
  const strange: string[] = [];
  for (;;) {
    const text = whole.plain;
    const attempt = (isLenient: boolean) => {
      const input: Input = { text, words, isLenient, furthest: 0, isCut: false, known: new Map() };
      const readings = readPrompt(input);
      return { readings, furthest: input.furthest, isCut: input.isCut };
    };
    const strict = attempt(false);
    const isRead = strict.readings.length > 0;
    const isOurs = isRead || strange.length > 0 || isWorded(withoutTexts(text, words));
    const { readings, isCut, furthest } = isRead || !isOurs ? strict : attempt(true);
    if (readings.length > 0 || !isOurs || strange.length === maxStrange || text === '') {
      return { ...whole, readings, isCut, strange };
    }
    // At the end of the text, the last line is in the way.
    const [start, end] = passageAt(text, furthest < text.length ? furthest : text.length - 1);
    strange.push(text.slice(start, end).trimEnd());
    whole = without(whole, start, end);
  }
}

/** The line at a place, with the line above that it belongs to, or those below. */
function passageAt(text: string, at: number): [start: number, end: number] {
  const lineAt = (place: number) => (place <= 0 ? 0 : text.lastIndexOf('\n', place - 1) + 1);
  const endOf = (start: number) => {
    const next = text.indexOf('\n', start);
    return next < 0 ? text.length : next + 1;
  };
  let start = lineAt(at);
  while (start > 0 && text.startsWith('  ', start)) start = lineAt(start - 1);
  let end = endOf(lineAt(at));
  while (text.startsWith('- ', start) && text.startsWith('  ', end)) end = endOf(end);
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
function withoutTexts(text: string, words: Vocabulary): string {
  const holes = [words.lines, words.instructions, words.conditions, words.globalPrompts];
  const texts = holes.flatMap(({ all }) => all);
  texts.sort((one, other) => other.length - one.length);
  return texts.reduce((left, each) => left.replaceAll(each, '█'), text);
}

const variable = name('variables');
const tool = anyName('functions', /[\w-]{1,64}/);
const assistant = anyName('assistants', /[^"\n]{1,200}/);
const conditions = some(said('conditions'), between.conditions);
/** Conditions under their label, or one that needs none. */
const asked: Read<readonly Said[]> = (input, at) => {
  const bare = map(said('conditions'), (only) => [only]);
  const labelled = map(form('labelled', { conditions }), (it) => it.conditions);
  const isBare = (all: readonly Said[]) => all.length === 1 && saysIf(all[0]!.value);
  return [
    ...labelled(input, at).filter(([all]) => !isBare(all)),
    ...bare(input, at).filter(([all]) => isBare(all)),
  ];
};
/** The same of one condition. */
const askedOnce: Read<Said> = (input, at) =>
  asked(input, at).flatMap(
    ([[only, ...others], end]): Readings<Said> => (others.length === 0 ? [[only!, end]] : []),
  );

/** `a`, `a and b`, `a, b and c`. */
const enumerated: Read<readonly string[]> = either(
  map(variable, (only) => [only]),
  map(
    inTurn({ first: some(variable, ', '), and: literal(' and '), last: variable }),
    ({ first, last }) => [...first, last],
  ),
);

/** The only choice may be an empty text. */
const choices = either(name('choices'), nothing(''));

const capture = either<ReadCapture>(
  map(
    form('find', {
      name: variable,
      type: name('types'),
      description: maybe(
        map(form('findDescription', { description: said('descriptions') }), (it) => it.description),
      ),
      choices: maybe(map(form('findChoices', { choices }), (it) => it.choices)),
    }),
    (it) => ({ ...it, template: null }),
  ),
  map(form('derive', { name: variable, template: said('templates') }), (it) => {
    return { ...it, type: null, description: null, choices: null };
  }),
);

const action = either<ReadAction>(
  map(form('go', { step: number }), (it) => ({ kind: 'go', ...it })),
  map(form('handOff', { assistant }), (it) => ({ kind: 'hand-off', to: it.assistant, by: null })),
  map(form('handOffBy', { function: tool }), (it) => {
    return { kind: 'hand-off', to: null, by: it.function };
  }),
  map(form('handOffWith', { function: tool, assistant }), (it) => {
    return { kind: 'hand-off', to: it.assistant, by: it.function };
  }),
  map(form('end', {}), () => ({ kind: 'end', tool: null })),
  map(form('endBy', { tool }), (it) => ({ kind: 'end', ...it })),
  map(form('transfer', { numbers: some(name('numbers'), between.numbers) }), (it) => {
    return { kind: 'transfer', ...it };
  }),
);

const act = once(
  inTurn({
    lines: many(map(form('saying', { line: said('lines') }), (it) => it.line)),
    instructions: maybe(
      map(form('doing', { instructions: said('instructions') }), (it) => it.instructions),
    ),
    action,
  }),
);

type Demand = Pick<ReadBranch, 'call' | 'know'>;
const demand = either<Demand>(
  map(form('firstCall', { tool }), (it) => ({ call: it.tool, know: [] })),
  map(form('firstKnow', { names: enumerated }), (it) => ({ call: null, know: it.names })),
  nothing<Demand>({ call: null, know: [] }),
);

const done = { call: null, know: [], condition: null, isOtherwise: false };
const branch = once(
  either<ReadBranch>(
    map(form('if', { demand, if: askedOnce, action: act }), (it, at, end) => {
      return { ...done, ...it.demand, ...it.action, condition: it.if, at, end };
    }),
    map(form('done', { action: act }), (it, at, end) => ({ ...done, ...it.action, at, end })),
    map(form('otherwise', { action: act }), (it, at, end) => {
      return { ...done, ...it.action, isOtherwise: true, at, end };
    }),
  ),
);

const content: Read<ReadStep> = once(
  map(
    inTurn({
      lines: many(map(form('say', { line: said('lines') }), (it) => it.line)),
      instructions: maybe(map(form('plain', { text: said('instructions') }), (it) => it.text)),
      captures: many(capture),
      calls: many(
        either<string>(
          map(form('call', { tool }), (it) => it.tool),
          map(form('callFor', { node: name('nodes') }), (it) => toolFor(it.node)),
        ),
      ),
      branches: many(branch),
    }),
    (it, at) => ({ ...it, at, isHeadless: false }),
  ),
);

type Numbered = readonly [number | null, ReadStep];
/** A step under its heading, which only a lenient reading may lack. */
const numbered = either<Numbered>(
  map(inTurn({ heading: form('heading', { step: number }), content }), (it): Numbered => {
    return [it.heading.step, it.content];
  }),
  (input, at) =>
    (input.isLenient ? content(input, at) : []).flatMap(
      ([it, end]): Readings<Numbered> =>
        end > at ? [[[null, { ...it, isHeadless: true }], end]] : [],
    ),
);

/** The last of some steps, with those before it; null before the first. */
type Chain = {
  readonly before: Chain;
  readonly step: ReadStep;
  readonly count: number;
  readonly isInOrder: boolean;
} | null;
const numberedSteps = fold<Numbered, Chain>(numbered, '\n', null, (before, [number, step]) => {
  const count = (before?.count ?? 0) + 1;
  const isNext = number === null || number === count;
  return { before, step, count, isInOrder: before?.isInOrder !== false && isNext };
});

interface Steps {
  readonly last: Chain;
  readonly isNumbered: boolean;
}
/** Steps with blank lines between them, or a single one without a heading. */
const steps = either<Steps>(
  (input, at) =>
    numberedSteps(input, at).flatMap(
      ([last, end]): Readings<Steps> =>
        last?.isInOrder ? [[{ last, isNumbered: true }, end]] : [],
    ),
  map(content, (step) => ({
    last: { before: null, step, count: 1, isInOrder: true },
    isNumbered: false,
  })),
);

function listSteps(last: Chain): readonly ReadStep[] {
  const list: ReadStep[] = [];
  for (let at = last; at !== null; at = at.before) list.push(at.step);
  return list.reverse();
}

const entry = either<ReadEntry>(
  map(form('beginAtStart', { step: number }), (it, at) => {
    return { ...it, at, isStart: true, when: null, conditions: [] };
  }),
  map(form('beginIf', { if: asked, step: number }), (it, at) => {
    return { step: it.step, conditions: it.if, at, isStart: false, when: null };
  }),
  map(form('beginAfter', { when: said('whens'), step: number }), (it, at) => {
    return { ...it, at, isStart: false, conditions: [] };
  }),
  map(form('beginElse', { when: said('whens'), conditions, step: number }), (it, at) => {
    return { ...it, at, isStart: false };
  }),
);

type Opening = Pick<ReadPrompt, 'sentences' | 'known' | 'entries'>;
const knownValue = map(form('knownValue', { name: variable }), (it) => it.name);
/** One of the sentences, by its key. */
const oneOf = (table: Readonly<Record<string, string>>) =>
  either(...Object.entries(table).map(([key, text]) => map(literal(`${text}\n`), () => key)));
const opening: Read<Opening> = map(
  inTurn({
    sentences: many(oneOf(sentences)),
    known: maybe(
      map(form('known', { values: some(knownValue, between.known) }), (it) => it.values),
    ),
    silence: maybe(oneOf(silences)),
    entries: many(entry),
  }),
  (it) => ({ ...it, known: it.known ?? [], sentences: [...it.sentences, it.silence ?? []].flat() }),
);

const always = map(inTurn({ heading: form('anyTime', {}), branches: many(branch) }), (it) =>
  it.branches.map((each) => ({ ...each, except: null })),
);
const exception = map(
  inTurn({ blank: literal('\n'), heading: form('anyTimeBut', { step: number }), branch }),
  (it) => ({ ...it.branch, except: it.heading.step }),
);
const anyTime: Read<ReadPrompt['anyTime']> = map(
  inTurn({
    exceptions: many(exception),
    always: maybe(map(inTurn({ blank: literal('\n'), always }), (it) => it.always)),
  }),
  (it) => [...it.exceptions, ...(it.always ?? [])],
);

/** A part that a blank line ends, or none. */
function part<T>(read: Read<T>, none: T): Read<T> {
  const whole = map(inTurn({ part: read, blank: literal('\n') }), (it) => it.part);
  return either((input, at) => whole(input, at).filter(([, end]) => end > at + 1), nothing(none));
}

const announcements = Object.values(announced)
  .reduce<string[][]>((all, it) => all.flatMap((some) => [some, [...some, it]]), [[]])
  .map((all) => literal(enumerate(all, 'or')));
const announcement = map(
  inTurn({ blank: literal('\n'), line: form('announce', { what: either(...announcements) }) }),
  (it) => it.line.what,
);

const silent: Opening = { sentences: [], known: [], entries: [] };
const parts = inTurn({
  globalPrompt: part(
    map(form('plain', { text: said('globalPrompts') }), (it) => it.text),
    null as ReadPrompt['globalPrompt'],
  ),
  opening: part(opening, silent),
  steps,
  anyTime,
  announces: maybe(announcement),
});

const noStep = { at: 0, isHeadless: false, lines: [], instructions: null };
const blank: ReadPrompt = {
  ...{ ...silent, globalPrompt: null, isNumbered: false, anyTime: [], announces: null },
  steps: [{ ...noStep, captures: [], calls: [], branches: [] }],
};
/** The readings of the whole text. */
function readPrompt(input: Input): ReadPrompt[] {
  if (input.text === `${sentences.nothing}\n`) return [blank];
  return parts(input, 0).flatMap(([{ globalPrompt, opening, steps, anyTime, announces }, end]) => {
    if (end < input.text.length) return [];
    const { last, isNumbered } = steps;
    return { globalPrompt, ...opening, steps: listSteps(last), isNumbered, anyTime, announces };
  });
}
