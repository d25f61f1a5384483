/**
 * Outputs that are read without liquidjs: a path or a text, and plain filters behind it.
 *
 * Guarantee: what is read here is what liquidjs would read (a property test says so); liquidjs
 * itself allows more.
 *
 * Example: `{{ a.b[0]["c"] | filter: "x", 1 | filter }}` reads `a`, `{{ "now" | date: "%Y" }}` nothing.
 */
import type { Use } from '../ir/workflow.js';
import { liquidWords } from './template-plain.js';

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
  const match = plainOutput.exec(value);
  if (match === null) return null;
  const end = plainOutput.lastIndex;
  const name = match[2];
  if (name === undefined) return { use: null, end };
  if (liquidWords.has(name)) return null;
  return { use: useAt(name, match[3]!, start + match[1]!.length), end };
}

/** The read of a path that begins there. */
export function useAt(name: string, steps: string, start: number): Use {
  return { name, nested: steps !== '', start, end: start + name.length };
}

const plainOutput = (() => {
  const argument = `${blank}(?:${string}|${number})`;
  const filter = `${blank}\\|${blank}[A-Za-z_]\\w*(?:${blank}:${argument}(?:${blank},${argument})*)?`;
  const value = `(?:${path}|${string})`;
  return new RegExp(`(\\{\\{-?${blank})${value}(?:${filter})*${blank}-?\\}\\}`, 'y');
})();
