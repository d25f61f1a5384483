/**
 * A condition's tokens as an expression, where they are one from the first to the last.
 *
 * `not` and `!` bind closer than `and`/`&&`, and those closer than `or`/`||`; a comparison has one
 * operator. `!a == b` means one thing to some readers and another to others: it is no expression.
 */
import {
  type ComparisonOperator,
  isOperand,
  type LogicalToken,
  type OperandToken,
  type OtherToken,
} from './logical-tokens.js';

export type Expression =
  | { readonly kind: 'operand'; readonly operand: OperandToken }
  | Comparison
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[] };

export interface Comparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: OperandToken;
  readonly right: OperandToken;
}

/** How deep parentheses may nest; the reader recurses into them. */
const maxParentheses = 50;

/** The expression that all the tokens make together, or null. */
export function parseExpression(tokens: readonly LogicalToken[]): Expression | null {
  const reader: Reader = { tokens, at: 0, level: 0 };
  const expression = readChain(reader, 'or');
  return reader.at === tokens.length ? expression : null;
}

interface Reader {
  readonly tokens: readonly LogicalToken[];
  at: number;
  level: number;
}

function readChain(reader: Reader, kind: 'and' | 'or'): Expression | null {
  const parts: Expression[] = [];
  do {
    const part = kind === 'or' ? readChain(reader, 'and') : readNegation(reader);
    if (!part) return null;
    parts.push(part);
  } while (takeOperator(reader, (operator) => operator === kind));
  return parts.length > 1 ? { kind, of: parts } : (parts[0] ?? null);
}

function readNegation(reader: Reader): Expression | null {
  let negated = false;
  let last: OtherToken | null = null;
  for (let token = takeOther(reader, 'not'); token; token = takeOther(reader, 'not')) {
    negated = !negated;
    last = token;
  }
  const of = takeOther(reader, '(')
    ? readGroup(reader)
    : readComparison(reader, last?.sign ?? false);
  return of && negated ? { kind: 'not', of } : of;
}

function readGroup(reader: Reader): Expression | null {
  if (++reader.level > maxParentheses) return null;
  const expression = readChain(reader, 'or');
  reader.level--;
  return takeOther(reader, ')') ? expression : null;
}

function readComparison(reader: Reader, afterSign: boolean): Expression | null {
  const left = reader.tokens[reader.at];
  if (!isOperand(left)) return null;
  reader.at++;
  const operator = takeOperator(reader, (found) => found !== 'and' && found !== 'or');
  if (!operator) return { kind: 'operand', operand: left };
  const right = reader.tokens[reader.at];
  if (afterSign || !isOperand(right)) return null;
  reader.at++;
  return { kind: 'comparison', operator: operator as ComparisonOperator, left, right };
}

function takeOther(reader: Reader, kind: OtherToken['kind']): OtherToken | null {
  const token = reader.tokens[reader.at];
  if (token?.kind !== kind) return null;
  reader.at++;
  return token as OtherToken;
}

function takeOperator(reader: Reader, fits: (operator: string) => boolean): string | null {
  const token = reader.tokens[reader.at];
  if (token?.kind !== 'operator' || !fits(token.operator)) return null;
  reader.at++;
  return token.operator;
}
