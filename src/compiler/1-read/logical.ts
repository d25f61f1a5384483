/**
 * Is a condition an expression to be evaluated, or a sentence to be understood?
 *
 * An expression is: nothing but Liquid; or a text with `==`, `!=`, `<=`, `>=`, `&&`, `||` or
 * Liquid's `contains` between two operands; or a lone `true` or `false`; or what the dialect marks
 * as one. `contains` is also an English word: it counts beside a quoted string, or where the whole
 * text is `path contains path`. `<` and `>` alone make no expression.
 *
 * Example: `tier == 'gold'` reads `tier`; `the caller contains their anger` is a sentence.
 */
import type { Use } from '../ir/workflow.js';
import { parseExpression } from './logical-expression.js';
import {
  isOperand,
  type LogicalToken,
  type OperandToken,
  type OperatorToken,
  tokenise,
} from './logical-tokens.js';
import { isAllLiquid } from './template-pieces.js';

export { toLiquidExpression } from './logical-liquid.js';

/** A condition that is an expression, with the variables that it reads outside its Liquid. */
export interface LogicalReading {
  readonly operands: readonly Use[];
}

/** Reads a condition; null where it is a sentence. `marked`: the dialect says it is none. */
export function readLogical(value: string, marked: boolean): LogicalReading | null {
  if (isAllLiquid(value) || /^\s*(?:true|false)\s*$/.test(value)) return { operands: [] };
  // Most conditions are sentences: none of these signs, no reading.
  if (!marked && !/==|!=|<=|>=|&&|\|\||\bcontains\b/.test(value)) return null;
  const tokens = tokenise(value);
  const comparisons = tokens.flatMap((token, at) => comparisonAt(tokens, token, at) ?? []);
  if (!marked && !comparisons.some(({ operator }) => decides(operator))) return null;
  // In a sentence around an operator only the words beside the operator are operands.
  const operands = parseExpression(tokens)
    ? tokens.filter(isOperand)
    : comparisons.flatMap(({ left, right }) => [left, right]);
  const uses = new Map(operands.flatMap((operand) => operand.uses.map((use) => [use.start, use])));
  return { operands: [...uses.values()].sort((a, b) => a.start - b.start) };
}

interface Comparison {
  readonly operator: OperatorToken;
  readonly left: OperandToken;
  readonly right: OperandToken;
}

/** The operator at this place with the operands beside it, parentheses and negations aside. */
function comparisonAt(
  tokens: readonly LogicalToken[],
  operator: LogicalToken,
  at: number,
): Comparison | null {
  if (operator.kind !== 'operator' || (!operator.sign && operator.operator !== 'contains')) {
    return null;
  }
  let before = at - 1;
  while (tokens[before]?.kind === ')') before--;
  let after = at + 1;
  while (tokens[after]?.kind === '(' || tokens[after]?.kind === 'not') after++;
  const left = tokens[before];
  const right = tokens[after];
  if (!isOperand(left) || !isOperand(right)) return null;
  if (operator.operator !== 'contains') return { operator, left, right };
  const quoted = left.kind === 'string' || right.kind === 'string';
  const whole = tokens.length === 3 && left.kind !== 'literal' && right.kind !== 'literal';
  return quoted || whole ? { operator, left, right } : null;
}

/** Whether an operator between operands makes a text an expression. */
function decides({ operator }: OperatorToken): boolean {
  return operator !== '<' && operator !== '>';
}
