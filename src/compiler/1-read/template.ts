/**
 * The variables that a text of the source reads.
 *
 * In: a text. Out: every read of a variable that the text has not certainly assigned before, in
 * text order with exact offsets; or what is wrong with its Liquid. Guarantees: `value.slice(start,
 * end)` is the name; uses never overlap; nothing is rendered and nothing is thrown; partials and
 * files cannot be loaded.
 *
 * After `assign`, `capture`, `increment` or `decrement` a name is the text's own; if the tag stands
 * inside `if`, `unless`, `case`, `for` or `tablerow`, only to the end of that branch. `for` and
 * `tablerow` own their names in their body.
 *
 * Example: `Hi {{ a.b }}{% if c %}{% assign d = 1 %}{% endif %}{{ d }}` reads a, c and d.
 */
import * as liquidjs from 'liquidjs';
import { diagnose } from '../../diagnostics/diagnose.js';
import { extend } from '../../graph/lists.js';
import { asObject, isObject, type Json } from '../../text/json.js';
import { child, type JsonPointer } from '../../text/pointer.js';
import type { Diagnostic } from '../ir/result.js';
import type { Text, TextPart, Use } from '../ir/workflow.js';

const { TypeGuards } = liquidjs;

/** The most outputs and tags of a text, and how deep tags and brackets nest: liquidjs recurses. */
const maxTags = 1000;
const maxLevels = 100;

/** What the Liquid of a text reads, and its first fault. */
export interface TemplateReading {
  /** Empty for a text with a fault. */
  readonly uses: readonly Use[];
  /** Names that its tags set, on any branch. */
  readonly sets: ReadonlySet<string>;
  /** The outputs, tags and blocks of the text, none inside another. */
  readonly units: readonly Unit[];
  readonly fault: TemplateFault | null;
}

/** `limit`: the text has too many of these. */
export type TemplateFault = { readonly reason: string } | { readonly limit: 'tags' | 'levels' };

interface Unit {
  readonly isOutput: boolean;
  readonly start: number;
  readonly end: number;
}

export function readTemplate(value: string): TemplateReading {
  const scope: Scope = { value, own: new Set(), uses: new Map(), sets: new Set() };
  const { uses, sets } = scope;
  if (!hasLiquid(value)) return { uses: [], sets, units: [], fault: null };
  const reject = (fault: TemplateFault) => ({ uses: [], sets, units: [], fault });
  try {
    const tokens = new liquidjs.Tokenizer(value).readTopLevelTokens(engine.options);
    if (tokens.reduce((sum, it) => sum + tagsIn(it), 0) > maxTags) return reject({ limit: 'tags' });
    if (tokens.some(nestsTooDeep)) return reject({ limit: 'levels' });
    const templates = parser.parseTokens(tokens);
    for (const template of templates) readNode(template, scope);
    const whole = templates.map(({ token }, at): Unit => {
      const end = templates[at + 1]?.token.begin ?? value.length;
      return { isOutput: TypeGuards.isOutputToken(token), start: token.begin, end };
    });
    const units = whole.filter(({ isOutput }, at) => isOutput || isTag(templates[at]!.token));
    return { uses: [...uses.values()].sort(byStart), sets, units, fault: null };
  } catch (error) {
    return reject(faultOf(error, value));
  }
}

const isTag = TypeGuards.isTagToken;
const byStart = (one: Use, other: Use) => one.start - other.start;

/** A text of the source with the variables that it reads. */
export function textAt(
  value: string,
  at: JsonPointer,
  faults: Diagnostic[],
  { uses, sets, fault }: TemplateReading = readTemplate(value),
): Text {
  if (fault !== null) {
    const code = 'limit' in fault ? 'shape/liquid-too-large' : 'shape/liquid-syntax';
    faults.push(diagnose<typeof code>(code, at, fault as { limit: 'tags' } & { reason: string }));
  }
  return sets.size === 0 ? { value, at, uses } : { value, at, uses, sets: [...sets] };
}

/** Texts for one place in the prompt, joined by empty lines, without repetition; null if none. */
export function joinTexts(texts: readonly (Text | null)[], between = '\n\n'): Text | null {
  const byValue = new Map<string, Text>();
  for (const it of texts) if (it !== null && !byValue.has(it.value)) byValue.set(it.value, it);
  const given = [...byValue.values()];
  if (given.length < 2) return given[0] ?? null;
  let value = '';
  const uses: Use[] = [];
  const parts: TextPart[] = [];
  for (const text of given) {
    if (value !== '') value += between;
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
 * All texts of a value that is carried over, by sorted keys. Recurses as deep as a document may be.
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
 * Texts of a request without the reads of the tool's own arguments: the properties of its body that
 * the model fills in.
 */
export function withoutArguments(texts: readonly Text[], body: Json): Text[] {
  const { properties } = asObject(body);
  if (!isObject(properties)) return [...texts];
  const isGiven = (name: string) => {
    const schema = Object.hasOwn(properties, name) ? (properties[name] ?? null) : null;
    return isObject(schema) && !Object.hasOwn(schema, 'value') && !Object.hasOwn(schema, 'const');
  };
  return texts.map((text) => ({ ...text, uses: text.uses.filter(({ name }) => !isGiven(name)) }));
}

/** The text with another name at the given uses, otherwise unchanged. */
export function renameUses(value: string, uses: readonly Use[], to: string): string {
  return listBetween(value, [...uses].sort(byStart)).join(to);
}

/** What stands before, between and after parts of a text, which are in its order. */
export function listBetween(value: string, parts: readonly Omit<Unit, 'isOutput'>[]): string[] {
  const before = parts.map(({ start }, at) => value.slice(parts[at - 1]?.end ?? 0, start));
  return [...before, value.slice(parts.at(-1)?.end ?? 0)];
}

export function hasLiquid(value: string): boolean {
  return value.includes('{{') || value.includes('{%');
}

/** How many outputs and tags a token counts for; each line of a `liquid` tag is one. */
function tagsIn(token: liquidjs.TopLevelToken): number {
  if (!isTag(token)) return TypeGuards.isOutputToken(token) ? 1 : 0;
  return token.name === 'liquid' ? token.getText().split('\n').length : 1;
}

/** True if brackets nest too deep; those inside strings count too, which only makes it stricter. */
function nestsTooDeep(token: liquidjs.TopLevelToken): boolean {
  if (!isTag(token) && !TypeGuards.isOutputToken(token)) return false;
  let level = 0;
  for (const [bracket] of token.getText().matchAll(/[[\]()]/g)) {
    level = bracket === '[' || bracket === '(' ? level + 1 : Math.max(level - 1, 0);
    if (level > maxLevels) return true;
  }
  return false;
}

interface Scope {
  readonly value: string;
  /** Names that are the text's own here: certainly set before, or a loop's. */
  readonly own: Set<string>;
  /** Names that any tag of the text sets. */
  readonly sets: Set<string>;
  /** By offset, as liquidjs lists some tokens twice. */
  readonly uses: Map<number, Use>;
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
  // `offset: continue` resumes after the last element; it reads no variable.
  const offset = template instanceof liquidjs.ForTag ? template.hash.hash['offset'] : null;
  const isWord = TypeGuards.isPropertyAccessToken(offset) && offset.getText() === 'continue';
  return [...(template.arguments?.() ?? [])].filter((value) => !isWord || value !== offset);
}

/** Each tag has some of these. */
interface Tag extends liquidjs.Template {
  readonly templates?: liquidjs.Template[];
  readonly branches?: { readonly templates: liquidjs.Template[] }[];
  readonly elseTemplates?: liquidjs.Template[];
}

/** The contents of a tag, by branch, with the names that are the text's own there. */
function branchesOf(tag: Tag, { own }: Scope) {
  const { templates, branches, elseTemplates } = tag;
  if (branches === undefined && tag.blockScope === undefined) {
    // The generator pauses only to load partials, of which there are none.
    const children = tag.children?.(false, true).next();
    return children?.done ? [{ templates: children.value, own }] : [];
  }
  // A branch may not run, so what it sets holds only until its end.
  const others = [...(branches ?? []), { templates: elseTemplates }];
  return [
    { templates, own: new Set([...own, ...(tag.blockScope?.() ?? [])]) },
    ...others.map((branch) => ({ templates: branch.templates, own: new Set(own) })),
  ];
}

/** Adds the reads of an argument: of values, filters, ranges, paths and paths in brackets. */
function readValue(argument: unknown, scope: Scope): void {
  const stack: unknown[] = [argument];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) {
      extend(stack, value);
    } else if (value instanceof liquidjs.Value || TypeGuards.isFilteredValueToken(value)) {
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

/** Adds the read of a path's root; returns the root if it is itself a path (`[a.b].c`). */
function readRoot(root: liquidjs.Token | undefined, nested: boolean, scope: Scope) {
  if (!TypeGuards.isQuotedToken(root) && !TypeGuards.isWordToken(root)) return root;
  const margin = root.kind === liquidjs.TokenKind.Quoted ? 1 : 0;
  const [start, end] = [root.begin + margin, root.end - margin];
  const name = scope.value.slice(start, end);
  // An empty root, or one written with escapes, has no name that could be shown or replaced.
  if (name === '' || name !== root.content) throw new Error('unreadable root');
  if (!scope.own.has(name)) scope.uses.set(start, { name, nested, start, end });
  return undefined;
}

function faultOf(error: unknown, value: string): TemplateFault {
  const { message = '', token, originalError } = error as Partial<liquidjs.LiquidError>;
  if ((originalError ?? error) instanceof RangeError) return { limit: 'levels' };
  const [before, rest] = [value.slice(0, token?.begin), value.slice(token?.begin)];
  const isEmpty = /\{\{-?\s*$/.test(before) && /^\s*-?\}\}/.test(rest);
  const [, unclosed] = /^(output|tag|raw) "/.exec(message) ?? [];
  if (!isTag(token)) {
    const part = unclosed === 'raw' ? 'block' : unclosed;
    return { reason: isEmpty ? 'empty' : part === undefined ? 'invalid' : `${part}-not-closed` };
  }
  const { name } = token;
  const isKnown = (tag: string) => Object.hasOwn(engine.tags, tag);
  if (partials.has(name)) return { reason: 'partials-not-supported' };
  if (originalError?.message.endsWith(' not closed')) return { reason: 'block-not-closed' };
  if (isKnown(name)) return { reason: 'invalid' };
  const isOfBlock = /^(?:else|elsif|when)$/.test(name) || isKnown(name.replace(/^end/, ''));
  return { reason: isOfBlock ? 'misplaced-tag' : 'unknown-tag' };
}

const partials: ReadonlySet<string> = new Set(['include', 'render', 'layout', 'block']);

const engine = new liquidjs.Liquid({ templates: {} });
const parser = new liquidjs.Parser(engine);
for (const name of partials) {
  const reject = (): never => {
    throw new Error('partials are not supported');
  };
  engine.registerTag(name, { parse: reject, render: reject });
}
