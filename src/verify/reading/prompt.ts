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
  /** What stands before it opens the prompt: the heading of step 1, or the end where there is none. */
  readonly openingEnd: number;
  /** The first step at 0; none where the prompt has another form. */
  readonly steps: readonly Span[];
  readonly anytime: Span | null;
}

const anytimeHeading = 'At any time\n';

/** In one go: headings stand behind an empty line, and little else does. */
export function readPrompt(text: string, disguises: Disguises): PromptReading {
  const { length } = text;
  let openingEnd = length;
  let steps: Part[] | null = null;
  // Only what stands behind the last step divides it.
  let anytime: Part | null = null;
  // The newline behind a heading can open the next.
  for (let at = text.indexOf('\n\n'); at !== -1; at = text.indexOf('\n\n', at + 1)) {
    const letter = at + 2;
    const count = steps === null ? 0 : steps.length;
    const end = endOfHeading(text, letter, count + 1);
    if (end !== -1) {
      if (disguises.cover(text, letter)) continue;
      if (steps === null) openingEnd = at + 1;
      else close(steps[count - 1]!, at + 1);
      steps = put(steps, { start: end, end: length });
      anytime = null;
    } else if (anytime === null && text.startsWith(anytimeHeading, letter)) {
      if (disguises.cover(text, letter)) continue;
      if (steps !== null) close(steps[count - 1]!, at + 1);
      anytime = { start: letter + anytimeHeading.length, end: length };
    }
  }
  if (steps === null) anytime = null;
  return { text, openingEnd, steps: steps ?? noSteps, anytime };
}

const noSteps: readonly Span[] = [];

/** A span whose end is not known yet: until another heading follows it is that of the prompt. */
interface Part {
  readonly start: number;
  end: number;
}

/** The newline behind a heading can open the next, and then nothing is between them. */
function close(part: Part, end: number): void {
  part.end = Math.max(part.start, end);
}

/** Where the heading of the step ends, if it stands here; -1 where it does not. */
function endOfHeading(text: string, at: number, step: number): number {
  if (!text.startsWith(word, at)) return -1;
  const number = `${step}\n`;
  const end = at + word.length + number.length;
  return text.startsWith(number, at + word.length) ? end : -1;
}

const word = 'Step ';
