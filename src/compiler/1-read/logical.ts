/**
 * Decides whether a condition is an expression to evaluate or a sentence to understand.
 *
 * An expression is a text that is only Liquid; that has `==`, `!=`, `<=`, `>=`, `&&`, `||` or
 * Liquid's `contains` between two operands; that is only `true` or `false`; or that the dialect
 * marks as one. `contains` is also an English word: it counts beside a quoted string, or if the
 * whole text is `path contains path`. `<` and `>` count between a path or an output on one side and
 * a number or a quoted text on the other.
 *
 * Example: `tier == 'gold'` reads `tier`; `the caller contains their anger` is a sentence.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { Diagnostic } from '../ir/result.js';
import type { Condition, Use } from '../ir/workflow.js';
import { bySpelling } from './dialect.js';
import { listBetween, readTemplate, type TemplateReading, textAt } from './template.js';

export interface OperandToken {
  readonly kind: 'path' | 'literal' | 'string' | 'output';
  readonly text: string;
  /** Where it stands in the condition. */
  readonly start: number;
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

type Token = OperandToken | SignToken;

/** `isSign`: a sign (`==`, `&&`, `!`) and not a word; an unknown sign is `junk`. */
interface SignToken {
  readonly kind: ComparisonOperator | 'and' | 'or' | 'not' | '(' | ')' | 'junk';
  readonly isSign: boolean;
}

/** `marked`: the dialect says that the text is an expression, whatever it looks like. */
export function conditionAt(value: string, at: JsonPointer, faults: Diagnostic[], marked: boolean) {
  const template = readTemplate(value);
  const own = textAt(value, at, faults, template).uses;
  const operands = template.fault === null ? readLogical(value, template, marked) : null;
  const isTooLarge = operands !== null && operands.length > 2 * maxComparisons;
  if (isTooLarge) faults.push(diagnose('shape/liquid-too-large', at, { limit: 'comparisons' }));
  const read = isTooLarge ? [] : (operands ?? []).flatMap(usesOf);
  const uses = [...own, ...read].sort((a, b) => a.start - b.start);
  const logical = operands !== null;
  // The squad puts these tags around the text so that the platform does not evaluate it.
  if (logical && /\{%-?\s*(?:end)?raw\s*-?%\}/.test(value)) {
    faults.push(diagnose('shape/raw-tag', at, {}));
  }
  return { value, at, uses, logical, routing: null, guard: null, call: null };
}

/** The operands of a condition outside its Liquid, each once; null if it is a sentence. */
function readLogical(value: string, { units }: TemplateReading, marked: boolean) {
  if (isAllLiquid(value, units) || /^\s*(?:true|false)\s*$/.test(value)) return [];
  if (!marked && !/[=!<>]=|[<>]|&&|\|\||\bcontains\b/.test(value)) return null;
  const tokens = tokenise(value, units);
  const comparisons = tokens.flatMap((_, at) => comparedAt(tokens, at) ?? []);
  if (!marked && !comparisons.some(({ decides }) => decides)) return null;
  // In a sentence with an operator, only the words beside the operator are operands.
  return parseTokens(tokens)
    ? tokens.filter(isOperand)
    : [...new Set(comparisons.flatMap(({ left, right }) => [left, right]))];
}

/** True if a text is Liquid from end to end; the content of a block belongs to the block. */
export function isAllLiquid(value: string, units: TemplateReading['units']): boolean {
  return units.length > 0 && listBetween(value, units).every((gap) => gap.trim() === '');
}

/** The operands beside the operator at this place, ignoring parentheses and negations. */
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
  // `<` and `>` are also arrows and brackets: they count between a value and a name.
  const isSized =
    [left, right].some(({ kind: it }) => it === 'path' || it === 'output') &&
    [left, right].some(({ kind: it, text }) => it === 'string' || /^-?\d/.test(text));
  return { left, right, decides: (kind !== '<' && kind !== '>') || isSized };
}

function isOperand(token: Token | undefined): token is OperandToken {
  return token !== undefined && 'text' in token;
}

/** The deepest nesting of parentheses: the reader recurses into them. */
const maxParentheses = 50;
/** The most comparisons of a condition; each has two operands. */
const maxComparisons = 1000;

/** The expression that the whole condition is; null if it is not one. */
export function parseExpression(value: string): Expression | null {
  return parseTokens(tokenise(value, readTemplate(value).units));
}

/**
 * `not` and `!` bind more tightly than `and`, and `and` more tightly than `or`; a comparison has
 * one operator. `!a == b` is ambiguous, so it is not an expression.
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

/** Any text has tokens, without blanks; outputs are operands whose reads the template provides. */
export function tokenise(value: string, units: TemplateReading['units']): Token[] {
  const tokens: Token[] = [];
  const unitAt = new Map(units.map((it) => [it.start, it]));
  /** Quotes that are never closed, so that their ends are searched for only once. */
  const unclosed = new Set<string>();
  for (let at = 0; at < value.length; ) {
    const start = at;
    const pushOperand = (kind: OperandToken['kind'], end: number) => {
      tokens.push({ kind, text: value.slice(start, end), start });
      at = end;
    };
    const pushSign = (kind: SignToken['kind'], isSign = true) => tokens.push({ kind, isSign });
    const unit = unitAt.get(at);
    const stringEnd = unit === undefined ? endOfString(value, at, unclosed) : null;
    word.lastIndex = at;
    const { blank, paren, signs, number, path } = word.exec(value)?.groups ?? {};
    const text = blank ?? paren ?? signs ?? number ?? path;
    const end = at + (text ?? String.fromCodePoint(value.codePointAt(at)!)).length;
    at = unit?.end ?? end;
    if (unit?.isOutput) pushOperand('output', at);
    else if (stringEnd !== null) pushOperand('string', stringEnd);
    else if (unit !== undefined || text === undefined) pushSign('junk');
    else if (signs !== undefined) for (const kind of kindsOf(signs)) pushSign(kind);
    else if (number !== undefined || literals.has(text)) pushOperand('literal', end);
    else if (paren !== undefined) pushSign(paren as '(' | ')');
    else if (path !== undefined && kinds.has(path)) pushSign(kinds.get(path)!, false);
    else if (path !== undefined) pushOperand('path', end);
  }
  return tokens;
}

const identifier = '[\\p{L}_][\\p{L}\\p{N}_]*(?:-[\\p{L}\\p{N}_]+)*';
const dotted = `${identifier}(?:\\.${identifier})*`;
const inBrackets = `\\s*(?:-?\\d+|"[^"\\\\\\]]*"|'[^'\\\\\\]]*'|${dotted})\\s*`;
/** A number, also as people write it: `$50`, `1,000`, `20%`, `24h`. */
const word = new RegExp(
  '(?<blank>\\s+)|(?<paren>[()])|(?<signs>[=!<>&|]+)' +
    '|(?<number>[-+]?[$€£¥]?\\d\\w*(?:[.,]\\d\\w*)*%?)' +
    `|(?<path>${identifier}(?:\\.${identifier}|\\[${inBrackets}\\])*)`,
  'uy',
);

const comparing: readonly string[] = ['==', '!=', '<=', '>=', '<', '>', 'contains'];
const kinds = bySpelling<SignToken['kind']>({
  '==': ['==', '==='],
  '!=': ['!=', '!=='],
  '<=': ['<='],
  '>=': ['>='],
  '<': ['<'],
  '>': ['>'],
  and: ['&&', 'and', 'AND'],
  or: ['||', 'or', 'OR'],
  not: ['not', 'NOT'],
  contains: ['contains'],
});

/** Liquid's words for values, by their spellings. */
export const literals = bySpelling({
  true: ['true', 'True', 'TRUE'],
  false: ['false', 'False', 'FALSE'],
  nil: ['nil', 'null', 'NULL', 'None', 'undefined'],
  empty: ['empty'],
  blank: ['blank'],
});

/** A run of signs: an operator, negations, or both (`&&!`); arrows and rulers are neither. */
function kindsOf(run: string): SignToken['kind'][] {
  const head = kinds.has(run) ? run : run.replace(/(?<!!)!+$/, '');
  const operator = kinds.get(head);
  if (head !== '' && operator === undefined) return ['junk'];
  const negations = Array.from(run.slice(head.length), () => 'not' as const);
  return operator === undefined ? negations : [operator, ...negations];
}

/** The end of the quoted string that begins here; an apostrophe (`caller's`) opens none. */
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

/** Liquid reads a path as in an output; paths in its brackets are read too. */
function usesOf({ kind, text, start }: OperandToken): readonly Use[] {
  const { uses } = readTemplate(kind === 'path' ? `{{${text}}}` : '');
  return uses.map((use) => ({ ...use, start: use.start + start - 2, end: use.end + start - 2 }));
}

/** What a condition that is just `true` or `false` always is; null for any other. */
export function constantOf(condition: Condition | null): boolean | null {
  const words = condition?.value.trim().toLowerCase();
  return words === 'true' ? true : words === 'false' ? false : null;
}
