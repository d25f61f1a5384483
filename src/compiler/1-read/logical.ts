/**
 * Is a condition an expression to be evaluated, or a sentence to be understood? And the Liquid that
 * says the same as an expression.
 *
 * An expression is: nothing but Liquid; or a text with `==`, `!=`, `<=`, `>=`, `&&`, `||` or
 * Liquid's `contains` between two operands; or a lone `true` or `false`; or what the dialect marks
 * as one. `contains` is also an English word: it counts beside a quoted string, or where the whole
 * text is `path contains path`. `<` and `>` count between a path or an output on one side and a
 * number or a quoted text on the other.
 *
 * Example: `tier == 'gold'` reads `tier`; `the caller contains their anger` is a sentence.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, Use } from '../ir/workflow.js';
import { hasLiquid, readTemplate, type TemplateReading, textAt } from './template.js';

export interface OperandToken {
  readonly kind: 'path' | 'literal' | 'string' | 'output';
  readonly text: string;
  /** The variables that a path reads: its root, and roots of paths in its brackets. */
  readonly uses: readonly Use[];
}

export type ComparisonOperator = '==' | '!=' | '<=' | '>=' | '<' | '>' | 'contains';

export type Expression =
  | { readonly kind: 'operand'; readonly operand: OperandToken }
  | Comparison
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'and' | 'or'; readonly of: readonly Expression[] };

interface Comparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: OperandToken;
  readonly right: OperandToken;
}

type Token = OperandToken | SignToken;

/** `isSign`: it is a sign (`==`, `&&`, `!`) rather than a word; what fits nothing is `junk`. */
interface SignToken {
  readonly kind: ComparisonOperator | 'and' | 'or' | 'not' | '(' | ')' | 'junk';
  readonly isSign: boolean;
}

/** `marked`: the dialect says that the text is an expression, whatever it looks like. */
export function conditionAt(
  value: string,
  at: JsonPointer,
  faults: Diagnostic[],
  marked: boolean,
): Condition {
  const own = textAt(value, at, faults).uses;
  const operands = readLogical(value, marked);
  const uses = [...own, ...(operands ?? [])].sort((a, b) => a.start - b.start);
  const logical = operands !== null;
  // The squad has the text between these tags, so that the platform does not evaluate it.
  if (logical && /\{%-?\s*(?:end)?raw\s*-?%\}/.test(value)) {
    faults.push(diagnose('shape/raw-tag', at, {}));
  }
  return { value, at, uses, logical, routing: null, guard: null, call: null };
}

/** The variables that a condition reads outside its Liquid; null where it is a sentence. */
function readLogical(value: string, marked: boolean): readonly Use[] | null {
  const { units } = readTemplate(value);
  if (isAllLiquid(value, units) || /^\s*(?:true|false)\s*$/.test(value)) return [];
  if (!marked && !/[=!<>]=|[<>]|&&|\|\||\bcontains\b/.test(value)) return null;
  const tokens = tokenise(value, units);
  const comparisons = tokens.flatMap((_, at) => comparedAt(tokens, at) ?? []);
  if (!marked && !comparisons.some(({ decides }) => decides)) return null;
  // In a sentence around an operator only the words beside the operator are operands.
  const operands = parseTokens(tokens)
    ? tokens.filter(isOperand)
    : comparisons.flatMap(({ left, right }) => [left, right]);
  const uses = new Map(operands.flatMap((operand) => operand.uses.map((use) => [use.start, use])));
  return [...uses.values()].sort((a, b) => a.start - b.start);
}

/** Whether a text is Liquid from end to end; what stands inside a block belongs to it. */
function isAllLiquid(value: string, units: TemplateReading['units']): boolean {
  const gaps = units.map(({ start }, at) => value.slice(units[at - 1]?.end ?? 0, start));
  const rest = value.slice(units.at(-1)?.end ?? 0);
  return units.length > 0 && [...gaps, rest].every((gap) => gap.trim() === '');
}

/** The operands beside the operator at this place, parentheses and negations aside. */
function comparedAt(tokens: readonly Token[], at: number) {
  const { kind, isSign } = tokens[at] as SignToken;
  const isContains = kind === 'contains';
  if (!isContains && !(isSign && [...comparing, 'and', 'or'].includes(kind))) return null;
  let before = at - 1;
  while (tokens[before]?.kind === ')') before -= 1;
  let after = at + 1;
  while (tokens[after]?.kind === '(' || tokens[after]?.kind === 'not') after += 1;
  const [left, right] = [tokens[before], tokens[after]];
  if (!isOperand(left) || !isOperand(right)) return null;
  const isQuoted = left.kind === 'string' || right.kind === 'string';
  const isWhole = tokens.length === 3 && left.kind !== 'literal' && right.kind !== 'literal';
  if (isContains && !isQuoted && !isWhole) return null;
  // `<` and `>` are also arrows and brackets: they count between a value and a name for one.
  const isSized =
    [left, right].some(({ kind: it }) => it === 'path' || it === 'output') &&
    [left, right].some(({ kind: it, text }) => it === 'string' || /^-?\d/.test(text));
  return { left, right, decides: (kind !== '<' && kind !== '>') || isSized };
}

function isOperand(token: Token | undefined): token is OperandToken {
  return token !== undefined && 'uses' in token;
}

/** How deep parentheses may nest; the reader recurses into them. */
const maxParentheses = 50;

/** The expression that a condition is from end to end; null where it is none. */
export function parseExpression(value: string): Expression | null {
  return parseTokens(tokenise(value, readTemplate(value).units));
}

/**
 * `not` and `!` bind closer than `and`, and that closer than `or`; a comparison has one operator.
 * `!a == b` means one thing to some readers and another to others: it is no expression.
 */
function parseTokens(tokens: readonly Token[]): Expression | null {
  let at = 0;
  let level = 0;
  const accept = (kind: Token['kind']) => {
    if (tokens[at]?.kind !== kind) return false;
    at += 1;
    return true;
  };
  const readChain = (kind: 'and' | 'or'): Expression | null => {
    const parts: Expression[] = [];
    do {
      const part = kind === 'or' ? readChain('and') : readNegation();
      if (part === null) return null;
      parts.push(part);
    } while (accept(kind));
    return parts.length > 1 ? { kind, of: parts } : parts[0]!;
  };
  const readNegation = (): Expression | null => {
    let isNegated = false;
    for (; accept('not'); ) isNegated = !isNegated;
    const last = tokens[at - 1];
    const isAfterSign = last?.kind === 'not' && last.isSign;
    const of = accept('(') ? readGroup() : readComparison(isAfterSign);
    return of && isNegated ? { kind: 'not', of } : of;
  };
  const readGroup = (): Expression | null => {
    level += 1;
    const inner = level > maxParentheses ? null : readChain('or');
    level -= 1;
    return accept(')') ? inner : null;
  };
  const readComparison = (isAfterSign: boolean): Expression | null => {
    const [left, operator, right] = tokens.slice(at, at + 3);
    if (!isOperand(left)) return null;
    const isCompared = operator !== undefined && comparing.includes(operator.kind);
    at += isCompared ? 3 : 1;
    if (!isCompared) return { kind: 'operand', operand: left };
    if (isAfterSign || !isOperand(right)) return null;
    return { kind: 'comparison', operator: operator.kind as ComparisonOperator, left, right };
  };
  const expression = readChain('or');
  return at === tokens.length ? expression : null;
}

/** Any text has tokens, blanks left out; outputs are operands whose reads the template tells. */
function tokenise(value: string, units: TemplateReading['units']): Token[] {
  const tokens: Token[] = [];
  const unitAt = new Map(units.map((it) => [it.start, it]));
  /** Quotes that open and never close: no use looking for their ends again. */
  const unclosed = new Set<string>();
  for (let at = 0; at < value.length; ) {
    const start = at;
    const putOperand = (kind: OperandToken['kind'], end: number) => {
      const text = value.slice(start, end);
      tokens.push({ kind, text, uses: kind === 'path' ? usesOf(text, start) : [] });
      at = end;
    };
    const put = (kind: SignToken['kind'], isSign = true) => tokens.push({ kind, isSign });
    const unit = unitAt.get(at);
    const stringEnd = unit === undefined ? endOfString(value, at, unclosed) : null;
    word.lastIndex = at;
    const { blank, paren, signs, number, path } = word.exec(value)?.groups ?? {};
    const text = blank ?? paren ?? signs ?? number ?? path;
    const end = at + (text ?? String.fromCodePoint(value.codePointAt(at)!)).length;
    at = unit?.end ?? end;
    if (unit?.isOutput) putOperand('output', at);
    else if (stringEnd !== null) putOperand('string', stringEnd);
    else if (unit !== undefined || text === undefined) put('junk');
    else if (signs !== undefined) for (const kind of kindsOf(signs)) put(kind);
    else if (number !== undefined || literals.has(text)) putOperand('literal', end);
    else if (paren !== undefined) put(paren as '(' | ')');
    else if (path !== undefined && kinds.has(path)) put(kinds.get(path)!, false);
    else if (path !== undefined) putOperand('path', end);
  }
  return tokens;
}

const identifier = '[\\p{L}_][\\p{L}\\p{N}_]*(?:-[\\p{L}\\p{N}_]+)*';
const dotted = `${identifier}(?:\\.${identifier})*`;
const inBrackets = `\\s*(?:-?\\d+|"[^"\\\\\\]]*"|'[^'\\\\\\]]*'|${dotted})\\s*`;
/** A number is also what people write: `$50`, `1,000`, `20%`, `24h`. */
const word = new RegExp(
  '(?<blank>\\s+)|(?<paren>[()])|(?<signs>[=!<>&|]+)' +
    '|(?<number>[-+]?[$€£¥]?\\d\\w*(?:[.,]\\d\\w*)*%?)' +
    `|(?<path>${identifier}(?:\\.${identifier}|\\[${inBrackets}\\])*)`,
  'uy',
);

const comparing: readonly string[] = ['==', '!=', '<=', '>=', '<', '>', 'contains'];
/** Signs and words, by how they are written. */
const kinds: ReadonlyMap<string, SignToken['kind']> = new Map(
  Object.entries({
    '==': '==',
    '===': '==',
    '!=': '!=',
    '!==': '!=',
    '<=': '<=',
    '>=': '>=',
    '<': '<',
    '>': '>',
    '&&': 'and',
    '||': 'or',
    and: 'and',
    AND: 'and',
    or: 'or',
    OR: 'or',
    not: 'not',
    NOT: 'not',
    contains: 'contains',
  } as const),
);
/** Words for values, as Liquid writes them. */
const literals: ReadonlyMap<string, string> = new Map(
  Object.entries({
    true: 'true',
    True: 'true',
    TRUE: 'true',
    false: 'false',
    False: 'false',
    FALSE: 'false',
    nil: 'nil',
    null: 'nil',
    NULL: 'nil',
    None: 'nil',
    undefined: 'nil',
    empty: 'empty',
    blank: 'blank',
  }),
);

/** A run of signs: an operator, negations, or both (`&&!`); an arrow or a ruler is neither. */
function kindsOf(run: string): SignToken['kind'][] {
  const head = kinds.has(run) ? run : run.replace(/!+$/, '');
  const operator = kinds.get(head);
  if (head !== '' && operator === undefined) return ['junk'];
  const negations = Array.from(run.slice(head.length), () => 'not' as const);
  return operator === undefined ? negations : [operator, ...negations];
}

/** Past the quoted string that begins here; the apostrophe of a word (`caller's`) opens none. */
function endOfString(value: string, at: number, unclosed: Set<string>): number | null {
  const open = value[at]!;
  const close = '"\'\u201d\u2019'['"\'\u201c\u2018'.indexOf(open)];
  if (!close || unclosed.has(open) || /[\p{L}\p{N}_]/u.test(value[at - 1] ?? '')) return null;
  for (let end = at + 1; end < value.length; end += 1) {
    if (value[end] === '\\') end += 1;
    else if (value[end] === close) return end + 1;
  }
  unclosed.add(open);
  return null;
}

const rootInBrackets = new RegExp(`\\[\\s*(${identifier})(\\.?)`, 'gu');

function usesOf(path: string, start: number): Use[] {
  const name = new RegExp(identifier, 'uy').exec(path)![0];
  const nested = name.length < path.length;
  const uses: Use[] = [{ name, nested, start, end: start + name.length }];
  for (const { 0: text, 1: inner = '', 2: dot = '', index } of path.matchAll(rootInBrackets)) {
    if (literals.has(inner)) continue;
    const end = start + index + text.length - dot.length;
    uses.push({ name: inner, nested: dot === '.', start: end - inner.length, end });
  }
  return uses;
}

/**
 * A logical condition as Liquid that prints exactly `true` or `false`; null where it is neither
 * Liquid nor an expression from end to end, or says what no condition of the platform can:
 * `balance >= $50`, a filter or a text with an output in the middle of a formula.
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
  const expression = parseTokens(tokenise(value, units));
  const text = expression && writeExpression(expression, name);
  return text && checked(text);
}

function checked(liquid: string): string | null {
  return readTemplate(liquid).fault === null ? liquid : null;
}

/** Recurses as deep as parentheses nest; null where an operand cannot be said in Liquid. */
function writeExpression(expression: Expression, name: string): string | null {
  let captures = '';
  let captured = 0;
  let isSayable = true;
  const writeTest = (part: Expression, yes: string, no: string): string => {
    if (part.kind === 'not') return writeTest(part.of, no, yes);
    const tests = (part.kind === 'or' ? part.of : [part]).map((it) =>
      // `and` may stand in each test, and `or` where a comparison is all of it.
      it.kind === 'and'
        ? it.of.map(writePart).join(' and ')
        : it.kind === 'comparison'
          ? writeComparison(it).join(' or ')
          : writePart(it),
    );
    return `{% if ${tests.join(` %}${yes}{% elsif `)} %}${yes}{% else %}${no}{% endif %}`;
  };
  /** What `and` may join to others. */
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
  /** Tests of which one has to hold. */
  const writeComparison = ({ left, operator, right }: Comparison): string[] => {
    const [one, other] = [write(left), write(right)];
    const plain = `${one} ${operator} ${other}`;
    if (operator === 'contains') return [plain];
    if (operator !== '==' && operator !== '!=') {
      const filled = [left, right].filter((it) => !isConstant(it)).map(write);
      return [
        [...filled.flatMap((it) => [`${it} != blank`, `${it} != true`]), plain].join(' and '),
      ];
    }
    const twins = [left, right].map(twinOf);
    // Two constants are what they are.
    if ((twins[0] === null) === (twins[1] === null)) return [plain];
    const twin = `${twins[0] ?? one} ${operator} ${twins[1] ?? other}`;
    return operator === '==' ? [plain, twin] : [`${plain} and ${twin}`];
  };
  const write = (operand: OperandToken): string => {
    const written = writeOperand(operand);
    isSayable &&= written !== null;
    return written ?? '';
  };
  const test = writeTest(expression, 'true', 'false');
  return isSayable ? captures + test : null;
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

/** Quotes that Liquid knows round the string. */
function writeString(text: string): string | null {
  const inner = text.slice(1, -1);
  if (hasLiquid(inner) || inner.includes('%}')) return null;
  if (/^["']/.test(text)) return text;
  if (inner.includes('\\') || (inner.includes('"') && inner.includes("'"))) return null;
  return inner.includes('"') ? `'${inner}'` : `"${inner}"`;
}

/** A number, truth value or nil as its text, or the other way round; null where it is none. */
function twinOf({ kind, text }: OperandToken): string | null {
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
