/**
 * The variables that a text of the source reads.
 *
 * In: a text. Out: every read of a variable that the text does not surely assign before, in text
 * order with exact offsets, and every fault of its Liquid. Guarantees: `value.slice(start, end)` is
 * the name; uses never overlap; nothing is rendered and nothing is thrown; partials and files are
 * out of reach.
 *
 * liquidjs cuts the text and parses each unit (an output, a tag, or a block with all that is in it)
 * by itself: so a fault in one of them leaves the others readable, and nothing is parsed that nests
 * deeper than {@link maxLevels}, as liquidjs recurses into blocks and brackets.
 *
 * A name that `assign`, `capture`, `increment` or `decrement` sets is the text's own from there on;
 * where the tag stands inside `if`, `unless`, `case`, `for` or `tablerow`, to the end of that branch
 * only. `for` and `tablerow` own theirs in their body.
 *
 * Example: `Hi {{ a.b }}{% if c %}{% assign d = 1 %}{% endif %}{{ d }}` reads a, c and d.
 */
import * as liquidjs from 'liquidjs';
import type { Use } from '../ir/workflow.js';

/** How many tags a text may have, and how deep tags and brackets may nest. */
const maxTags = 1000;
const maxLevels = 100;
/** How many units may be broken; liquidjs looks through the whole text for each of them. */
const maxFaults = 50;

/** What the Liquid of a text reads, and what is wrong with it, in text order. */
export interface TemplateReading {
  readonly uses: readonly Use[];
  readonly faults: readonly TemplateFault[];
}

/** `limit`: the text has too much of it; nothing else of the text is told then. */
export type TemplateFault = { readonly reason: string } | { readonly limit: 'tags' | 'levels' };

/** A stretch of Liquid; raw text and comments are silent: they read nothing. */
export interface Unit {
  readonly kind: 'output' | 'tag' | 'block' | 'silent';
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly liquidjs.TopLevelToken[];
  /** Whether a tag without a name is in it, so that it cannot be parsed. */
  readonly isInvalid: boolean;
}

export function readTemplate(value: string): TemplateReading {
  const { units, faults: cutting } = cutTemplate(value);
  const faults: TemplateFault[] = [];
  const scope: Scope = { value, own: new Set(), uses: new Map() };
  for (const unit of units) {
    if (unit.kind === 'silent' || faults.length > maxFaults) continue;
    const fault = readUnit(unit, scope);
    if (fault !== null) faults.push(fault);
  }
  const tooLarge = faults.find((fault) => 'limit' in fault);
  if (tooLarge !== undefined) return { uses: [], faults: [tooLarge] };
  const uses = [...scope.uses.values()].sort((a, b) => a.start - b.start);
  return { uses, faults: [...faults, ...cutting] };
}

/** The text with another name at the given uses, and nothing else changed. */
export function renameUses(value: string, uses: readonly Use[], to: string): string {
  let renamed = '';
  let at = 0;
  for (const { start, end } of [...uses].sort((a, b) => a.start - b.start)) {
    renamed += value.slice(at, start) + to;
    at = end;
  }
  return renamed + value.slice(at);
}

/** Whether the text has any Liquid at all. */
export function hasLiquid(value: string): boolean {
  return value.includes('{{') || value.includes('{%');
}

/** Whether the text is Liquid from end to end; what stands inside a block belongs to it. */
export function isAllLiquid(value: string): boolean {
  const { units, faults } = cutTemplate(value);
  if (units.length === 0 || faults.length > 0) return false;
  const gaps = units.map(({ start }, index) => value.slice(units[index - 1]?.end ?? 0, start));
  return [...gaps, value.slice(units.at(-1)!.end)].every((gap) => gap.trim() === '');
}

/**
 * Cuts a text into units, none inside another, and tells what is not closed; nothing is cut behind
 * that. Linear in the text.
 */
export function cutTemplate(value: string): { units: Unit[]; faults: TemplateFault[] } {
  const units: Unit[] = [];
  if (!hasLiquid(value)) return { units, faults: [] };
  const tokenizer = new liquidjs.Tokenizer(value);
  let open: string[] = [];
  let tokens: liquidjs.TopLevelToken[] = [];
  let tags = 0;
  let invalid = 0;
  let isRaw = false;
  let isInvalid = false;
  const close = (kind: Unit['kind'], start: number, end: number) => {
    units.push({ kind, start, end, tokens, isInvalid });
    isInvalid = false;
    tokens = [];
    open = [];
  };
  const tooLarge = (limit: 'tags' | 'levels') => ({ units: [], faults: [{ limit }] });
  while (tokenizer.p < value.length) {
    const start = tokenizer.p;
    const token = nextToken(tokenizer, isRaw);
    if (typeof token === 'string') {
      isInvalid = token === 'invalid';
      tags += 1;
      invalid += 1;
      if (!isInvalid || invalid > maxFaults) return { units, faults: [{ reason: token }] };
      if (open.length === 0) close('tag', start, tokenizer.p);
      continue;
    }
    const isTag = liquidjs.TypeGuards.isTagToken(token);
    if (!isTag && !liquidjs.TypeGuards.isOutputToken(token)) {
      if (open.length > 0) tokens.push(token);
      continue;
    }
    const text = value.slice(start, token.end);
    const name = isTag ? token.name : '';
    if (isTag) tags += name === 'liquid' ? text.split('\n').length : 1;
    isRaw = name === 'raw';
    if (tags > maxTags) return tooLarge('tags');
    if (nestsTooDeep(text)) return tooLarge('levels');
    tokens.push(token);
    const inside = open.at(-1);
    if (inside === 'raw' || inside === 'comment') {
      if (name === `end${inside}`) open.pop();
      if (open.length === 0) close('silent', tokens[0]!.begin, token.end);
      continue;
    }
    if (blockTags.has(name)) {
      open.push(name);
      if (open.length > maxLevels) return tooLarge('levels');
    } else if (open.length === 0) close(isTag ? 'tag' : 'output', start, token.end);
    else if (name.startsWith('end')) {
      const opener = open.lastIndexOf(name.slice(3));
      if (opener >= 0) open.length = opener;
      if (open.length === 0) close('block', tokens[0]!.begin, token.end);
    }
  }
  return { units, faults: open.length > 0 ? [{ reason: 'block-not-closed' }] : [] };
}

/** The next stretch of the text, or what is wrong with it. */
function nextToken(tokenizer: liquidjs.Tokenizer, isRaw: boolean): liquidjs.TopLevelToken | string {
  const start = tokenizer.p;
  try {
    return tokenizer.readTopLevelToken(engine.options);
  } catch {
    if (isRaw) return 'block-not-closed';
    const text = tokenizer.input.slice(start, tokenizer.p);
    if (text.startsWith('{{')) return 'output-not-closed';
    // A tag that is closed and has no name; what is behind it can be read.
    return text.endsWith('%}') ? 'invalid' : 'tag-not-closed';
  }
}

const blockTags: ReadonlySet<string> = new Set([
  ...['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'comment', 'block', 'raw'],
]);

/** Whether brackets nest too deep; the strings in it count too, which only makes it stricter. */
function nestsTooDeep(text: string): boolean {
  let level = 0;
  for (const [bracket] of text.length > maxLevels ? text.matchAll(/[[\]()]/g) : []) {
    level = bracket === '[' || bracket === '(' ? level + 1 : Math.max(level - 1, 0);
    if (level > maxLevels) return true;
  }
  return false;
}

interface Scope {
  readonly value: string;
  /** Names that are the text's own here: surely set before, or a loop's. */
  readonly own: Set<string>;
  /** By offset: liquidjs gives some tokens twice. */
  readonly uses: Map<number, Use>;
}

function readUnit(
  { kind, start, end, tokens, isInvalid }: Unit,
  scope: Scope,
): TemplateFault | null {
  const { value, uses } = scope;
  if (isInvalid) return { reason: 'invalid' };
  if (kind === 'output' && /^\{\{-?\s*-?\}\}$/.test(value.slice(start, end))) {
    return { reason: 'empty' };
  }
  // liquidjs takes its tokens by `shift`, which costs as much as the list is long.
  const queue = [...tokens].reverse();
  queue.shift = () => queue.pop();
  const found = new Map<number, Use>();
  try {
    for (const template of parser.parseTokens(queue)) {
      readNode(template, { ...scope, uses: found });
    }
    for (const [at, use] of found) uses.set(at, use);
    return null;
  } catch (error) {
    return faultOf(error);
  }
}

/** Recurses into nested tags; the lines of a `liquid` tag nest too. */
function readNode(template: liquidjs.Template, scope: Scope, level = 1): void {
  for (const argument of argumentsOf(template)) readValue(argument, scope);
  for (const { templates, names, isSure } of branchesOf(template)) {
    if (level > maxLevels) throw new RangeError('too many levels');
    const own = isSure ? scope.own : new Set([...scope.own, ...names]);
    for (const inner of templates) readNode(inner, { ...scope, own }, level + 1);
  }
  for (const name of template.localScope?.() ?? []) {
    scope.own.add(typeof name === 'string' ? name : name.content);
  }
}

function argumentsOf(template: liquidjs.Template): unknown[] {
  const values: unknown[] = [...(template.arguments?.() ?? [])];
  // `offset: continue` goes on behind the last element; it reads no variable.
  if (!(template instanceof liquidjs.ForTag)) return values;
  const offset = template.hash.hash['offset'];
  const isWord =
    liquidjs.TypeGuards.isPropertyAccessToken(offset) && offset.getText() === 'continue';
  return isWord ? values.filter((value) => value !== offset) : values;
}

/** What stands inside a tag, by branch, with the names that a loop owns there. */
function branchesOf(template: liquidjs.Template) {
  const { ForTag, TablerowTag, IfTag, UnlessTag, CaseTag } = liquidjs;
  const maybe = (templates: liquidjs.Template[] = [], names: Iterable<string> = []) => {
    return { templates, names, isSure: false };
  };
  if (template instanceof ForTag) {
    return [maybe(template.templates, template.blockScope()), maybe(template.elseTemplates)];
  }
  if (template instanceof TablerowTag) return [maybe(template.templates, template.blockScope())];
  if (template instanceof IfTag || template instanceof UnlessTag || template instanceof CaseTag) {
    const branches = template.branches.map(({ templates }) => maybe(templates));
    return [...branches, maybe(template.elseTemplates)];
  }
  // The generator stops in the middle only to load partials, of which there are none.
  const children = template.children?.(false, true).next();
  return children?.done ? [{ templates: children.value, names: [], isSure: true }] : [];
}

/** Adds the reads of an argument: of values, filters, ranges, paths and the paths in brackets. */
function readValue(argument: unknown, scope: Scope): void {
  const { TypeGuards, Value } = liquidjs;
  const stack: unknown[] = [argument];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) {
      for (const element of value) stack.push(element);
    } else if (value instanceof Value || TypeGuards.isFilteredValueToken(value)) {
      stack.push(value.initial.postfix, ...value.filters.map(({ args }) => args));
    } else if (TypeGuards.isRangeToken(value)) {
      stack.push(value.lhs, value.rhs);
    } else if (TypeGuards.isPropertyAccessToken(value)) {
      const { variable, props } = value;
      stack.push(variable, variable ? props : props.slice(1));
      if (!variable) stack.push(readRoot(props[0], props.length > 1, scope));
    }
  }
}

/** Adds the read of a path's root; gives the root back where it is itself a path (`[a.b].c`). */
function readRoot(root: liquidjs.Token | undefined, nested: boolean, scope: Scope) {
  const { TypeGuards, TokenKind } = liquidjs;
  if (!TypeGuards.isQuotedToken(root) && !TypeGuards.isWordToken(root)) return root;
  const margin = root.kind === TokenKind.Quoted ? 1 : 0;
  const [start, end] = [root.begin + margin, root.end - margin];
  const name = scope.value.slice(start, end);
  // An empty root, or one written with escapes, has no name that could be shown or replaced.
  if (name === '' || name !== root.content) throw new Error('unreadable root');
  if (!scope.own.has(name)) scope.uses.set(start, { name, nested, start, end });
  return undefined;
}

function faultOf(error: unknown): TemplateFault {
  const cause = error instanceof liquidjs.LiquidError ? error.originalError : error;
  if (cause instanceof RangeError) return { limit: 'levels' };
  const token = error instanceof Error && 'token' in error ? error.token : null;
  if (!liquidjs.TypeGuards.isTagToken(token)) return { reason: 'invalid' };
  const { name } = token;
  if (partials.has(name)) return { reason: 'partials-not-supported' };
  if (Object.hasOwn(engine.tags, name)) return { reason: 'invalid' };
  const belongsToBlock =
    /^(?:else|elsif|when)$/.test(name) || blockTags.has(name.replace(/^end/, ''));
  return { reason: belongsToBlock ? 'misplaced-tag' : 'unknown-tag' };
}

const partials: ReadonlySet<string> = new Set(['include', 'render', 'layout', 'block']);

const engine = new liquidjs.Liquid({ templates: {} });
const parser = new liquidjs.Parser(engine);
for (const name of partials) {
  const refuse = (): never => {
    throw new Error('partials are not supported');
  };
  engine.registerTag(name, { parse: refuse, render: refuse });
}
