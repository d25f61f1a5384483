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
  const headings: Span[] = [];
  for (let from = 0; ; ) {
    const found = findHeading(text, `\n\nStep ${headings.length + 1}\n`, from, disguises);
    if (found === null) break;
    headings.push(found);
    // The newline behind a heading can open the next.
    from = found.end - 1;
  }
  const [first] = headings;
  const last = headings.at(-1);
  if (first === undefined || last === undefined) {
    return { text, opening: { start: 0, end: text.length }, steps: [], anytime: null };
  }
  const anytime = findHeading(text, anytimeHeading, last.end - 1, disguises);
  const end = anytime === null ? text.length : anytime.start;
  return {
    text,
    opening: { start: 0, end: first.start },
    steps: headings.map((heading, at) => ({
      start: heading.end,
      end: Math.max(heading.end, headings[at + 1]?.start ?? end),
    })),
    anytime: anytime === null ? null : { start: anytime.end, end: text.length },
  };
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
