/** Texts that are composed of the source's words and of squadc's own. */

import type { JsonPointer } from '../ir/ids.js';
import { fromAnswer, fromSource, type Origin, synthesized } from '../ir/provenance.js';
import type { Composition, Segment } from '../ir/squad-ir.js';
import { type Capture, placesOf, type Text } from '../ir/workflow.js';

const ownWords = synthesized('wording');

/** Words of squadc's own. */
export function wording(text: string): Segment {
  return { text, origin: ownWords };
}

/** A text of the source, word for word. */
export function quoted(text: Text): Segment {
  return { text: text.value, origin: originOf(text) };
}

export function originOf(text: Text): Origin {
  if (text.changedBy !== undefined) return fromAnswer(text.changedBy);
  return text.rule === undefined ? fromSource(text.at) : synthesized(text.rule, [text.at]);
}

/** A sentence that a rule words, for what stands at a place without one. */
export function sentenceFor(at: JsonPointer, rule: string, value: string): Text {
  return { value, at, uses: [], rule };
}

/** A name that is a key is no value of the source. */
export function originOfName(capture: Capture): Origin {
  const { name } = placesOf(capture);
  return name === null ? synthesized('variable-name', [capture.at]) : fromSource(name);
}

export function segment(text: string, origin: Origin): Segment {
  return { text, origin };
}

/** Puts words between the pieces: `a`, `b` and `c` with `; or ` between them. */
export function join(pieces: readonly Segment[], between: string): readonly Segment[] {
  if (pieces.length < 2) return pieces;
  return pieces.flatMap((piece, at) => (at === 0 ? [piece] : [wording(between), piece]));
}

/** The texts, each once, as ways to say one thing. */
export function either(texts: readonly Text[]): readonly Segment[] {
  if (texts.length === 1) return [quoted(texts[0]!)];
  return join(uniqueTexts(texts).map(quoted), '; or ');
}

/** The same, whose pieces are told apart when they are asked for. */
export function eitherOf(texts: readonly Text[]): Composition {
  return texts.length === 1 ? quotation(texts[0]!) : composed(either(texts));
}

/** These pieces as one text. */
export function composed(segments: readonly Segment[]): Composition {
  return { text: segments.map(({ text }) => text).join(''), segments };
}

/** A text of the source, word for word, that is all there is. */
export function quotation(text: Text): Composition {
  return new Quotation(text);
}

class Quotation implements Composition {
  constructor(private readonly source: Text) {}

  get text(): string {
    return this.source.value;
  }

  get segments(): readonly Segment[] {
    return [quoted(this.source)];
  }
}

/** Texts without those that stand before. */
export function uniqueTexts(texts: readonly Text[]): readonly Text[] {
  if (texts.length < 2) return texts;
  const byValue = new Map<string, Text>();
  for (const text of texts) if (!byValue.has(text.value)) byValue.set(text.value, text);
  return [...byValue.values()];
}

/** `a, b and c`. */
export function enumerate(names: readonly string[]): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;
}
