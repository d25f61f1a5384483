/**
 * Which values the caller says, and which a tool returns, so that a call follows its walk.
 *
 * In: the moments of a walk. Out: a value for every capture at every visit, one per tool and variable (a
 * mock returns the same for each call), and one for every variable that comes with the call. Conditions of
 * one level are evaluated: for one variable after the other, a value is sought with which those of the
 * walk hold and the others do not. Of a condition in words, a choice that it names is taken. It is no
 * promise: the tester is also told what has to become true.
 */
import { type Expression, type OperandToken, parseExpression } from '../compiler/1-read/logical.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Capture, Condition } from '../compiler/ir/workflow.js';
import type { Moment } from './moments.js';
import type { Sample } from './tools.js';

export interface Values {
  /** What the caller says for a variable at a step of the walk. */
  readonly said: (step: number, variable: string) => Sample;
  /** What a tool returns for a variable. */
  readonly given: (tool: string, variable: string) => Sample;
  /** What the call has to start with: variables that are read and that nothing sets. */
  readonly supplied: ReadonlyMap<string, Sample>;
}

type Samples = readonly [Sample, ...Sample[]];

/** A value to be chosen. */
interface Choice {
  /** What to try, the best first, if the conditions name these values. */
  readonly candidates: (literals: readonly Sample[]) => Samples;
  chosen: Sample;
  /** Conditions that depend on it. */
  readonly demands: Demand[];
}

interface Demand {
  readonly judge: Judge;
  readonly wanted: boolean;
  readonly choices: ReadonlyMap<string, Choice | undefined>;
}

/** Only so many of the values that conditions name are tried. */
const mostTried = 20;
/** Only so many steps ahead, a condition in words may depend on what is said. */
const horizon = 8;

export function chooseValues(set: ReadonlySet<string>, moments: readonly Moment[]): Values {
  const said = new Map<string, Choice>();
  const given = new Map<string, Choice>();
  const supplied = new Map<string, Choice>();
  /** By variable, what it holds at this step. */
  const current = new Map<string, Choice>();
  const open = (candidates: Choice['candidates']): Choice => {
    return { candidates, chosen: candidates([])[0], demands: [] };
  };

  function demand({ logical, value }: Condition, wanted: boolean): void {
    // To the compiler, `days > 2` is a sentence.
    const judge = logical || /[<>]/.test(value) ? createJudge(value) : null;
    if (judge === null) return;
    const choices = new Map([...judge.variables].map((name) => [name, current.get(name)]));
    for (const choice of choices.values()) choice?.demands.push({ judge, wanted, choices });
  }

  for (const [step, { reads, condition, others, calls, node }] of moments.entries()) {
    for (const name of reads) {
      if (set.has(name) || builtInVariables.has(name) || supplied.has(name)) continue;
      const choice = open((literals) => samplesForResponse(name, literals));
      supplied.set(name, choice);
      current.set(name, choice);
    }
    if (condition !== null) demand(condition, true);
    for (const each of others) demand(each, false);
    for (const { tool, paths } of calls) {
      for (const name of paths.keys()) {
        const key = keyOf(tool, name);
        const choice = given.get(key) ?? open((literals) => samplesForResponse(name, literals));
        given.set(key, choice);
        current.set(name, choice);
      }
    }
    for (const capture of node.captures) {
      // The value of an alias comes from a template.
      current.delete(capture.name);
      if (capture.alias !== undefined) continue;
      const next = moments.slice(step + 1, step + 1 + horizon);
      const choice = open((literals) => preferNamed(samplesFor(capture, literals), capture, next));
      said.set(keyOf(step, capture.name), choice);
      current.set(capture.name, choice);
    }
  }
  for (const choice of [supplied, given, said].flatMap((all) => [...all.values()])) improve(choice);
  return {
    said: (step, variable) => said.get(keyOf(step, variable))!.chosen,
    given: (tool, variable) => given.get(keyOf(tool, variable))!.chosen,
    supplied: new Map([...supplied].map(([name, { chosen }]) => [name, chosen])),
  };
}

/** Variables that something in the workflow sets; any other comes with the call. */
export function namesSet({ workflow }: FlowGraph): ReadonlySet<string> {
  return new Set(
    workflow.nodes.flatMap(({ captures, request, tools, calls }) => [
      ...[...captures, ...(request?.responses ?? [])].map(({ name }) => name),
      ...[...tools, ...calls].flatMap(({ variables }) => variables),
    ]),
  );
}

function keyOf(owner: string | number, variable: string): string {
  return JSON.stringify([owner, variable]);
}

/** Chooses the first candidate that violates least; conditions of the walk weigh most. */
function improve(choice: Choice): void {
  const violations = (candidate: Sample) => {
    choice.chosen = candidate;
    return choice.demands.reduce((sum, { judge, wanted, choices }) => {
      const isMet = judge.holds((name) => choices.get(name)?.chosen) === wanted;
      return sum + (isMet ? 0 : wanted ? 4 : 1);
    }, 0);
  };
  const literals = new Set(choice.demands.flatMap(({ judge }) => judge.literals));
  let [best, least] = [choice.chosen, violations(choice.chosen)];
  for (const candidate of choice.candidates([...literals].slice(0, mostTried))) {
    const weight = least > 0 ? violations(candidate) : 0;
    if (weight < least) [best, least] = [candidate, weight];
  }
  choice.chosen = best;
}

/** The choice that the texts of the walk name first, else one that the other texts do not name. */
function preferNamed(samples: Samples, capture: Capture, next: readonly Moment[]): Samples {
  if (capture.enum === null) return samples;
  const excluded = new Set<Sample>();
  for (const { words, otherWords } of next) {
    const namedIn = (texts: readonly string[]) =>
      samples.filter((each) => texts.some((text) => mentions(text, String(each))));
    const [named] = namedIn(words);
    if (named !== undefined && !excluded.has(named)) return [named, ...samples];
    for (const each of namedIn(otherWords)) excluded.add(each);
  }
  const free = samples.find((each) => !excluded.has(each));
  return free === undefined ? samples : [free, ...samples];
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

/** What to try for a capture, the best first; `literals` are values that conditions name. */
function samplesFor({ name, type, enum: choices }: Capture, literals: readonly Sample[]): Samples {
  if (choices !== null && choices.length > 0) return choices as Samples;
  if (type === 'boolean') return [true, false];
  if (type !== 'number' && type !== 'integer') return [textFor(name), ...literals.map(String)];
  const near = literals.flatMap(nearTo).filter((each) => typeof each === 'number');
  return [3, ...near.filter((each) => type === 'number' || Number.isInteger(each)), 0];
}

/** What to try for a value of a response, whose type is not known. */
function samplesForResponse(name: string, literals: readonly Sample[]): Samples {
  return [textFor(name), true, ...literals.flatMap(nearTo), false];
}

function nearTo(literal: Sample): Sample[] {
  return typeof literal === 'number' ? [literal, literal + 1, literal - 1] : [literal];
}

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

/** Whether a text contains the words of a value in sequence. */
function mentions(text: string, value: string): boolean {
  const words = wordsOf(value);
  return words.trim() !== '' && wordsOf(text).includes(words);
}

/** Evaluates a condition. */
interface Judge {
  readonly variables: ReadonlySet<string>;
  /** Values that the expression names; they are worth trying. */
  readonly literals: readonly Sample[];
  readonly holds: (lookUp: (variable: string) => Sample | undefined) => boolean;
}

/**
 * Null unless the condition is an expression of one level: comparisons and operands, all joined by `and`
 * or all by `or`, without filters, tags and paths into a value.
 */
export function createJudge(condition: string): Judge | null {
  const expression = parseExpression(condition);
  if (expression === null) return null;
  const isJoined = expression.kind === 'and' || expression.kind === 'or';
  const parts = (isJoined ? expression.of : [expression]).map(readPart);
  if (!parts.every((part) => part !== null)) return null;
  const operands = parts.flatMap(({ left, right }) => [left, right]);
  return {
    variables: new Set(operands.flatMap((it) => it.variable ?? [])),
    literals: operands.flatMap((it) => it.value ?? []),
    holds: (lookUp) => {
      const read = ({ variable, value }: Operand) =>
        variable === undefined ? value : lookUp(variable);
      const holds = ({ left, operator, right, not }: Part) =>
        compare(operator, read(left), read(right)) !== not;
      return expression.kind === 'or' ? parts.some(holds) : parts.every(holds);
    },
  };
}

/** A variable, or a value: undefined for nil. */
interface Operand {
  readonly variable?: string;
  readonly value?: Sample | undefined;
}

interface Part {
  readonly left: Operand;
  /** `true`: whether `left` is truthy in Liquid. */
  readonly operator: Extract<Expression, { kind: 'comparison' }>['operator'] | 'true';
  readonly right: Operand;
  readonly not: boolean;
}

function readPart(expression: Expression): Part | null {
  const not = expression.kind === 'not';
  const part = not ? expression.of : expression;
  if (part.kind !== 'operand' && part.kind !== 'comparison') return null;
  const left = readOperand(part.kind === 'operand' ? part.operand : part.left);
  const right = part.kind === 'operand' ? {} : readOperand(part.right);
  const operator = part.kind === 'operand' ? 'true' : part.operator;
  return left === null || right === null ? null : { left, operator, right, not };
}

function readOperand({ kind, text }: OperandToken): Operand | null {
  if (kind === 'string') return { value: text.slice(1, -1) };
  if (kind === 'path' || kind === 'output') {
    const name = /^(?:\{\{-?\s*)?([\p{L}_][\p{L}\p{N}_-]*?)(?:\s*-?\}\})?$/u.exec(text)?.[1];
    return name === undefined ? null : { variable: name };
  }
  if (/^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === 'true' };
  if (/^(?:nil|null|none|undefined)$/i.test(text)) return { value: undefined };
  return /^-?\d+(?:\.\d+)?$/.test(text) ? { value: Number(text) } : null;
}

function compare(
  operator: Part['operator'],
  left: Sample | undefined,
  right: Sample | undefined,
): boolean {
  if (operator === 'true') return left !== undefined && left !== false;
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === 'contains') return typeof left === 'string' && left.includes(String(right));
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
