/**
 * What stands in `raw` blocks is shown as it is: its outputs are marked here, since they are not
 * filled in. Any other tag that the workflow lacks is a difference by itself (conserve.ts).
 */
import type { Text } from '../../compiler/ir/workflow.js';

/** Stands within the braces of an output that is not filled in. */
const mark = '\uFFFC';
const markOutputs = (text: string) => text.replaceAll('{{', `{${mark}{`);

/** The text without `raw` tags, the outputs between them marked. */
export function showText(text: string): string {
  const [before = '', ...parts] = text.split(/\{%-?\s*raw\s*-?%\}/);
  const shown = parts.map((part) => {
    const [inside = '', ...others] = part.split(/\{%-?\s*endraw\s*-?%\}/);
    return others.length === 0 ? part : `${markOutputs(inside)}${others.join('')}`;
  });
  return `${before}${shown.join('')}`;
}

/** How a text of the workflow may stand: with its own outputs, or those that stay raw marked. */
export function formsOf({ value, raw = [] }: Pick<Text, 'value' | 'raw'>): readonly string[] {
  if (raw.length === 0) return [value];
  let [marked, end] = ['', 0];
  for (const [from, to] of raw) {
    marked += value.slice(end, from) + markOutputs(value.slice(from, to));
    end = to;
  }
  return [marked + value.slice(end), value];
}

/** The text without marks. */
export const withoutMarks = (text: string): string => text.replaceAll(mark, '');
