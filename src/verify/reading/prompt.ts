/**
 * Prompt → its parts: what opens it, its numbered steps, what can happen at any time.
 *
 * In: the text of a system message, and the texts of the source that look like a heading (see
 * disguises.ts): a heading inside of one of them is the source's word and divides nothing. Out: the
 * bounds of the parts. A prompt without a step 1 has no parts: it was not written by squadc, and is
 * read as one whole. Guarantees: linear in the prompt where the source has no such text.
 */
import type { Disguises } from './disguises.js';

/** Offsets into the prompt; the heading itself is outside. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface PromptReading {
  readonly text: string;
  /** What stands before step 1; the whole prompt where there are no steps. */
  readonly opening: Span;
  /** The first step at 0; none where the prompt has another form. */
  readonly steps: readonly Span[];
  readonly anytime: Span | null;
}

const anytimeHeading = '\n\nAt any time\n';

export function readPrompt(text: string, disguises: Disguises): PromptReading {
  const first = findHeading(text, headingOf(1), 0, disguises);
  if (first === null) {
    return { text, opening: { start: 0, end: text.length }, steps: [], anytime: null };
  }
  const steps: Span[] = [];
  let last = first;
  for (let number = 2; ; number += 1) {
    // The newline behind a heading can open the next.
    const next = findHeading(text, headingOf(number), last.end - 1, disguises);
    if (next === null) break;
    steps.push(between(last, next.start));
    last = next;
  }
  const anytime = findHeading(text, anytimeHeading, last.end - 1, disguises);
  const rest = between(last, anytime === null ? text.length : anytime.start);
  return {
    text,
    opening: { start: 0, end: first.start },
    // Most prompts have one step.
    steps: steps.length === 0 ? [rest] : [...steps, rest],
    anytime: anytime === null ? null : { start: anytime.end, end: text.length },
  };
}

function headingOf(step: number): string {
  return `\n\nStep ${step}\n`;
}

function between({ end: start }: Span, end: number): Span {
  return { start, end: Math.max(start, end) };
}

/**
 * The first such heading that is none of the source's words. Its start is behind the newline that
 * ends the line before it.
 */
function findHeading(
  text: string,
  heading: string,
  from: number,
  disguises: Disguises,
): Span | null {
  for (let at = text.indexOf(heading, from); at !== -1; at = text.indexOf(heading, at + 1)) {
    if (!disguises.cover(text, at + 2)) return { start: at + 1, end: at + heading.length };
  }
  return null;
}
