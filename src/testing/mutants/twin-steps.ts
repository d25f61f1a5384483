/**
 * Steps that a call comes to on the same ways, so that nobody can tell which of them is which: two
 * edges of one node that say the same lead to either.
 */

import { type PromptView, type StepView, wordsOf } from './prompt-view.js';
import type { MemberView } from './squad-view.js';

/** Whether the same sentences at the same places lead to both, and neither to the other. */
export function areTwins({ prompt }: MemberView, one: StepView, other: StepView): boolean {
  const leading = leadsTo(prompt, one);
  return leading.length > 0 && leading.join('\n') === leadsTo(prompt, other).join('\n');
}

/** Whether they are the same but for what is instructed there. */
export function haveTheSameRest({ prompt }: MemberView, one: StepView, other: StepView): boolean {
  return restOf(prompt, one) === restOf(prompt, other);
}

/** What leads to the step: where it stands, and what it says; the lines of `begin` too. */
function leadsTo(prompt: PromptView, { number }: StepView): string[] {
  const to = String(number);
  const begins = prompt.begins.flatMap(({ step, sentence }) =>
    step === number ? [`begin ${wordsOf(prompt, sentence)}`] : [],
  );
  const ways = [{ number: 0, ways: prompt.always }, ...prompt.steps].flatMap((step) =>
    step.ways.flatMap((way) =>
      way.kind === 'step' && way.to === to
        ? [`${step.number} ${wordsOf(prompt, way.sentence)}`]
        : [],
    ),
  );
  return [...begins, ...ways].sort();
}

function restOf(prompt: PromptView, { body, instruction }: StepView): string {
  if (instruction === null) return wordsOf(prompt, body);
  const before = wordsOf(prompt, { start: body.start, end: instruction.start });
  return before + wordsOf(prompt, { start: instruction.end, end: body.end });
}
