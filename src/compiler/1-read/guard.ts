/**
 * A logical condition as Liquid that prints exactly `true` or `false`.
 *
 * In: a condition. Out: the Liquid, or null where the condition is neither Liquid nor an expression
 * from end to end, or says what no condition of the platform can: `balance >= $50`, or a filter or a
 * text with an output in the middle of a formula.
 *
 * Liquid has no parentheses and reads `and` and `or` from right to left without precedence. So
 * each `or` becomes `if … elsif`, each `and` of plain comparisons one test, and whatever is nested
 * deeper is first captured as a text, `true` or `false`. A condition that is itself Liquid is
 * captured, stripped and compared.
 *
 * Nobody knows whether a value is stored as a number or as its text, and one that could not be
 * found may be stored as an empty text. So a number, `true` or `false` equals its text, and nil the
 * empty one; what is blank or says false is not true, and is neither less nor greater than anything
 * (bare Liquid takes an empty text for zero).
 *
 * Example: `a == 'x' && b || c == 'y'` gives `{% if a == 'x' and b != blank and b != "false" %}true`
 * and then `{% elsif c == 'y' %}true{% else %}false{% endif %}`.
 */
import {
  type Comparison,
  type Expression,
  literals,
  type OperandToken,
  parseExpression,
  tokenise,
} from './logical.js';
import { hasLiquid, isAllLiquid, readTemplate } from './template.js';

/** The Liquid that says whether the condition holds; see the head of this file. */
export function toLiquidExpression(value: string): string | null {
  const text = isAllLiquid(value) ? compareOutput(value) : writeExpression(value);
  return text !== null && readTemplate(text).faults.length === 0 ? text : null;
}

function compareOutput(value: string): string {
  const name = freshName(value);
  return (
    `{% capture ${name} %}${value}{% endcapture %}{% assign ${name} = ${name} | strip %}` +
    `{% if ${name} == "true" %}true{% else %}false{% endif %}`
  );
}

/** The beginning of a name that the condition does not use. */
function freshName(value: string): string {
  const taken = value.match(/squadc_holds_*/g) ?? [];
  return `squadc_holds${'_'.repeat(taken.reduce((most, one) => Math.max(most, one.length), 0))}`;
}

/** Liquid has no words for a part of the condition. */
class Unsayable extends Error {}

const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** Recurses as deep as parentheses nest, which `parseExpression` limits. */
function writeExpression(value: string): string | null {
  const expression = parseExpression(tokenise(value));
  if (expression === null) return null;
  const name = freshName(value);
  const captures: string[] = [];
  const capture = (text: string) => {
    const captured = `${name}${captures.length + 1}`;
    captures.push(`{% capture ${captured} %}${text}{% endcapture %}`);
    return captured;
  };

  const writeTest = (part: Expression, yes: string, no: string): string => {
    if (part.kind === 'not') return writeTest(part.of, no, yes);
    const tests = (part.kind === 'or' ? part.of : [part]).map(writeCase);
    return `{% if ${tests.join(` %}${yes}{% elsif `)} %}${yes}{% else %}${no}{% endif %}`;
  };
  /** What stands alone between `if` and `%}`, where `or` may join two tests. */
  const writeCase = (part: Expression): string => {
    if (part.kind === 'and') return part.of.map(writePart).join(' and ');
    return part.kind === 'comparison' ? writeComparison(part).join(' or ') : writePart(part);
  };
  /** What `and` may join to others. */
  const writePart = (part: Expression): string => {
    if (part.kind === 'operand') return writeTruth(part.operand);
    if (part.kind === 'comparison') {
      const [test, ...others] = writeComparison(part);
      if (others.length === 0) return test!;
    }
    return `${capture(writeTest(part, 'true', 'false'))} == "true"`;
  };
  const writeTruth = (operand: OperandToken): string => {
    const written = writeOperand(operand);
    return isConstant(operand) ? written : `${written} != blank and ${written} != "false"`;
  };
  /** Tests of which one has to hold. */
  const writeComparison = ({ left, operator, right }: Comparison): string[] => {
    const [one, other] = [writeOperand(left), writeOperand(right)];
    const plain = `${one} ${operator} ${other}`;
    if (operator === 'contains') return [plain];
    if (operator !== '==' && operator !== '!=') {
      const filled = (operand: OperandToken, text: string) =>
        isConstant(operand) ? [] : [`${text} != blank`, `${text} != true`];
      return [[...filled(left, one), ...filled(right, other), plain].join(' and ')];
    }
    const twins = [left, right].map(twinOf);
    // Two constants are what they are.
    if ((twins[0] === null) === (twins[1] === null)) return [plain];
    const twin = `${twins[0] ?? one} ${operator} ${twins[1] ?? other}`;
    return operator === '==' ? [plain, twin] : [`${plain} and ${twin}`];
  };
  try {
    const test = writeTest(expression, 'true', 'false');
    return captures.join('') + test;
  } catch (error) {
    if (error instanceof Unsayable) return null;
    throw error;
  }
}

function isConstant({ kind }: OperandToken): boolean {
  return kind === 'literal' || kind === 'string';
}

/** An output counts as its path, so that the type of the value is kept. */
function writeOperand({ kind, text }: OperandToken): string {
  if (kind === 'path') return text;
  if (kind === 'string') return writeString(text);
  const [token, more] = kind === 'output' ? tokenise(text.replace(/^\{\{-?|-?\}\}$/g, '')) : [];
  if (token?.kind === 'path' && !more) return token.text;
  const literal = literals.get(text);
  if (literal === undefined && !plainNumber.test(text)) throw new Unsayable();
  return literal ?? text;
}

/** Quotes that Liquid knows round the string. */
function writeString(text: string): string {
  const inner = text.slice(1, -1);
  if (hasLiquid(inner) || inner.includes('%}')) throw new Unsayable();
  if (/^["']/.test(text)) return text;
  if (inner.includes('\\') || (inner.includes('"') && inner.includes("'"))) throw new Unsayable();
  return inner.includes('"') ? `'${inner}'` : `"${inner}"`;
}

/** A number, truth value or nil as its text, or the other way round; null where it is none. */
function twinOf({ kind, text }: OperandToken): string | null {
  if (kind === 'string') {
    const inner = text.slice(1, -1);
    if (inner === '') return 'nil';
    return inner === 'true' || inner === 'false' || inner === nameOfNumber(inner) ? inner : null;
  }
  if (kind !== 'literal') return null;
  const literal = literals.get(text);
  if (literal === 'nil') return '""';
  if (literal !== undefined) return /^(?:true|false)$/.test(literal) ? `"${literal}"` : null;
  const number = nameOfNumber(text);
  return number === null ? null : `"${number}"`;
}

/** How the number is printed; null where the text is none. */
function nameOfNumber(text: string): string | null {
  return plainNumber.test(text) ? String(Number(text)) : null;
}
