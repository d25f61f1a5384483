/**
 * Logical conditions, judged: whether an expression holds when its variables have these values.
 *
 * In: a condition as the source writes it. Out: a judge, and what the condition compares each
 * variable with. There is no judge for what is no expression from end to end, for filters, for
 * tags and for paths into a value: nobody knows then, and nothing is claimed.
 */
import { type Expression, type OperandToken, parseExpression } from '../compiler/1-read/logical.js';

/** What a variable can hold here; undefined where it holds nothing. */
export type Value = string | number | boolean | undefined;

export interface Judge {
  readonly variables: ReadonlySet<string>;
  /** Values that the expression names, in its order; they are worth trying. */
  readonly literals: readonly Exclude<Value, undefined>[];
  readonly holds: (lookUp: (variable: string) => Value) => boolean;
}

export function createJudge(condition: string): Judge | null {
  const expression = parseExpression(condition);
  if (expression === null) return null;
  const read = new Map<OperandToken, Read>();
  for (const operand of operandsOf(expression)) {
    const found = readOperand(operand);
    if (found === null) return null;
    read.set(operand, found);
  }
  const operands = [...read.values()];
  return {
    variables: new Set(operands.flatMap((it) => ('variable' in it ? it.variable : []))),
    literals: operands.flatMap((it) => ('value' in it && it.value !== undefined ? [it.value] : [])),
    holds: (lookUp) =>
      judge(expression, (operand) => {
        const found = read.get(operand)!;
        return 'variable' in found ? lookUp(found.variable) : found.value;
      }),
  };
}

/** Recurses as deep as parentheses nest, which the parser limits. */
function operandsOf(expression: Expression): readonly OperandToken[] {
  if (expression.kind === 'operand') return [expression.operand];
  if (expression.kind === 'comparison') return [expression.left, expression.right];
  return (expression.kind === 'not' ? [expression.of] : expression.of).flatMap(operandsOf);
}

type Read = { readonly variable: string } | { readonly value: Value };

function readOperand({ kind, text }: OperandToken): Read | null {
  if (kind === 'string') return { value: text.slice(1, -1) };
  if (kind === 'path') return /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(text) ? { variable: text } : null;
  if (kind === 'output') {
    const name = /^\{\{-?\s*([\p{L}_][\p{L}\p{N}_-]*)\s*-?\}\}$/u.exec(text)?.[1];
    return name === undefined ? null : { variable: name };
  }
  if (/^true$/i.test(text)) return { value: true };
  if (/^false$/i.test(text)) return { value: false };
  if (/^(?:nil|null|none|undefined)$/i.test(text)) return { value: undefined };
  return /^-?\d+(?:\.\d+)?$/.test(text) ? { value: Number(text) } : null;
}

function judge(expression: Expression, lookUp: (operand: OperandToken) => Value): boolean {
  switch (expression.kind) {
    case 'operand':
      return isTrue(lookUp(expression.operand));
    case 'comparison':
      return compare(expression.operator, lookUp(expression.left), lookUp(expression.right));
    case 'not':
      return !judge(expression.of, lookUp);
    case 'and':
      return expression.of.every((part) => judge(part, lookUp));
    case 'or':
      return expression.of.some((part) => judge(part, lookUp));
  }
}

/** Liquid's truth: only nil and false are not true. */
function isTrue(value: Value): boolean {
  return value !== undefined && value !== false;
}

type Operator = Extract<Expression, { kind: 'comparison' }>['operator'];

function compare(operator: Operator, left: Value, right: Value): boolean {
  if (operator === '==') return left === right;
  if (operator === '!=') return left !== right;
  if (operator === 'contains') return typeof left === 'string' && left.includes(String(right));
  if (typeof left !== 'number' || typeof right !== 'number') return false;
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  return operator === '>' ? left > right : left >= right;
}
