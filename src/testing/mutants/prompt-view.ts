/**
 * A prompt as squadc writes it, taken apart: steps, what is said and instructed there, ways on.
 *
 * In: the prompt, and the source's texts of several lines, so that no line of theirs is taken for
 * structure. Out: where each part stands. A line that is none of these belongs to an instruction;
 * a prompt of somebody else's has no steps, and nothing is found in it.
 *
 * Example: `- when c, go to step 2` is a way with the sentence `when c`, the condition `c`, and the
 * action `go to step 2`, whose target is `2`.
 */

import {
  type Line,
  listLines,
  mask,
  type Quote,
  type Span,
  spanOf,
  viewSaid,
  wholeOf,
} from './prompt-lines.js';
import { readWays, type Way } from './prompt-ways.js';

export interface PromptView {
  readonly text: string;
  /** Where the assistant is introduced; the workflow's own prompt stands before it. */
  readonly introduction: Span | null;
  readonly begins: readonly BeginLine[];
  readonly steps: readonly StepView[];
  /** What can happen at any time. */
  readonly always: readonly Way[];
  readonly alwaysAt: Span;
}

/** `If …, begin at step 2.` */
export interface BeginLine {
  readonly line: Span;
  readonly sentence: Span;
  readonly number: Span;
  readonly step: number;
}

export interface StepView {
  readonly number: number;
  readonly numberAt: Span;
  /** From the empty line before the heading to the end of the last line. */
  readonly whole: Span;
  readonly body: Span;
  readonly says: readonly Quote[];
  /** Lines of the node's own instructions; null where it has none. */
  readonly instruction: Span | null;
  readonly captures: readonly CaptureLine[];
  readonly calls: readonly CallLine[];
  readonly ways: readonly Way[];
}

export interface CaptureLine {
  readonly line: Span;
  readonly name: Span;
  readonly type: Span;
  readonly rest: Span;
}

/** `- call the tool x` */
export interface CallLine {
  readonly line: Span;
  readonly name: Span;
}

const heading = /^Step (\d+)$/;
const introduction = /^You are the assistant ".*" of a phone call\. /;
const begin = /^(.*), begin at step (\d+)\.$/;
const capture = /^(- find out )(.+?)( \()(string|number|integer|boolean|array|object)\)(.*)$/;
const call = /^(- call the tool )(\S+)$/;

export function viewPrompt(text: string, multiline: readonly string[]): PromptView {
  const lines = listLines(mask(text, multiline));
  const ends = lines.map(({ text: line, start }) => Math.min(start + line.length + 1, text.length));
  const always = lines.findLastIndex((line, at) => line.text === 'At any time' && isApart(at));
  const heads = lines.flatMap((line, at) => (heading.test(line.text) && isApart(at) ? [at] : []));
  const until = always < 0 ? lines.length - (text.endsWith('\n') ? 1 : 0) : always - 1;
  const firstStep = heads[0] ?? until;
  const intro = lines.findIndex((line) => introduction.test(line.text));
  const begins = lines.slice(intro + 1, firstStep).flatMap(viewBegin);
  return {
    text,
    introduction: intro < 0 ? null : spanOf(lines[intro]!),
    begins: intro < 0 ? [] : begins,
    steps: heads.map((at, index) => viewStep(at, (heads[index + 1] ?? until + 1) - 1)),
    always: always < 0 ? [] : readWays(lines.slice(always + 1)).ways,
    alwaysAt:
      always < 0
        ? { start: text.length, end: text.length }
        : { start: lines[always - 1]!.start, end: text.length },
  };

  function isApart(at: number): boolean {
    return at > 0 && lines[at - 1]!.text === '';
  }

  function viewStep(at: number, end: number): StepView {
    const head = lines[at]!;
    const whole = { start: lines[at - 1]!.start, end: ends[end - 1] ?? text.length };
    return {
      number: Number(heading.exec(head.text)![1]),
      numberAt: { start: head.start + 'Step '.length, end: head.start + head.text.length },
      whole,
      body: { start: Math.min(head.start + head.text.length + 1, whole.end), end: whole.end },
      ...viewBody(lines.slice(at + 1, end)),
    };
  }
}

function viewBegin(line: Line): BeginLine[] {
  const [, sentence, number] = begin.exec(line.text) ?? [];
  if (sentence === undefined || number === undefined) return [];
  const at = line.text.length - 1 - number.length;
  return [
    {
      line: wholeOf(line),
      sentence: spanOf(line, 0, sentence.length),
      number: spanOf(line, at, number.length),
      step: Number(number),
    },
  ];
}

function viewBody(lines: readonly Line[]) {
  const says = lines.slice(0, 1).flatMap(viewSaid);
  const { ways, others } = readWays(lines.slice(says.length));
  const captures = others.flatMap(viewCapture);
  const calls = others.flatMap(viewCall);
  const known = new Set([...captures, ...calls].map(({ line }) => line.start));
  const own = others.filter((line) => !known.has(line.start));
  const [first] = own;
  const last = own.at(-1);
  const instruction =
    first === undefined || last === undefined
      ? null
      : { start: first.start, end: spanOf(last).end };
  return { says, instruction, captures, calls, ways };
}

function viewCapture(line: Line): CaptureLine[] {
  const [, before, name, between, type, rest] = capture.exec(line.text) ?? [];
  if (before === undefined || name === undefined || between === undefined) return [];
  const typeAt = before.length + name.length + between.length;
  return [
    {
      line: wholeOf(line),
      name: spanOf(line, before.length, name.length),
      type: spanOf(line, typeAt, type?.length),
      rest: spanOf(line, line.text.length - (rest?.length ?? 0)),
    },
  ];
}

function viewCall(line: Line): CallLine[] {
  const [, before, name] = call.exec(line.text) ?? [];
  if (before === undefined) return [];
  return [{ line: wholeOf(line), name: spanOf(line, before.length, name?.length) }];
}

/** All ways out of all steps, and those that are open at any time. */
export function waysOf({ steps, always }: PromptView): Way[] {
  return [...steps.flatMap(({ ways }) => ways), ...always];
}

/**
 * Whether the step says or asks anything that no tool says as well: a handoff stands with its
 * condition in the tool, too.
 */
export function hasOwnWords(view: PromptView, step: StepView): boolean {
  const { says, instruction, captures, calls, ways } = step;
  const instructs = instruction !== null && wordsOf(view, instruction).trim() !== '';
  const leads = ways.some(({ kind }) => kind === 'step' || kind === 'end');
  return instructs || leads || says.length + captures.length + calls.length > 0;
}

/** The words of a part. */
export function wordsOf({ text }: PromptView, { start, end }: Span): string {
  return text.slice(start, end);
}
