/**
 * Tokens: outputs `{{name}}` that the platform leaves in a text because it renders the text before
 * their values are known; and Liquid that it must not evaluate at all.
 *
 * Shared by the compiler and the verifier. Each of them decides for itself which reads are tokens;
 * this file says how a text is marked and what can be marked.
 *
 * Example: in `Hi {{ name }}, {% if vip %}welcome back{% endif %}` the read of `name` stands in an
 * output of its own, that of `vip` does not.
 */
import type { Json } from '../../text/json.js';
import { fromSource, type Origin, type Segment } from './provenance.js';
import type { Read } from './result.js';
import type { Condition, Span, Text, Use } from './workflow.js';

export type ReadKind = Read['kind'];

/** The output that contains only the read; null if it has a filter or stands in a tag. */
export function outputOf(text: string, { start, end }: Use): Span | null {
  const before = /\{\{-?\s*$/.exec(text.slice(Math.max(0, start - 40), start));
  const after = /^(?:\.[\w-]+|\[\d+\])*\s*-?\}\}/.exec(text.slice(end, end + 400));
  if (before === null || after === null) return null;
  return [start - before[0].length, end + after[0].length];
}

/** Returns true if the value is the output of the variable and nothing else. */
export function isToken(value: Json | undefined, name: string): boolean {
  if (typeof value !== 'string') return false;
  const output = /^\s*\{\{-?\s*([\w-]+)\s*-?\}\}\s*$/.exec(value);
  return output?.[1] === name;
}

/** True for an expression that the model judges: it names variables and shows no values. */
export function isExpression(text: Text | Condition): boolean {
  return 'logical' in text && text.logical;
}

/** True for an expression with Liquid, which goes to the model unchanged. */
export function isVerbatim(text: Text | Condition): boolean {
  return isExpression(text) && /\{\{|\{%/.test(text.value);
}

/** A text for use outside the assistant it belongs to: only its Liquid is marked. */
export function markVerbatim<T extends Text>(text: T): T {
  return isVerbatim(text) ? markRaw(text, [[0, text.value.length]]) : text;
}

/** The text with these parts marked, which are in order and do not overlap. */
export function markRaw<T extends Text>(text: T, raw: readonly Span[]): T {
  return raw.length === 0 ? text : { ...text, raw };
}

/** A text of a squad without the marks that keep the platform from rendering parts of it. */
export function withoutRaw(text: string): string {
  return text.replace(/\{% (?:end)?raw %\}/g, '');
}

/** A text of the source in segments, each with its place, and with marks around what stays raw. */
export function piecesOf(text: Text, origin: Origin, wording: Origin): Segment[] {
  const segments: Segment[] = [];
  const parts = (text.changedBy === undefined && text.parts) || [{ ...text, start: 0 }];
  const isWhole = parts.length === 1;
  const add = (from: number, to: number): void => {
    let end = from;
    for (const { value, at, start } of isWhole ? [] : parts) {
      const [first, last] = [Math.max(start, from), Math.min(start + value.length, to)];
      if (first >= last) continue;
      if (first > end) segments.push({ text: text.value.slice(end, first), origin: wording });
      segments.push({ text: text.value.slice(first, last), origin: fromSource(at) });
      end = last;
    }
    if (end < to || from === to) {
      segments.push({ text: text.value.slice(end, to), origin: isWhole ? origin : wording });
    }
  };
  let end = 0;
  for (const [from, to] of text.raw ?? []) {
    if (from > end) add(end, from);
    segments.push({ text: '{% raw %}', origin: wording });
    add(from, to);
    segments.push({ text: '{% endraw %}', origin: wording });
    end = to;
  }
  if (end === 0 || end < text.value.length) add(end, text.value.length);
  return segments;
}
