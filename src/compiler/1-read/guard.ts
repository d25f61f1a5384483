/** Translates an expression to Liquid, so that the platform can decide it by itself. */
import {
  type Comparison,
  type Expression,
  isAllLiquid,
  literals,
  type OperandToken,
  parseExpression,
  tokenise,
} from './logical.js';
import { hasLiquid, readTemplate } from './template.js';

/**
 * A logical condition as Liquid that prints exactly `true` or `false`. Null if it is neither Liquid
 * nor an expression from end to end, or if the platform's conditions cannot express it: `balance >=
 * $50`, a filter or a text with an output in the middle of a formula.
 *
 * Liquid has no parentheses and evaluates `and` and `or` from right to left without precedence. So
 * each `or` becomes `if … elsif`, each `and` of plain comparisons one test, and everything nested
 * deeper is first captured as a text, `true` or `false`. A condition that is itself Liquid is
 * captured, stripped and compared.
 *
 * A value may be stored as a number or as its text, and a missing one as an empty text. So a
 * number, `true` or `false` equals its text, and nil equals the empty text. A blank value or
 * "false" is not true, and is neither less nor greater than anything (plain Liquid takes an empty
 * text for zero).
 *
 * Example: `a == 'x' && b || c == 'y'` gives `{% if a == 'x' and b != blank and b != "false"
 * %}true` and then `{% elsif c == 'y' %}true{% else %}false{% endif %}`.
 */
export function toLiquidExpression(value: string): string | null {
  const taken = (value.match(/squadc_holds_*/g) ?? []).map(({ length }) => length);
  /** The beginning of a name that the condition does not use. */
  const name = `squadc_holds${'_'.repeat(taken.reduce((most, one) => Math.max(most, one), 0))}`;
  const { units } = readTemplate(value);
  if (isAllLiquid(value, units)) {
    const stripped = `{% assign ${name} = ${name} | strip %}`;
    const captured = `{% capture ${name} %}${value}{% endcapture %}${stripped}`;
    return checked(`${captured}{% if ${name} == "true" %}true{% else %}false{% endif %}`);
  }
  const expression = parseExpression(value);
  const text = expression && writeExpression(expression, name);
  return text && checked(text);
}

function checked(liquid: string): string | null {
  return readTemplate(liquid).fault === null ? liquid : null;
}

/** Recurses as deep as parentheses nest; null if Liquid cannot express an operand. */
function writeExpression(expression: Expression, name: string): string | null {
  let captures = '';
  let captured = 0;
  let isExpressible = true;
  const writeTest = (part: Expression, yes: string, no: string): string => {
    if (part.kind === 'not') return writeTest(part.of, no, yes);
    const tests = (part.kind === 'or' ? part.of : [part]).map((it) =>
      // A test may contain `and`, and `or` if it is a single comparison.
      it.kind === 'and'
        ? it.of.map(writePart).join(' and ')
        : it.kind === 'comparison'
          ? writeComparison(it).join(' or ')
          : writePart(it),
    );
    return `{% if ${tests.join(` %}${yes}{% elsif `)} %}${yes}{% else %}${no}{% endif %}`;
  };
  /** A test that `and` can join to others. */
  const writePart = (part: Expression): string => {
    if (part.kind === 'operand') {
      const written = write(part.operand);
      return isConstant(part.operand) ? written : `${written} != blank and ${written} != "false"`;
    }
    const [test = '', ...others] = part.kind === 'comparison' ? writeComparison(part) : ['', ''];
    if (others.length === 0) return test;
    const inner = writeTest(part, 'true', 'false');
    captured += 1;
    captures += `{% capture ${name}${captured} %}${inner}{% endcapture %}`;
    return `${name}${captured} == "true"`;
  };
  /** Alternative tests. */
  const writeComparison = ({ left, operator, right }: Comparison): string[] => {
    const [one, other] = [write(left), write(right)];
    const plain = `${one} ${operator} ${other}`;
    if (operator === 'contains') return [plain];
    if (operator !== '==' && operator !== '!=') {
      const filled = [left, right].filter((it) => !isConstant(it)).map(write);
      const tests = filled.flatMap((it) => [`${it} != blank`, `${it} != true`]);
      return [[...tests, plain].join(' and ')];
    }
    const alternatives = [left, right].map(alternativeOf);
    // Two constants need no alternative.
    if ((alternatives[0] === null) === (alternatives[1] === null)) return [plain];
    const alternative = `${alternatives[0] ?? one} ${operator} ${alternatives[1] ?? other}`;
    return operator === '==' ? [plain, alternative] : [`${plain} and ${alternative}`];
  };
  const write = (operand: OperandToken): string => {
    const written = writeOperand(operand);
    isExpressible &&= written !== null;
    return written ?? '';
  };
  const test = writeTest(expression, 'true', 'false');
  return isExpressible ? captures + test : null;
}

function isConstant({ kind }: OperandToken): boolean {
  return kind === 'literal' || kind === 'string';
}

const plainNumber = /^-?\d+(?:\.\d+)?$/;

/** An output counts as its path, so that the type of the value is kept. */
function writeOperand({ kind, text }: OperandToken): string | null {
  if (kind === 'path') return text;
  if (kind === 'string') return writeString(text);
  if (kind === 'output') {
    const [token, more] = tokenise(text.replace(/^\{\{-?|-?\}\}$/g, ''), []);
    if (token?.kind === 'path' && !more) return token.text;
  }
  return literals.get(text) ?? (plainNumber.test(text) ? text : null);
}

/** The string in quotes that Liquid accepts. */
function writeString(text: string): string | null {
  const inner = text.slice(1, -1);
  if (hasLiquid(inner) || inner.includes('%}')) return null;
  if (/^["']/.test(text)) return text;
  if (inner.includes('\\') || (inner.includes('"') && inner.includes("'"))) return null;
  return inner.includes('"') ? `'${inner}'` : `"${inner}"`;
}

/** A number, truth value or nil as its text, or the other way round; null for other operands. */
function alternativeOf({ kind, text }: OperandToken): string | null {
  const nameOf = (number: string) => (plainNumber.test(number) ? String(Number(number)) : null);
  if (kind === 'string') {
    const inner = text.slice(1, -1);
    if (inner === '') return 'nil';
    return ['true', 'false', nameOf(inner)].includes(inner) ? inner : null;
  }
  if (kind !== 'literal') return null;
  const written = literals.get(text) ?? nameOf(text);
  if (written === 'nil') return '""';
  return written === null || written === 'empty' || written === 'blank' ? null : `"${written}"`;
}
