/** Texts that are composed of the source's words and of squadc's own. */
import { fromAnswer, fromSource, type Origin, synthesized } from '../ir/provenance.js';
import type { Segment } from '../ir/squad-ir.js';
import { type Capture, placesOf, type Text } from '../ir/workflow.js';

/** Words of squadc's own. */
export function wording(text: string): Segment {
  return { text, origin: synthesized('wording') };
}

/** A text of the source, word for word. */
export function quoted(text: Text): Segment {
  return { text: text.value, origin: originOf(text) };
}

export function originOf(text: Text): Origin {
  if (text.changedBy !== undefined) return fromAnswer(text.changedBy);
  return text.rule === undefined ? fromSource(text.at) : synthesized(text.rule, [text.at]);
}

/** A name that is a key is no value of the source. */
export function originOfName(capture: Capture): Origin {
  const { name } = placesOf(capture);
  return name === null ? synthesized('variable-name', [capture.at]) : fromSource(name);
}

export function segment(text: string, origin: Origin): Segment {
  return { text, origin };
}

/** Puts words between the parts: `a`, `b` and `c` with `; or ` between them. */
export function join(parts: readonly (readonly Segment[])[], between: string): Segment[] {
  return parts.flatMap((part, at) => (at === 0 ? part : [wording(between), ...part]));
}

function textOf(segments: readonly Segment[]): string {
  return segments.map(({ text }) => text).join('');
}

/** Parts without those whose text stands before. */
export function unique(parts: readonly (readonly Segment[])[]): (readonly Segment[])[] {
  const byText = new Map<string, readonly Segment[]>();
  for (const part of parts) {
    const text = textOf(part);
    if (!byText.has(text)) byText.set(text, part);
  }
  return [...byText.values()];
}

/** `a, b and c`. */
export function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}

/** A sentence of squadc's own, as the beginning of a line. */
export function capitalize([first, ...rest]: readonly Segment[]): Segment[] {
  if (first === undefined) return [];
  const text = first.text.charAt(0).toUpperCase() + first.text.slice(1);
  return [{ text, origin: first.origin }, ...rest];
}
