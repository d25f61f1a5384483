/**
 * The only file of the compiler that knows liquidjs: one piece of Liquid → the variables it reads.
 *
 * In: a piece as `template-pieces.ts` cuts it, and the names that the text has assigned so far.
 * Out: the reads of variables that nothing before in the text assigns, or the fault of the piece;
 * `assigned` grows by the names that the piece assigns. Liquid is parsed, never rendered; partials
 * and files are out of reach.
 *
 * The walk is that of liquidjs's own `analyzeSync` with three differences: offsets are exact for
 * every root (`["a b"]` too), the body of a `capture` still reads the outer variable of that name,
 * and so does the `else` of a `for`.
 */
import { ForTag, Liquid, type Template, type Token, TokenKind, TypeGuards, Value } from 'liquidjs';
import type { Use } from '../ir/workflow.js';
import type { TemplateFault, TemplateSyntaxReason } from './template-pieces.js';
import { belongsToBlock, maxLevels } from './template-tags.js';

/** What one piece reads, in text order; offsets count from `offset`. */
export interface PieceReading {
  readonly uses: Use[];
  readonly fault: TemplateFault | null;
}

/** Reads one piece of Liquid that begins at `offset` of its text. */
export function readPiece(piece: string, offset: number, assigned: Set<string>): PieceReading {
  const liquid = engine();
  try {
    const scope: Scope = { piece, offset, assigned, blocks: [], uses: new Map() };
    for (const template of liquid.parse(piece)) readNode(template, scope);
    return { uses: [...scope.uses.values()].sort((a, b) => a.start - b.start), fault: null };
  } catch (error) {
    return { uses: [], fault: faultOf(error, liquid, piece, offset) };
  }
}

interface Scope {
  readonly piece: string;
  readonly offset: number;
  /** Names that `assign` and its like have set, for the rest of the text. */
  readonly assigned: Set<string>;
  /** Names of the loops that are open. */
  readonly blocks: string[][];
  /** By offset: liquidjs gives some tokens twice. */
  readonly uses: Map<number, Use>;
}

/** Recurses into nested tags, of which there are at most `maxLevels`. */
function readNode(template: Template, scope: Scope): void {
  for (const argument of template.arguments?.() ?? []) readValue(argument, scope);
  const loop = template.blockScope && [...template.blockScope()];
  if (template instanceof ForTag) {
    readBlock(template.templates, loop, scope);
    readBlock(template.elseTemplates, undefined, scope);
  } else {
    readBlock(childrenOf(template), loop, scope);
  }
  for (const name of template.localScope?.() ?? []) scope.assigned.add(name.content);
}

function readBlock(templates: Template[], names: string[] | undefined, scope: Scope): void {
  if (names) scope.blocks.push(names);
  for (const template of templates) readNode(template, scope);
  if (names) scope.blocks.pop();
}

function childrenOf(template: Template): Template[] {
  // The generator stops in the middle only to load partials, of which there are none.
  const children = template.children?.(false, true).next();
  return children?.done ? children.value : [];
}

/** Adds the reads of an argument: of values, filters, ranges, paths and the paths in brackets. */
function readValue(argument: unknown, scope: Scope): void {
  const stack: unknown[] = [argument];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) {
      stack.push(...value);
    } else if (value instanceof Value || TypeGuards.isFilteredValueToken(value)) {
      for (const token of value.initial.postfix) stack.push(token);
      for (const filter of value.filters) stack.push(...filter.args);
    } else if (TypeGuards.isRangeToken(value)) {
      stack.push(value.lhs, value.rhs);
    } else if (TypeGuards.isPropertyAccessToken(value)) {
      const { variable, props } = value;
      stack.push(variable, ...(variable ? props : props.slice(1)));
      if (!variable) stack.push(readRoot(props[0], props.length > 1, scope));
    }
  }
}

/** Adds the read of a path's root; gives the root back where it is itself a path (`[a.b].c`). */
function readRoot(root: Token | undefined, nested: boolean, scope: Scope): Token | undefined {
  if (!TypeGuards.isQuotedToken(root) && !TypeGuards.isWordToken(root)) return root;
  const margin = root.kind === TokenKind.Quoted ? 1 : 0;
  const [start, end] = [root.begin + margin, root.end - margin];
  const name = scope.piece.slice(start, end);
  // An empty root, or one written with escapes, has no name that could be shown or replaced.
  if (name === '' || name !== root.content) throw new UnreadableRoot(start);
  if (scope.assigned.has(name) || scope.blocks.some((names) => names.includes(name))) return;
  const use = { name, nested, start: scope.offset + start, end: scope.offset + end };
  scope.uses.set(use.start, use);
  return undefined;
}

class UnreadableRoot extends Error {
  constructor(readonly begin: number) {
    super('unreadable root');
  }
}

function faultOf(error: unknown, liquid: Liquid, piece: string, offset: number): TemplateFault {
  if (error instanceof RangeError) {
    return { fault: 'too-large', offset, limit: 'levels', max: maxLevels };
  }
  if (error instanceof UnreadableRoot) {
    return { fault: 'syntax', offset: offset + error.begin, reason: 'invalid' };
  }
  const token = tokenOf(error);
  const begin = token && token.input === piece ? token.begin : 0;
  const name = TypeGuards.isTagToken(token) ? token.name : null;
  const reason = name === null ? 'invalid' : reasonOf(name, liquid);
  return { fault: 'syntax', offset: offset + begin, reason };
}

/** Why a whole tag was refused rather than a place in it. */
function reasonOf(tag: string, liquid: Liquid): TemplateSyntaxReason {
  if (partials.some((partial) => partial === tag)) return 'partials-not-supported';
  if (tag in liquid.tags) return 'invalid';
  return belongsToBlock(tag) ? 'misplaced-tag' : 'unknown-tag';
}

function tokenOf(error: unknown): Token | null {
  return error instanceof Error && 'token' in error ? (error.token as Token) : null;
}

const partials = ['include', 'render', 'layout', 'block'] as const;

let shared: Liquid | undefined;

/** Made at the first use: most texts need no liquidjs. */
function engine(): Liquid {
  shared ??= withoutPartials(new Liquid({ templates: {} }));
  return shared;
}

function withoutPartials(liquid: Liquid): Liquid {
  const refuse = (): never => {
    throw new Error('partials are not supported');
  };
  for (const name of partials) liquid.registerTag(name, { parse: refuse, render: refuse });
  return liquid;
}
