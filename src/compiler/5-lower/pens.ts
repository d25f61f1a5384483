/**
 * Long texts, written piece by piece.
 *
 * Nearly everybody wants the text alone. So a long text is written by a pen that puts the words
 * down and nothing else, and once more, by one that keeps the pieces apart, when somebody asks
 * where they come from.
 */
import type { Origin } from '../ir/provenance.js';
import type { Composition, Segment } from '../ir/squad-ir.js';
import type { Text } from '../ir/workflow.js';
import { quoted, segment, wording } from './segments.js';

export interface Pen {
  /** Words of squadc's own. */
  words(text: string): void;
  /** A text, word for word. */
  quote(text: Text): void;
  /** A text that something else gives; where it comes from is found out by those who ask. */
  derive<T>(text: string, thing: T, originOf: (thing: T) => Origin): void;
}

/** Writes about something. */
type Write<Subject> = (pen: Pen, subject: Subject) => void;

/** A text, and its pieces when they are asked for. */
export function composeBy<Subject>(write: Write<Subject>, subject: Subject): Composition {
  const pen = new TextPen();
  write(pen, subject);
  return new WrittenText(pen.text, write, subject);
}

export const nothing: Composition = { text: '', segments: [] };

class TextPen implements Pen {
  text = '';

  words(text: string): void {
    this.text += text;
  }

  quote({ value }: Text): void {
    this.text += value;
  }

  derive(text: string): void {
    this.text += text;
  }
}

/** Keeps the pieces apart. */
class SegmentPen implements Pen {
  readonly segments: Segment[] = [];

  words(text: string): void {
    this.segments.push(wording(text));
  }

  quote(text: Text): void {
    this.segments.push(quoted(text));
  }

  derive<T>(text: string, thing: T, originOf: (thing: T) => Origin): void {
    this.segments.push(segment(text, originOf(thing)));
  }
}

class WrittenText<Subject> implements Composition {
  constructor(
    readonly text: string,
    private readonly write: Write<Subject>,
    private readonly subject: Subject,
  ) {}

  get segments(): readonly Segment[] {
    const pen = new SegmentPen();
    this.write(pen, this.subject);
    return pen.segments;
  }
}
