/**
 * Cuts a text at its Liquid delimiters: single outputs, single tags and whole blocks.
 *
 * In: any text. Out: the pieces in text order, none inside another, and where cutting fails the
 * faults; what follows a delimiter that is never closed is not cut. Guarantees: time is linear in
 * the text; the pieces are those that liquidjs itself would see (a property test says so).
 *
 * Why pieces: liquidjs is quadratic on long texts and recurses into nested tags, so that it is
 * handed one piece at a time, and none that nests deeper than {@link maxLevels}.
 *
 * Example: `Hi {{ a }}{% if b %}{{ c }}{% endif %}` is cut into an output and a block.
 */
import { blockTags, levelsOfLines, maxLevels, maxTags, nestsTooDeep } from './template-tags.js';

/** What is wrong with the Liquid of a text; `offset` is where in the text. */
export type TemplateFault =
  | {
      readonly fault: 'syntax';
      readonly offset: number;
      readonly reason: TemplateSyntaxReason;
    }
  | {
      readonly fault: 'too-large';
      readonly offset: number;
      readonly limit: 'tags' | 'levels';
      readonly max: number;
    };

export type TemplateSyntaxReason =
  | 'empty'
  | 'invalid'
  | 'unknown-tag'
  | 'misplaced-tag'
  | 'output-not-closed'
  | 'tag-not-closed'
  | 'block-not-closed'
  | 'partials-not-supported';

/** A stretch of Liquid; `silent` pieces (raw text, comments) read nothing. */
export interface Piece {
  readonly kind: 'output' | 'tag' | 'block' | 'silent';
  readonly start: number;
  readonly end: number;
}

/** Whether the text has any Liquid at all. */
export function hasLiquid(value: string): boolean {
  return value.includes('{{') || value.includes('{%');
}

/** Whether the text is Liquid from end to end; what stands inside a block belongs to it. */
export function isAllLiquid(value: string): boolean {
  if (!hasLiquid(value)) return false;
  const { pieces, faults } = cutPieces(value);
  let at = 0;
  for (const { start, end } of pieces) {
    if (value.slice(at, start).trim() !== '') return false;
    at = end;
  }
  return faults.length === 0 && pieces.length > 0 && value.slice(at).trim() === '';
}

/** Cuts the text; see the head of this file. */
export function cutPieces(value: string): { pieces: Piece[]; faults: TemplateFault[] } {
  const cut: Cut = { value, pieces: [], faults: [], open: [], tags: 0 };
  let at = 0;
  while (at >= 0 && at < value.length) {
    const start = nextDelimiter(value, at);
    if (start < 0) break;
    at = value[start + 1] === '{' ? takeOutput(cut, start) : takeTag(cut, start);
  }
  const unclosed = cut.open[0];
  if (unclosed && cut.faults.length === 0) fail(cut, unclosed.start, 'block-not-closed');
  return cut;
}

interface Cut {
  readonly value: string;
  readonly pieces: Piece[];
  readonly faults: TemplateFault[];
  /** The blocks that are open, outermost first. */
  readonly open: { readonly name: string; readonly start: number }[];
  tags: number;
}

/** Where nothing after it can be cut. */
const stop = -1;

/** Where the next output or tag begins; negative where there is none. */
export function nextDelimiter(value: string, from: number): number {
  for (let at = value.indexOf('{', from); at >= 0; at = value.indexOf('{', at + 1)) {
    const next = value[at + 1];
    if (next === '{' || next === '%') return at;
  }
  return stop;
}

function takeOutput(cut: Cut, start: number): number {
  const end = endOfOutput(cut.value, start);
  if (end < 0) return fail(cut, start, 'output-not-closed');
  if (nestsTooDeep(cut.value, start, end)) return tooLarge(cut, start, 'levels');
  if (cut.open.length === 0) cut.pieces.push({ kind: 'output', start, end });
  return end;
}

/** Quoted strings may hold the closing delimiter of an output (not that of a tag). */
function endOfOutput(value: string, start: number): number {
  let quote = '';
  for (let at = start + 2; at < value.length; at++) {
    const character = value[at] as string;
    if (quote) {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '}' && value[at + 1] === '}') return at + 2;
  }
  return stop;
}

function takeTag(cut: Cut, start: number): number {
  const close = cut.value.indexOf('%}', start + 1);
  if (close < 0) return fail(cut, start, 'tag-not-closed');
  const end = close + 2;
  const body = cut.value.slice(start + 2, close);
  const name = /^-?\s*([\w?-]*)/.exec(body)?.[1] ?? '';
  cut.tags += name === 'liquid' ? body.split('\n').length : 1;
  if (cut.tags > maxTags) return tooLarge(cut, start, 'tags');
  if (nestsTooDeep(cut.value, start, end)) return tooLarge(cut, start, 'levels');
  if (name === 'liquid' && levelsOfLines(body) > maxLevels) return tooLarge(cut, start, 'levels');
  if (
    cut.open[cut.open.length - 1]?.name === 'comment' &&
    name !== 'endcomment' &&
    name !== 'raw'
  ) {
    return end;
  }
  if (name === 'raw') return takeRaw(cut, start, end);
  if (blockTags.has(name)) {
    cut.open.push({ name, start });
    return cut.open.length > maxLevels ? tooLarge(cut, start, 'levels') : end;
  }
  if (name.startsWith('end')) closeBlock(cut, name.slice(3), start, end);
  else if (cut.open.length === 0) cut.pieces.push({ kind: 'tag', start, end });
  return end;
}

function closeBlock(cut: Cut, name: string, start: number, end: number): void {
  const opener = cut.open.findLastIndex((block) => block.name === name);
  const outermost = cut.open[0];
  if (opener < 0 || !outermost) {
    // An end without a beginning is for liquidjs to refuse, alone or in the block around it.
    if (!outermost) cut.pieces.push({ kind: 'tag', start, end });
    return;
  }
  cut.open.length = opener;
  if (opener > 0) return;
  cut.pieces.push({ kind: name === 'comment' ? 'silent' : 'block', start: outermost.start, end });
}

function takeRaw(cut: Cut, start: number, bodyStart: number): number {
  const end = endOfRaw(cut.value, bodyStart);
  if (end < 0) return fail(cut, start, 'block-not-closed');
  if (cut.open.length === 0) cut.pieces.push({ kind: 'silent', start, end });
  return end;
}

/** Past the first `{% endraw … %}`; liquidjs knows none with a dash in front. */
function endOfRaw(value: string, from: number): number {
  const endraw = /\{%\s*endraw(?![\w?-])/g;
  endraw.lastIndex = from;
  let close = from;
  for (let match = endraw.exec(value); match; match = endraw.exec(value)) {
    if (close < endraw.lastIndex) close = value.indexOf('%}', endraw.lastIndex);
    if (close < 0) return stop;
    const next = value.indexOf('{%', endraw.lastIndex);
    if (next < 0 || next > close) return close + 2;
    endraw.lastIndex = next;
  }
  return stop;
}

function fail(cut: Cut, offset: number, reason: TemplateSyntaxReason): number {
  cut.faults.push({ fault: 'syntax', offset, reason });
  return stop;
}

/** Past a limit nothing else is told. */
function tooLarge(cut: Cut, offset: number, limit: 'tags' | 'levels'): number {
  const max = limit === 'tags' ? maxTags : maxLevels;
  cut.faults.length = 0;
  cut.pieces.length = 0;
  cut.faults.push({ fault: 'too-large', offset, limit, max });
  return stop;
}
