/**
 * What the platform shows of a text with Liquid that squadc did not write.
 *
 * In: the text, and the texts of the workflow, whose own tags are not looked into. Out: what is shown
 * in every call, what is shown in some, and the variables that a tag gives another value. Values are
 * unknown here, so outputs stay as they are; those in `raw` blocks are marked, since they are not
 * filled in.
 *
 * Example: `{% if vip %}Be quick. {% endif %}Help {% raw %}{{name}}{% endraw %}.` shows in every call
 * `Help {{name}}.`, with a mark.
 */
import type { Text } from '../../compiler/ir/workflow.js';

export interface Visible {
  /** In every call. */
  readonly sure: string;
  /** The same with what stands in blocks whose conditions are unknown. */
  readonly perhaps: string;
  /** Variables that a tag sets. */
  readonly assigned: ReadonlySet<string>;
}

const levels = { hidden: 0, perhaps: 1, sure: 2 } as const;
type Level = (typeof levels)[keyof typeof levels];

/** An open block; `otherwise` is the level of what follows an `else`. */
interface Block {
  readonly name: string;
  readonly level: Level;
  readonly otherwise: Level;
}

/** Liquid's blocks, by the condition behind the name; any other condition is unknown. */
const blocks: readonly (readonly [tag: RegExp, level: Level, otherwise: Level])[] = [
  [/^(?:if +(?:false|nil|null)|unless +true)$/, levels.hidden, levels.sure],
  [/^(?:if +true|unless +(?:false|nil|null))$/, levels.sure, levels.hidden],
  [/^capture\b/, levels.hidden, levels.hidden],
  [/^(?:if|unless|case|for|tablerow|ifchanged)\b/, levels.perhaps, levels.perhaps],
];

const setting = /\b(?:assign|capture|increment|decrement|for|tablerow)\s+([\p{L}\p{N}_-]+)/gu;
/** Stands within the braces of an output that is not filled in. */
const mark = '\uFFFC';
const markOutputs = (text: string) => text.replaceAll('{{', `{${mark}{`);

export function showText(text: string, own: readonly string[]): Visible {
  const skipped = findAll(
    text,
    own.filter((it) => it.includes('{%')),
  );
  const open: Block[] = [];
  const assigned = new Set<string>();
  let [sure, perhaps, at] = ['', '', 0];
  const show = (words: string): void => {
    const level = Math.min(levels.sure, ...open.map((it) => it.level));
    if (level === levels.sure) sure += words;
    if (level >= levels.perhaps) perhaps += words;
  };
  while (at < text.length) {
    const [from, to] = nextTag(text, at, skipped);
    show(text.slice(at, from));
    at = to;
    if (from === text.length) break;
    const words = text.slice(from + 2, to - 2).replace(/^-|-$/g, '');
    const tag = words.trim();
    const [name = ''] = /^\w+/.exec(tag) ?? [];
    if (name === 'raw' || name === 'comment') {
      const [end, after] = closingTag(text, to, `end${name}`);
      if (name === 'raw') show(markOutputs(text.slice(to, end)));
      at = after;
      continue;
    }
    for (const [, variable = ''] of tag.matchAll(setting)) assigned.add(variable);
    const block = blocks.find(([it]) => it.test(tag));
    if (block !== undefined) open.push({ name, level: block[1], otherwise: block[2] });
    else if (name.startsWith('end')) open.pop();
    else if (/^(?:else|elsif|when)$/.test(name) && open.length > 0) {
      const { otherwise, ...last } = open.pop()!;
      const level = name === 'else' ? otherwise : levels.perhaps;
      open.push({ ...last, level, otherwise });
    }
  }
  return { sure, perhaps, assigned };
}

/** The ranges of the texts. */
function findAll(text: string, texts: readonly string[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const each of texts) {
    for (let at = text.indexOf(each); at >= 0; at = text.indexOf(each, at + each.length)) {
      found.push([at, at + each.length]);
    }
  }
  return found;
}

/** The next tag that is in none of the ranges; the end of the text if there is none. */
function nextTag(text: string, at: number, skipped: ReturnType<typeof findAll>): [number, number] {
  for (let from = text.indexOf('{%', at); from >= 0; ) {
    const range = skipped.find(([start, end]) => from >= start && from < end);
    const end = text.indexOf('%}', from);
    if (end < 0) break;
    if (range === undefined) return [from, end + 2];
    from = text.indexOf('{%', range[1]);
  }
  return [text.length, text.length];
}

/** Where the content of a block ends, and where the text goes on. */
function closingTag(text: string, at: number, name: string): [number, number] {
  for (let from = text.indexOf('{%', at); from >= 0; from = text.indexOf('{%', from + 2)) {
    const end = text.indexOf('%}', from);
    if (end < 0) break;
    if (text.slice(from + 2, end).replaceAll(/^-|-$|\s/g, '') === name) return [from, end + 2];
  }
  return [text.length, text.length];
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
