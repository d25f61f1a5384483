/**
 * Outputs that are read without liquidjs: a path or a text, and plain filters behind it.
 *
 * Guarantee: what is read here is what liquidjs would read (a property test says so); liquidjs
 * itself allows more.
 *
 * Example: `{{ a.b[0]["c"] | filter: "x", 1 | filter }}` reads `a`, `{{ "now" | date: "%Y" }}` nothing.
 */
import type { Use } from '../ir/workflow.js';
import { liquidWords, skipBlanks, skipName } from './template-plain.js';

/** What may stand between two words. */
export const blank = '[ \\t\\r\\n]*';
/** A text, and a number. */
export const string = `"[^"\\\\]*"|'[^'\\\\]*'`;
export const number = '-?\\d+(?:\\.\\d+)?';
/** The root of a path and the steps behind it, each a group. */
export const path = (() => {
  const key = `\\.[A-Za-z_]\\w*|\\[(?:\\d+|"[^"\\\\\\]]*"|'[^'\\\\\\]]*')\\]`;
  return `([A-Za-z_]\\w*)((?:${key})*)`;
})();

export interface PlainOutput {
  /** Null where the output reads no variable. */
  readonly use: Use | null;
  readonly end: number;
}

/** The plain output that begins at a place of a text; null where there is none. */
export function readPlainOutput(value: string, start: number): PlainOutput | null {
  plainOutput.lastIndex = start;
  // A pattern that only says yes or no makes no list of what it has found.
  if (!plainOutput.test(value)) return null;
  const end = plainOutput.lastIndex;
  const from = skipOpening(value, start);
  const to = skipName(value, from);
  if (from === to) return { use: null, end };
  const name = value.slice(from, to);
  if (liquidWords.has(name)) return null;
  const next = value[to];
  return { use: { name, nested: next === '.' || next === '[', start: from, end: to }, end };
}

/** Behind the opening of an output or a tag, its dash and the blanks after it. */
export function skipOpening(value: string, start: number): number {
  const inside = start + 2;
  return skipBlanks(value, value[inside] === '-' ? inside + 1 : inside);
}

/** The read of a path that begins there. */
export function useAt(name: string, steps: string, start: number): Use {
  return { name, nested: steps !== '', start, end: start + name.length };
}

const plainOutput = (() => {
  const argument = `${blank}(?:${string}|${number})`;
  const filter = `${blank}\\|${blank}[A-Za-z_]\\w*(?:${blank}:${argument}(?:${blank},${argument})*)?`;
  const value = `(?:${path}|${string})`;
  return new RegExp(`\\{\\{-?${blank}${value}(?:${filter})*${blank}-?\\}\\}`, 'y');
})();
