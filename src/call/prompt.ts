/** What a prompt in squadc's wording says, as data; places are offsets without `raw` pairs. */
import type { Text } from '../compiler/ir/workflow.js';
import type { Said } from './grammar.js';

export interface ReadPrompt {
  readonly globalPrompt: Said | null;
  readonly sentences: readonly string[];
  readonly known: readonly string[];
  readonly entries: readonly ReadEntry[];
  readonly steps: readonly ReadStep[];
  readonly isNumbered: boolean;
  readonly anyTime: readonly (ReadBranch & { readonly except: number | null })[];
  /** What is not announced without its function being called; null if nothing is. */
  readonly announces: string | null;
}

export interface ReadEntry {
  readonly at: number;
  readonly step: number;
  readonly isStart: boolean;
  /** When the call was handed over, for an edge without a condition. */
  readonly when: Said | null;
  readonly conditions: readonly Said[];
}

export interface ReadStep {
  readonly at: number;
  /** Whether it should have a heading and has none. */
  readonly isHeadless: boolean;
  readonly lines: readonly Said[];
  readonly instructions: Said | null;
  readonly captures: readonly ReadCapture[];
  /** Names of functions, and tools that are called by their node. */
  readonly calls: readonly string[];
  readonly branches: readonly ReadBranch[];
}

/** How a tool without a known name is called; no name of a function has spaces. */
export const toolFor = (node: string) => `the tool for “${node}”`;

export interface ReadCapture {
  readonly name: string;
  readonly type: string | null;
  readonly description: Said | null;
  readonly choices: string | null;
  readonly template: Said | null;
}

export interface ReadBranch {
  readonly at: number;
  readonly end: number;
  readonly call: string | null;
  readonly know: readonly string[];
  /** Null where it is taken when the work is done. */
  readonly condition: Said | null;
  readonly isOtherwise: boolean;
  readonly lines: readonly Said[];
  readonly instructions: Said | null;
  readonly action: ReadAction;
}

export type ReadAction =
  | { readonly kind: 'go'; readonly step: number }
  | { readonly kind: 'hand-off'; readonly to: string | null; readonly by: string | null }
  | { readonly kind: 'end'; readonly tool: string | null }
  | { readonly kind: 'transfer'; readonly numbers: readonly string[] };

/** A text without `raw` pairs, and the parts that were inside them. */
export interface Unraw {
  readonly plain: string;
  readonly raw: readonly (readonly [start: number, end: number])[];
}

/** Takes `{% raw %}` and `{% endraw %}` out. An unpaired one stays, since it is not squadc's. */
export function unraw(text: string): Unraw {
  if (!text.includes('{% raw %}')) return { plain: text, raw: [] };
  const raw: (readonly [number, number])[] = [];
  const [opening, closing] = ['{% raw %}', '{% endraw %}'];
  let plain = '';
  let end = 0;
  for (;;) {
    const open = text.indexOf(opening, end);
    const close = open < 0 ? -1 : text.indexOf(closing, open);
    if (close < 0) return { plain: plain + text.slice(end), raw };
    plain += text.slice(end, open);
    const inside = text.slice(open + opening.length, close);
    raw.push([plain.length, plain.length + inside.length]);
    plain += inside;
    end = close + closing.length;
  }
}

/** Whether a `raw` pair stands around this part of the plain text. */
export function covers({ raw }: Unraw, from: number, to: number): boolean {
  return raw.some(([start, end]) => start <= from && to <= end);
}

/** The text as a prompt has it, without `raw` pairs. */
export const plain = ({ value }: Pick<Text, 'value'>) => unraw(value).plain;

/** They stand around a part of a text. */
export const marks = ['\uE000', '\uE001'] as const;

/** The text with a part of it marked, which was read there without the `raw` pairs. */
export function mark(text: string, { value, at }: Said, { raw }: Pick<Unraw, 'raw'>): string {
  const written = (place: number) => {
    const before = raw.filter(([from]) => from < place);
    const over = before.filter(([, to]) => to <= place);
    return place + before.length * '{% raw %}'.length + over.length * '{% endraw %}'.length;
  };
  const [start, end] = [written(at), written(at + value.length)];
  return `${text.slice(0, start)}${marks[0]}${text.slice(start, end)}${marks[1]}${text.slice(end)}`;
}
