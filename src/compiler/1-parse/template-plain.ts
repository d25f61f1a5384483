/**
 * The quick half of `readTemplate`: texts whose only Liquid are outputs of a bare name, `{{ name }}`.
 *
 * In: a text. Out: its reads, or null where the text has any other Liquid, which the other half
 * reads. Guarantee: what is read here is what liquidjs would read (a property test says so): a bare
 * name has no quotes, no brackets and no filters, so that nothing in it could hide a delimiter.
 *
 * Example: `Hi {{ caller }}` reads `caller`; `Hi {{ caller.name }}` and `{% if a %}` give null.
 */
import { withItem } from '../graph/lists.js';
import type { Use } from '../ir/workflow.js';

/** The reads of a text in text order, or null where it is not as plain as that. */
export function readPlain(value: string): readonly Use[] | null {
  const first = value.indexOf('{{');
  if (value.includes('{%')) return null;
  if (first < 0) return none;
  let uses = none;
  for (let at = first; at >= 0; at = value.indexOf('{{', outputOfName.lastIndex)) {
    outputOfName.lastIndex = at;
    const match = outputOfName.exec(value);
    const name = match?.[2] ?? '';
    if (match === null || liquidWords.has(name)) return null;
    const start = at + match[1]!.length;
    uses = withItem(uses, { name, nested: false, start, end: start + name.length });
  }
  return uses;
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

const none: readonly Use[] = Object.freeze([]);

const outputOfName = /(\{\{[ \t\r\n]*)([A-Za-z_]\w*)[ \t\r\n]*\}\}/y;
