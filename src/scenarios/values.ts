/**
 * Values that the caller says, that a tool returns, or that the call begins with, chosen so that the
 * conditions of a walk hold and those of its other edges do not.
 *
 * Each value begins with the best sample for it. Conditions that are formulas are evaluated; of one in
 * words, a choice that it names is taken. One value after the other is then replaced by the sample
 * with which most of these hold. It is no promise: the tester is also told what has to become true.
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
  /** What to try, the best first, if conditions name these values. */
  readonly samples: (literals: readonly Sample[]) => readonly Sample[];
  /** The choices of an enumerated capture. */
  readonly options: readonly string[] | null;
  readonly demands: Demand[];
  chosen: Sample;
}

interface Demand {
  readonly holds: () => boolean;
  readonly wanted: boolean;
  readonly literals: readonly Sample[];
}

/** Only so many of the values that conditions name are tried. */
const mostTried = 20;

function choice(samples: Choice['samples'], options: Choice['options'] = null): Choice {
  return { samples, options, demands: [], chosen: samples([])[0]! };
}

/** What the caller says for a capture. */
export function choiceFor({ name, type, enum: options }: Capture): Choice {
  if (options !== null && options.length > 0) return choice(() => options, options);
  if (type === 'boolean') return choice(() => [true, false]);
  if (type === 'number' || type === 'integer') {
    const isNumber = (each: Sample) => typeof each === 'number';
    return choice((literals) => [3, ...literals.flatMap(nearTo).filter(isNumber), 0]);
  }
  return choice((literals) => [textFor(name), ...literals.map(String)]);
}

/** A value of a response or of the call's beginning, whose type is not known. */
export function choiceOfAnyType(name: string): Choice {
  return choice((literals) => [textFor(name), true, ...literals.flatMap(nearTo), false]);
}

function nearTo(literal: Sample): Sample[] {
  return typeof literal === 'number' ? [literal, literal + 1, literal - 1] : [literal];
}

/** Demands that a condition holds, or does not, for the values that its variables have now. */
export function demandCondition(
  { logical, value }: Condition,
  wanted: boolean,
  current: ReadonlyMap<string, Choice>,
): void {
  // To the compiler, `days > 2` is a sentence.
  const expression = logical || /[<>]/.test(value) ? parseExpression(value) : null;
  if (expression === null) return;
  const parts = wanted && expression.kind === 'and' ? expression.of : [expression];
  for (const formula of parts.flatMap((part) => readFormula(part) ?? [])) {
    const held = new Map(formula.variables.map((name) => [name, current.get(name)]));
    const holds = () => formula.holds((name) => held.get(name)?.chosen);
    const { literals } = formula;
    for (const each of held.values()) each?.demands.push({ holds, wanted, literals });
  }
}

/** Demands that these values are choices that the words name, or that they are not. */
export function demandWords(
  words: readonly string[],
  wanted: boolean,
  recent: readonly Choice[],
): void {
  const texts = words.map(wordsOf);
  for (const each of recent) {
    const named = each.options?.filter((option) => isNamed(option, texts)) ?? [];
    const holds = () => named.some((option) => option === each.chosen);
    if (named.length > 0) each.demands.push({ holds, wanted, literals: [] });
  }
}

/** Whether a text contains the words of a choice in sequence. */
function isNamed(option: string, texts: readonly string[]): boolean {
  const words = wordsOf(option);
  return words.trim() !== '' && texts.some((text) => text.includes(words));
}

/** Takes the first sample that violates least; conditions of the walk weigh most. */
export function improve(it: Choice): void {
  const violations = () =>
    it.demands.reduce((sum, { holds, wanted }) => {
      return holds() === wanted ? sum : sum + (wanted ? 4 : 1);
    }, 0);
  const literals = [...new Set(it.demands.flatMap((each) => each.literals))].slice(0, mostTried);
  let [best, least] = [it.chosen, violations()];
  for (const sample of it.samples(literals)) {
    if (least === 0) break;
    it.chosen = sample;
    const weight = violations();
    if (weight < least) [best, least] = [sample, weight];
  }
  it.chosen = best;
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
];

function textFor(name: string): string {
  const words = wordsOf(name);
  const [, sample] = byWord.find(([each]) => each.test(words)) ?? [];
  return sample ?? `sample ${words.trim() || 'value'}`;
}

/** The words of a name or a text in lower case, between spaces; `camelCase` is two words. */
function wordsOf(text: string): string {
  const spaced = text.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ').toLowerCase();
  return ` ${(spaced.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')} `;
}

/** A condition that can be evaluated; `literals` are values that it names. */
interface Formula {
  readonly variables: readonly string[];
  readonly literals: readonly Sample[];
  readonly holds: (lookUp: (variable: string) => Sample | undefined) => boolean;
}

/** Null if the expression contains more than variables and values, such as paths into them. */
function readFormula(expression: Expression): Formula | null {
  const operands = new Map(operandsOf(expression).map((token) => [token, readOperand(token)]));
  const read = [...operands.values()];
  if (read.includes(null)) return null;
  return {
    variables: read.flatMap((operand) => operand?.variable ?? []),
    literals: read.flatMap((operand) => operand?.value ?? []),
    holds: (lookUp) =>
      evaluate(expression, (token) => {
        const { variable, value } = operands.get(token)!;
        return variable === undefined ? value : lookUp(variable);
      }),
  };
}

function operandsOf(expression: Expression): OperandToken[] {
  if (expression.kind === 'operand') return [expression.operand];
  if (expression.kind === 'comparison') return [expression.left, expression.right];
  return [expression.of].flat().flatMap(operandsOf);
}

/** The name of a variable, or a value: undefined for nil. Null for what cannot be evaluated. */
function readOperand({ kind, text }: OperandToken): { variable?: string; value?: Sample } | null {
  if (kind === 'string') return { value: text.slice(1, -1) };
  if (kind === 'path' || kind === 'output') {
    const variable = /^(?:\{\{-?\s*)?([\p{L}_][\p{L}\p{N}_-]*?)(?:\s*-?\}\})?$/u.exec(text)?.[1];
    return variable === undefined ? null : { variable };
  }
  if (/^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true' };
  if (/^(?:nil|null|none|undefined)$/i.test(text)) return {};
  return /^-?\d+(?:\.\d+)?$/.test(text) ? { value: Number(text) } : null;
}

type Read = (operand: OperandToken) => Sample | undefined;

function evaluate(expression: Expression, read: Read): boolean {
  switch (expression.kind) {
    case 'operand':
      return (read(expression.operand) ?? false) !== false;
    case 'comparison':
      return comparing[expression.operator](read(expression.left)!, read(expression.right)!);
    case 'not':
      return !evaluate(expression.of, read);
    case 'and':
      return expression.of.every((each) => evaluate(each, read));
    case 'or':
      return expression.of.some((each) => evaluate(each, read));
  }
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
