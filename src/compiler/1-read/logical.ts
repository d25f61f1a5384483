/**
 * Is a condition an expression to be evaluated, or a sentence to be understood?
 *
 * An expression is: nothing but Liquid; or a text with `==`, `!=`, `<=`, `>=`, `&&`, `||` or
 * Liquid's `contains` between two operands; or a lone `true` or `false`; or what the dialect marks
 * as one. `contains` is also an English word: it counts beside a quoted string, or where the whole
 * text is `path contains path`. `<` and `>` count between a path or an output on one side and a
 * number or a quoted text on the other.
 *
 * In: a condition as the source writes it. Any text has tokens, blanks left out: what fits nothing
 * is `junk`. Liquid outputs are operands whose reads `template.ts` tells.
 *
 * Example: `tier == 'gold'` reads `tier`; `the caller contains their anger` is a sentence.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, Use } from '../ir/workflow.js';
import { cutTemplate, isAllLiquid, textAt } from './template.js';

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

export interface Comparison {
  readonly kind: 'comparison';
  readonly operator: ComparisonOperator;
  readonly left: OperandToken;
  readonly right: OperandToken;
}

export type LogicalToken = OperandToken | SignToken;

/** `isSign`: it is a sign (`==`, `&&`, `!`) rather than a word (`and`, `contains`, `not`). */
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
  const uses = operands === null ? own : [...own, ...operands].sort((a, b) => a.start - b.start);
  const logical = operands !== null;
  // The squad has the text between these tags, so that the platform does not evaluate it.
  if (logical && /\{%-?\s*(?:end)?raw\s*-?%\}/.test(value)) {
    faults.push(diagnose('shape/raw-tag', at, {}));
  }
  return { value, at, uses, logical, routing: null, guard: null, call: null };
}

/**
 * The variables that a condition reads outside its Liquid; null where it is a sentence. `marked`: the
 * dialect says that it is none.
 */
export function readLogical(value: string, marked: boolean): readonly Use[] | null {
  if (isAllLiquid(value) || /^\s*(?:true|false)\s*$/.test(value)) return [];
  if (!marked && !/[=!<>]=|[<>]|&&|\|\||\bcontains\b/.test(value)) return null;
  const tokens = tokenise(value);
  const comparisons = tokens.flatMap((_, at) => comparedAt(tokens, at) ?? []);
  if (!marked && !comparisons.some(({ decides }) => decides)) return null;
  // In a sentence around an operator only the words beside the operator are operands.
  const operands = parseExpression(tokens)
    ? tokens.filter(isOperand)
    : comparisons.flatMap(({ left, right }) => [left, right]);
  const uses = new Map(operands.flatMap((operand) => operand.uses.map((use) => [use.start, use])));
  return [...uses.values()].sort((a, b) => a.start - b.start);
}

/** The operands beside the operator at this place, parentheses and negations aside. */
function comparedAt(tokens: readonly LogicalToken[], at: number) {
  const { kind, isSign } = tokens[at] as SignToken;
  const isContains = kind === 'contains';
  if (!isContains && !(isSign && operators.includes(kind))) return null;
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

function isOperand(token: LogicalToken | undefined): token is OperandToken {
  return token !== undefined && 'uses' in token;
}

/** How deep parentheses may nest; the reader recurses into them. */
const maxParentheses = 50;

/**
 * The expression that all the tokens make together, or null. `not` and `!` bind closer than `and`,
 * and that closer than `or`; a comparison has one operator. `!a == b` means one thing to some
 * readers and another to others: it is no expression.
 */
export function parseExpression(tokens: readonly LogicalToken[]): Expression | null {
  let at = 0;
  let level = 0;
  const accept = (kind: LogicalToken['kind']) => {
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
    at += 1;
    if (operator === undefined || !comparing.includes(operator.kind))
      return { kind: 'operand', operand: left };
    if (isAfterSign || !isOperand(right)) return null;
    at += 2;
    return { kind: 'comparison', operator: operator.kind as ComparisonOperator, left, right };
  };
  const expression = readChain('or');
  return at === tokens.length ? expression : null;
}

export function tokenise(value: string): LogicalToken[] {
  const tokens: LogicalToken[] = [];
  /** Quotes that open and never close: no use looking for their ends again. */
  const unclosed = new Set<string>();
  const put = (kind: SignToken['kind'], isSign = true) => tokens.push({ kind, isSign });
  const { units } = cutTemplate(value);
  let at = 0;
  let unit = 0;
  while (at < value.length) {
    while (unit < units.length && units[unit]!.start < at) unit += 1;
    const start = at;
    const putOperand = (kind: OperandToken['kind']) => {
      const text = value.slice(start, at);
      tokens.push({ kind, text, uses: kind === 'path' ? usesOf(text, start) : [] });
    };
    const found = units[unit];
    if (found?.start === at) {
      at = found.end;
      if (found.kind === 'output') putOperand('output');
      else put('junk');
      continue;
    }
    const stringEnd = endOfString(value, at, unclosed);
    if (stringEnd !== null) {
      at = stringEnd;
      putOperand('string');
      continue;
    }
    word.lastIndex = at;
    const { blank, paren, signs, number, path } = word.exec(value)?.groups ?? {};
    const character = String.fromCodePoint(value.codePointAt(at)!);
    at += (blank ?? paren ?? signs ?? number ?? path ?? character).length;
    if (paren !== undefined) put(paren as '(' | ')');
    else if (signs !== undefined) for (const kind of kindsOf(signs)) put(kind);
    else if (number !== undefined || literals.has(path ?? '')) putOperand('literal');
    else if (path !== undefined && kinds.has(path)) put(kinds.get(path)!, false);
    else if (path !== undefined) putOperand('path');
    else if (blank === undefined) put('junk');
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
const operators: readonly string[] = [...comparing, 'and', 'or'];
/** Signs and words, by how they are written. */
const kinds: ReadonlyMap<string, SignToken['kind']> = new Map(
  Object.entries({
    ...{ '==': '==', '===': '==', '!=': '!=', '!==': '!=', '<=': '<=', '>=': '>=' },
    ...{ '<': '<', '>': '>', '&&': 'and', '||': 'or', and: 'and', AND: 'and', or: 'or' },
    ...{ OR: 'or', not: 'not', NOT: 'not', contains: 'contains' },
  } as const),
);
/** Words for values, as Liquid writes them. */
export const literals: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ true: 'true', True: 'true', TRUE: 'true', false: 'false', False: 'false' },
    ...{ FALSE: 'false', nil: 'nil', null: 'nil', NULL: 'nil', None: 'nil', undefined: 'nil' },
    ...{ empty: 'empty', blank: 'blank' },
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
