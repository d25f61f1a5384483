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
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../ir/ids.js';
import { isJsonObject, type Json } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';
import type { Text, TextPart, Use } from '../ir/workflow.js';

/** How many tags a text may have, and how deep tags and brackets may nest. */
const maxTags = 1000;
const maxLevels = 100;
/** How many units may be broken; liquidjs looks through the whole text for each of them. */
const maxFaults = 50;

/** What the Liquid of a text reads, and what is wrong with it, in text order. */
export interface TemplateReading {
  readonly uses: readonly Use[];
  /** Names that its tags set, on whatever branch. */
  readonly sets: ReadonlySet<string>;
  readonly faults: readonly TemplateFault[];
}

/** `limit`: the text has too much of it; nothing else of the text is told then. */
export type TemplateFault = { readonly reason: string } | { readonly limit: 'tags' | 'levels' };

/** A stretch of Liquid; raw text and comments are silent: they read nothing. */
export interface Unit {
  readonly kind: 'output' | 'tag' | 'silent';
  readonly start: number;
  readonly end: number;
  /** Null where a tag without a name is in it, so that it cannot be parsed. */
  readonly tokens: readonly liquidjs.TopLevelToken[] | null;
}

export function readTemplate(value: string): TemplateReading {
  const { units, faults: cutting } = cutTemplate(value);
  if (units.length === 0) return { uses: [], sets: new Set(), faults: cutting };
  const faults: TemplateFault[] = [];
  const scope: Scope = { value, own: new Set(), uses: new Map(), sets: new Set() };
  for (const unit of units) {
    if (unit.kind === 'silent' || faults.length > maxFaults) continue;
    const fault = readUnit(unit, scope);
    if (fault !== null) faults.push(fault);
  }
  const tooLarge = faults.find((fault) => 'limit' in fault);
  const { sets } = scope;
  if (tooLarge !== undefined) return { uses: [], sets, faults: [tooLarge] };
  const uses = [...scope.uses.values()].sort((a, b) => a.start - b.start);
  return { uses, sets, faults: [...faults, ...cutting] };
}

/** A text of the source, with the variables that it reads. */
export function textAt(value: string, at: JsonPointer, faults: Diagnostic[]): Text {
  const { uses, sets, faults: found } = readTemplate(value);
  for (const fault of found) {
    if ('limit' in fault) faults.push(diagnose('shape/liquid-too-large', at, fault));
    else faults.push(diagnose('shape/liquid-syntax', at, fault));
  }
  return sets.size === 0 ? { value, at, uses } : { value, at, uses, sets: [...sets] };
}

/** Texts of one place in the prompt as one, each once, an empty line between two; null where none is. */
export function joinTexts(texts: readonly (Text | null)[]): Text | null {
  const byValue = new Map<string, Text>();
  for (const it of texts) if (it !== null && !byValue.has(it.value)) byValue.set(it.value, it);
  const given = [...byValue.values()];
  if (given.length < 2) return given[0] ?? null;
  let value = '';
  const uses: Use[] = [];
  const parts: TextPart[] = [];
  for (const text of given) {
    if (value !== '') value += '\n\n';
    const start = value.length;
    for (const use of text.uses) {
      uses.push({ ...use, start: use.start + start, end: use.end + start });
    }
    const { parts: own = [{ value: text.value, at: text.at, start: 0 }] } = text;
    for (const part of own) parts.push({ ...part, start: part.start + start });
    value += text.value;
  }
  const sets = given.flatMap((it) => it.sets ?? []);
  return { value, at: given[0]!.at, uses, sets, parts };
}

/**
 * All texts of a value that is carried through, keys in the order of their names. Recurses as deep
 * as a document may be.
 */
export function textsWithin(value: Json, at: JsonPointer, faults: Diagnostic[]): Text[] {
  if (typeof value === 'string') return [textAt(value, at, faults)];
  if (typeof value !== 'object' || value === null) return [];
  const members = Object.entries(value as Readonly<Record<string, Json>>);
  if (!Array.isArray(value)) members.sort(([one], [other]) => (one < other ? -1 : 1));
  return members.flatMap(([key, member]) => {
    const place = child(at, key);
    // Only values are rendered.
    if (hasLiquid(key)) faults.push(diagnose('data/template-key', place, { key }));
    return textsWithin(member, place, faults);
  });
}

/**
 * Texts of a request without what the tool's own arguments fill: the properties of its body that
 * are left for the model to give.
 */
export function withoutArguments(texts: readonly Text[], body: Json): Text[] {
  const { properties } = isJsonObject(body) ? body : {};
  if (!isJsonObject(properties)) return [...texts];
  const isGiven = (name: string) => {
    const schema = Object.hasOwn(properties, name) ? (properties[name] ?? null) : null;
    return (
      isJsonObject(schema) && !Object.hasOwn(schema, 'value') && !Object.hasOwn(schema, 'const')
    );
  };
  return texts.map((text) => ({ ...text, uses: text.uses.filter(({ name }) => !isGiven(name)) }));
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
  const open: string[] = [];
  let tokens: liquidjs.TopLevelToken[] = [];
  let [tags, invalid] = [0, 0];
  let [isRaw, isInvalid] = [false, false];
  const tooLarge = (limit: 'tags' | 'levels') => ({ units: [], faults: [{ limit }] });
  while (tokenizer.p < value.length) {
    const start = tokenizer.p;
    const token = nextToken(tokenizer, isRaw);
    if (typeof token === 'string') {
      isInvalid = token === 'invalid';
      tags += 1;
      invalid += 1;
      if (!isInvalid || invalid > maxFaults) return { units, faults: [{ reason: token }] };
    } else {
      const isTag = liquidjs.TypeGuards.isTagToken(token);
      const isText = !isTag && !liquidjs.TypeGuards.isOutputToken(token);
      if (!isText || open.length > 0) tokens.push(token);
      if (isText) continue;
      const text = value.slice(start, token.end);
      const name = isTag ? token.name : '';
      if (isTag) tags += name === 'liquid' ? text.split('\n').length : 1;
      isRaw = name === 'raw';
      if (tags > maxTags) return tooLarge('tags');
      if (nestsTooDeep(text)) return tooLarge('levels');
      enter(open, name);
      if (open.length > maxLevels) return tooLarge('levels');
    }
    if (open.length > 0) continue;
    const [first] = tokens;
    const isTag = first === undefined || liquidjs.TypeGuards.isTagToken(first);
    const kind = !isTag ? 'output' : silentTags.has(first?.name ?? '') ? 'silent' : 'tag';
    const begin = first?.begin ?? start;
    units.push({ kind, start: begin, end: tokenizer.p, tokens: isInvalid ? null : tokens });
    isInvalid = false;
    tokens = [];
  }
  return { units, faults: open.length > 0 ? [{ reason: 'block-not-closed' }] : [] };
}

const blockTags: ReadonlySet<string> = new Set([
  ...['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'comment', 'block', 'raw'],
]);
const silentTags: ReadonlySet<string> = new Set(['raw', 'comment']);

/** Opens the block that the tag begins, or closes the one that it ends and those inside of it. */
function enter(open: string[], tag: string): void {
  const inside = open.at(-1) ?? '';
  if (blockTags.has(tag) && !silentTags.has(inside)) open.push(tag);
  else if (!silentTags.has(inside) || tag === `end${inside}`) {
    const opener = tag.startsWith('end') ? open.lastIndexOf(tag.slice(3)) : -1;
    if (opener >= 0) open.length = opener;
  }
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
  /** Names that any tag of the text sets. */
  readonly sets: Set<string>;
  /** By offset: liquidjs gives some tokens twice. */
  readonly uses: Map<number, Use>;
}

function readUnit({ kind, start, end, tokens }: Unit, scope: Scope): TemplateFault | null {
  if (tokens === null) return { reason: 'invalid' };
  if (kind === 'output' && /^\{\{-?\s*-?\}\}$/.test(scope.value.slice(start, end))) {
    return { reason: 'empty' };
  }
  // liquidjs takes its tokens by `shift`, which costs as much as the list is long.
  const queue = tokens.toReversed();
  queue.shift = () => queue.pop();
  const uses = new Map<number, Use>();
  try {
    for (const template of parser.parseTokens(queue)) readNode(template, { ...scope, uses });
  } catch (error) {
    return faultOf(error);
  }
  for (const [at, use] of uses) scope.uses.set(at, use);
  return null;
}

/** Recurses into nested tags; the lines of a `liquid` tag nest too. */
function readNode(template: liquidjs.Template, scope: Scope, level = 1): void {
  for (const argument of argumentsOf(template)) readValue(argument, scope);
  for (const { templates = [], own } of branchesOf(template, scope)) {
    if (level > maxLevels) throw new RangeError('too many levels');
    for (const inner of templates) readNode(inner, { ...scope, own }, level + 1);
  }
  for (const name of template.localScope?.() ?? []) {
    const set = typeof name === 'string' ? name : name.content;
    scope.own.add(set);
    scope.sets.add(set);
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

/** Tags have those of these that they are made of. */
interface Tag extends liquidjs.Template {
  readonly templates?: liquidjs.Template[];
  readonly branches?: { readonly templates: liquidjs.Template[] }[];
  readonly elseTemplates?: liquidjs.Template[];
}

/** What stands inside a tag, by branch, with the names that are the text's own there. */
function branchesOf(tag: Tag, { own }: Scope) {
  const { templates, branches, elseTemplates } = tag;
  if (branches === undefined && tag.blockScope === undefined) {
    // The generator stops in the middle only to load partials, of which there are none.
    const children = tag.children?.(false, true).next();
    return children?.done ? [{ templates: children.value, own }] : [];
  }
  // A branch may not run: what is set in it holds to its end only.
  const others = [...(branches ?? []), { templates: elseTemplates }];
  return [
    { templates, own: new Set([...own, ...(tag.blockScope?.() ?? [])]) },
    ...others.map((branch) => ({ templates: branch.templates, own: new Set(own) })),
  ];
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
