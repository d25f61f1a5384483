/**
 * Prompt → its parts: what opens it, its numbered steps, what can happen at any time.
 *
 * In: the text of a system message, and the texts of the source that look like a heading (see
 * disguises.ts): a heading inside of one of them is the source's word and divides nothing. Out: the
 * bounds of the parts. A prompt without a step 1 has no parts: it was not written by squadc, and is
 * read as one whole. Guarantees: linear in the prompt where the source has no such text.
 */
import { put } from '../variables/lists.js';
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

const anytimeHeading = 'At any time\n';

/** In one go: headings stand behind an empty line, and little else does. */
export function readPrompt(text: string, disguises: Disguises): PromptReading {
  let headings: Span[] | null = null;
  // Only what stands behind the last step divides it.
  let anytime: Span | null = null;
  let next = headingOf(1);
  // The newline behind a heading can open the next.
  for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n', at + 1)) {
    const letter = at + 2;
    if (text.startsWith(next, letter)) {
      if (disguises.cover(text, letter)) continue;
      headings = put(headings, { start: at + 1, end: letter + next.length });
      anytime = null;
      next = headingOf(headings.length + 1);
    } else if (anytime === null && text.startsWith(anytimeHeading, letter)) {
      if (disguises.cover(text, letter)) continue;
      anytime = { start: at + 1, end: letter + anytimeHeading.length };
    }
  }
  if (headings !== null) return divide(text, headings, anytime);
  return { text, opening: { start: 0, end: text.length }, steps: [], anytime: null };
}

function divide(text: string, headings: readonly Span[], anytime: Span | null): PromptReading {
  const { length } = text;
  const end = anytime === null ? length : anytime.start;
  const steps = headings.map((it, at) => between(it, headings[at + 1]?.start ?? end));
  return {
    text,
    opening: { start: 0, end: headings[0]!.start },
    steps,
    anytime: anytime === null ? null : { start: anytime.end, end: length },
  };
}

function headingOf(step: number): string {
  return `Step ${step}\n`;
}

function between({ end: start }: Span, end: number): Span {
  return { start, end: Math.max(start, end) };
}
