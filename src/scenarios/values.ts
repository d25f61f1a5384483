/**
 * Values that the caller says, that a tool returns, or that the call begins with, chosen so that the
 * conditions of a walk hold and those of its other edges do not.
 *
 * Each value begins with a sample. Step by step, a formula of one level (comparisons joined by `and` or
 * by `or`) and a choice that the words of a condition name replace it; what a condition of the walk has
 * chosen stays. It is no promise: the tester is also told what has to become true.
 */
import {
  type ComparisonOperator,
  type Expression,
  type OperandToken,
  parseExpression,
} from '../compiler/1-read/logical.js';
import type { Capture, Condition } from '../compiler/ir/workflow.js';

/** A value that a tester can say, or a tool return. */
export type Sample = string | number | boolean;

/** A value to be chosen. */
export interface Choice {
  /** What to try if a condition names this value, the best first. */
  readonly samples: (literal?: Sample) => readonly Sample[];
  /** The chosen one. */
  value: Sample;
  /** Whether a condition of the walk needs it. */
  isFixed: boolean;
}

/** The value that the tester says for a capture. */
export interface Said extends Choice {
  readonly capture: Capture;
}

function choice(samples: Choice['samples']): Choice {
  return { samples, value: samples()[0]!, isFixed: false };
}

/** What the caller says for a capture; a person could say it. */
export function choiceFor(capture: Capture): Said {
  const { name, type, enum: options } = capture;
  const samplesFor = (literal?: Sample): readonly Sample[] => {
    if (options !== null && options.length > 0) return options;
    if (type === 'boolean') return [true, false];
    const isNumber = type === 'number' || type === 'integer';
    if (!isNumber) return [textFor(name) ?? 'the blue one', String(literal)];
    return [3, ...(typeof literal === 'number' ? nearTo(literal) : [])];
  };
  return { ...choice(samplesFor), capture };
}

/** A value of a response or of the call's beginning, whose type is not known. */
export function choiceOfAnyType(name: string): Choice {
  const text = textFor(name) ?? `sample ${wordsOf(name).trim() || 'value'}`;
  return choice((literal = true) => [text, ...nearTo(literal)]);
}

function nearTo(literal: Sample): Sample[] {
  if (typeof literal === 'boolean') return [literal, !literal];
  return typeof literal === 'number' ? [literal, literal + 1, literal - 1] : [literal];
}

/** Makes a condition hold, or not, for the variables as they are now. */
export function demandCondition(
  { logical, value }: Condition,
  wanted: boolean,
  current: ReadonlyMap<string, Choice>,
): void {
  const expression = logical ? parseExpression(value) : null;
  if (expression === null) return;
  const { kind } = expression;
  const parts = kind === 'and' || kind === 'or' ? expression.of : [expression];
  const tests = parts.flatMap((part) => readTest(part) ?? []);
  if (tests.length < parts.length) return;
  const decide = ({ variable, fits, literal }: Test): boolean => {
    const held = current.get(variable);
    const found = held?.samples(literal).find((sample) => fits(sample) === wanted);
    if (held === undefined || held.isFixed || found === undefined) return false;
    held.value = found;
    held.isFixed = wanted;
    return true;
  };
  const isOpen = ({ variable, fits }: Test) => fits(current.get(variable)?.value) !== wanted;
  if ((kind === 'or') !== wanted) tests.forEach(decide);
  else if (tests.every(isOpen)) tests.some(decide);
}

/** Makes choices that the words name, or none of them. */
export function demandWords(
  words: readonly string[],
  wanted: boolean,
  recent: readonly Said[],
): void {
  const texts = words.map(wordsOf);
  const isNamed = (option: string) =>
    wordsOf(option).trim() !== '' && texts.some((text) => text.includes(wordsOf(option)));
  for (const each of recent.filter(({ isFixed }) => !isFixed)) {
    const options = each.capture.enum ?? [];
    const right = options.find((option) => isNamed(option) === wanted);
    if (right === undefined || !options.some(isNamed)) continue;
    each.value = right;
    each.isFixed = wanted;
  }
}

/** Texts by a word of the variable's name; the first that fits. */
const byWord: readonly (readonly [words: RegExp, sample: string])[] = [
  [/ (?:e?mail) /, 'ada@example.com'],
  [/ (?:phone|mobile|telephone) /, '+12025550123'],
  [/ first /, 'Ada'],
  [/ (?:last|surname|family) /, 'Example'],
  [/ (?:name|caller|customer) /, 'Ada Example'],
  [/ (?:date|day|birthday|dob) /, '2030-01-15'],
  [/ (?:time|hour|slot) /, '10:30'],
  [/ (?:zip|postal|postcode) /, '20500'],
  [/ (?:address|street) /, '12 Sample Street'],
  [/ (?:city|town) /, 'Springfield'],
  [/ (?:number|id|code|account|order|reference|ticket|pin) /, '4711'],
  [/ (?:amount|price|total|budget|sum) /, '42'],
  [
    / (?:reason|issue|problem|question|complaint|message|notes?|details|symptoms?) /,
    'It stopped working yesterday.',
  ],
];

/** Null where the name says nothing. */
function textFor(name: string): string | null {
  const words = wordsOf(name);
  return byWord.find(([each]) => each.test(words))?.[1] ?? null;
}

/** The words of a name or a text in lower case, between spaces; `camelCase` is two words. */
function wordsOf(text: string): string {
  const spaced = text.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
  return ` ${(spaced.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}

/** A test of one variable. */
type Test = NonNullable<ReturnType<typeof readTest>>;

/** Null for anything but a variable that is compared with a value, or that is true or not. */
function readTest(expression: Expression) {
  if (expression.kind === 'comparison') {
    const variable = variableOf(expression.left);
    const literal = literalOf(expression.right);
    const compare = comparing[expression.operator];
    if (variable === null || literal === null) return null;
    return { variable, literal, fits: (value: Sample | undefined) => compare(value!, literal) };
  }
  const isNegated = expression.kind === 'not';
  const inner = isNegated ? expression.of : expression;
  const variable = inner.kind === 'operand' ? variableOf(inner.operand) : null;
  const fits = (value: Sample = false) => (value === false) === isNegated;
  return variable === null ? null : { variable, literal: true, fits };
}

function variableOf({ kind, text }: OperandToken): string | null {
  if (kind !== 'path' && kind !== 'output') return null;
  return /^(?:\{\{-?\s*)?([\p{L}_][\p{L}\p{N}_-]*?)(?:\s*-?\}\})?$/u.exec(text)?.[1] ?? null;
}

function literalOf({ kind, text }: OperandToken): Sample | null {
  if (kind === 'string') return text.slice(1, -1);
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

const comparing: Readonly<Record<ComparisonOperator, (a: Sample, b: Sample) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  contains: (a, b) => typeof a === 'string' && a.includes(String(b)),
};
