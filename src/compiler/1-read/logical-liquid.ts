/**
 * A logical condition as Liquid that prints exactly `true` or `false`.
 *
 * In: a condition. Out: the Liquid, or null where the condition is not an expression from end to
 * end or says something that Liquid cannot (`balance >= $50`).
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
import { type Comparison, type Expression, parseExpression } from './logical-expression.js';
import { type OperandToken, tokenise } from './logical-tokens.js';
import { readTemplate } from './template.js';
import { cutPieces, hasLiquid, isAllLiquid } from './template-pieces.js';

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

interface Writer {
  readonly value: string;
  readonly name: string;
  /** What has to be captured before the test. */
  captures: string;
  captured: number;
  /** Something that Liquid has no words for was met. */
  unsayable: boolean;
}

function writeExpression(value: string): string | null {
  const expression = parseExpression(tokenise(value));
  if (!expression) return null;
  const writer: Writer = {
    value,
    name: freshName(value),
    captures: '',
    captured: 0,
    unsayable: false,
  };
  const test = writeTest(writer, expression, 'true', 'false');
  return writer.unsayable ? null : writer.captures + test;
}

/** Recurses as deep as parentheses nest, which `parseExpression` limits. */
function writeTest(writer: Writer, expression: Expression, yes: string, no: string): string {
  if (expression.kind === 'not') return writeTest(writer, expression.of, no, yes);
  const cases = expression.kind === 'or' ? expression.of : [expression];
  const tests = cases.map((one) =>
    one.kind === 'and'
      ? one.of.map((part) => writePart(writer, part)).join(' and ')
      : writeCase(writer, one),
  );
  return `{% if ${tests.join(` %}${yes}{% elsif `)} %}${yes}{% else %}${no}{% endif %}`;
}

/** What stands alone between `if` and `%}`, where `or` may join two tests. */
function writeCase(writer: Writer, expression: Expression): string {
  return expression.kind === 'comparison'
    ? writeComparison(writer, expression).join(' or ')
    : writePart(writer, expression);
}

/** What `and` may join to others. */
function writePart(writer: Writer, expression: Expression): string {
  if (expression.kind === 'operand') return writeTruth(writer, expression.operand);
  if (expression.kind === 'comparison') {
    const [test, ...others] = writeComparison(writer, expression);
    if (others.length === 0) return test!;
  }
  return `${capture(writer, writeTest(writer, expression, 'true', 'false'))} == "true"`;
}

function writeTruth(writer: Writer, operand: OperandToken): string {
  const value = writeOperand(writer, operand);
  if (isConstant(operand)) return value;
  return `${value} != blank and ${value} != "false"`;
}

/** Tests of which one has to hold. */
function writeComparison(writer: Writer, { left, operator, right }: Comparison): string[] {
  const values = [left, right].map((operand) => writeOperand(writer, operand));
  const plain = `${values[0]} ${operator} ${values[1]}`;
  if (operator === 'contains') return [plain];
  if (operator !== '==' && operator !== '!=') {
    const [one = [], other = []] = [left, right].map((operand, at) =>
      isConstant(operand) ? [] : [`${values[at]} != blank`, `${values[at]} != true`],
    );
    return [[...one, ...other, plain].join(' and ')];
  }
  const twins = [left, right].map((operand) => twinOf(writer, operand));
  // Two constants are what they are.
  if ((twins[0] === null) === (twins[1] === null)) return [plain];
  const other = `${twins[0] ?? values[0]} ${operator} ${twins[1] ?? values[1]}`;
  return operator === '==' ? [plain, other] : [`${plain} and ${other}`];
}

function isConstant({ kind }: OperandToken): boolean {
  return kind === 'literal' || kind === 'string';
}

/** A number, truth value or nil as its text, or the other way round; null where it is none. */
function twinOf({ value }: Writer, { kind, start, end }: OperandToken): string | null {
  const text = value.slice(start, end);
  if (kind === 'string') {
    const inner = text.slice(1, -1);
    if (inner === '') return 'nil';
    return inner === 'true' || inner === 'false' || inner === nameOfNumber(inner) ? inner : null;
  }
  if (kind !== 'literal') return null;
  const word = literals.get(text);
  if (word === 'nil') return '""';
  if (word !== undefined) return word === 'true' || word === 'false' ? `"${word}"` : null;
  const number = nameOfNumber(text);
  return number === null ? null : `"${number}"`;
}

/** How the number is printed; null where the text is none. */
function nameOfNumber(text: string): string | null {
  return plainNumber.test(text) ? String(Number(text)) : null;
}

function capture(writer: Writer, text: string): string {
  writer.captured++;
  const name = `${writer.name}${writer.captured}`;
  writer.captures += `{% capture ${name} %}${text}{% endcapture %}`;
  return name;
}

function writeOperand(writer: Writer, { kind, start, end }: OperandToken): string {
  const text = writer.value.slice(start, end);
  if (kind === 'string') return writeString(writer, text);
  if (kind === 'output') return pathOf(text) ?? capture(writer, text);
  if (kind === 'literal') return literals.get(text) ?? writeNumber(writer, text);
  return text;
}

function writeNumber(writer: Writer, text: string): string {
  if (!plainNumber.test(text)) writer.unsayable = true;
  return text;
}

const plainNumber = /^-?\d+(?:\.\d+)?$/;

const literals: ReadonlyMap<string, string> = new Map([
  ...['true', 'True', 'TRUE'].map((word) => [word, 'true'] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, 'false'] as const),
  ...['nil', 'null', 'NULL', 'None', 'undefined'].map((word) => [word, 'nil'] as const),
  ['empty', 'empty'],
  ['blank', 'blank'],
]);

/** Quotes that Liquid knows round the string; outputs in it are put together beforehand. */
function writeString(writer: Writer, text: string): string {
  const inner = text.slice(1, -1);
  if (hasLiquid(inner)) {
    const { pieces, faults } = cutPieces(inner);
    if (faults.length > 0 || pieces.some(({ kind }) => kind !== 'output')) writer.unsayable = true;
    return capture(writer, inner);
  }
  if (inner.includes('%}')) writer.unsayable = true;
  if (text.startsWith('"') || text.startsWith("'")) return text;
  if (inner.includes('\\')) writer.unsayable = true;
  if (!inner.includes('"')) return `"${inner}"`;
  if (inner.includes("'")) writer.unsayable = true;
  return `'${inner}'`;
}

/** The path of an output that is nothing else, so that its type is kept. */
function pathOf(output: string): string | null {
  const inner = output.replace(/^\{\{-?/, '').replace(/-?\}\}$/, '');
  const [token, more] = tokenise(inner);
  return token?.kind === 'path' && !more ? inner.slice(token.start, token.end) : null;
}
