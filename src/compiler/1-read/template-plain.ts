/**
 * The quick half of `readTemplate`: texts whose only Liquid are outputs of a bare name, `{{ name }}`.
 *
 * In: a text. Out: its reads, or null where the text has any other Liquid, which the other half
 * reads. Guarantee: what is read here is what liquidjs would read (a property test says so): a bare
 * name has no quotes, no brackets and no filters, so that nothing in it could hide a delimiter.
 *
 * Example: `Hi {{ caller }}` reads `caller`; `Hi {{ caller.name }}` and `{% if a %}` give null.
 */
import { withItem } from '../../graph/lists.js';
import type { Use } from '../ir/workflow.js';

/** The reads of a text in text order, or null where it is not as plain as that. */
export function readPlain(value: string): readonly Use[] | null {
  const first = value.indexOf('{');
  if (first < 0) return none;
  if (value.includes('{%', first)) return null;
  let uses = none;
  let end = first;
  for (let at = value.indexOf('{{', end); at >= 0; at = value.indexOf('{{', end)) {
    const start = skipBlanks(value, at + 2);
    const nameEnd = skipName(value, start);
    end = skipBlanks(value, nameEnd);
    if (nameEnd === start || !value.startsWith('}}', end)) return null;
    const name = value.slice(start, nameEnd);
    if (liquidWords.has(name)) return null;
    uses = withItem(uses, { name, nested: false, start, end: nameEnd });
    end += 2;
  }
  return uses;
}

/** Behind spaces, tabs and line ends. */
export function skipBlanks(value: string, from: number): number {
  let at = from;
  while (isBlank(value.charCodeAt(at))) at += 1;
  return at;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d;
}

/** Behind a name (letters, digits and underscores, no digit first), or where it would begin. */
export function skipName(value: string, from: number): number {
  let at = from;
  while (isOfName(value.charCodeAt(at), at > from)) at += 1;
  return at;
}

/** Read one by one: a pattern makes a list of what it has found, and this is all texts' way. */
function isOfName(code: number, mayBeDigit: boolean): boolean {
  const letter = code | 0x20;
  if ((letter >= 0x61 && letter <= 0x7a) || code === 0x5f) return true;
  return mayBeDigit && code >= 0x30 && code <= 0x39;
}

/** Words of Liquid that are no variables. */
export const liquidWords: ReadonlySet<string> = new Set([
  'true',
  'false',
  'nil',
  'null',
  'empty',
  'blank',
  'and',
  'or',
  'not',
  'contains',
]);

const none: readonly Use[] = [];
