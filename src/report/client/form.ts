/** Reads answers from the form of open questions. */
import type { Answer, Question } from '../../index.js';
import { readFields } from '../page/fields.js';

/** The questions of the page, in their order. */
export function fieldsets(): HTMLFieldSetElement[] {
  return [...document.querySelectorAll<HTMLFieldSetElement>('fieldset.question')];
}

/** Filling in a field selects its choice. */
export function choose(target: HTMLElement): void {
  const fieldset = target.closest<HTMLFieldSetElement>('fieldset.question');
  if (fieldset === null) return;
  const choice = target.closest<HTMLElement>('[data-value]')?.dataset['value'];
  for (const radio of fieldset.querySelectorAll<HTMLInputElement>('input[type="radio"]')) {
    if (radio.value === choice) radio.checked = true;
  }
  showChosen(fieldset);
  showFault(fieldset, '');
}

/** Shows only the fields of the selected choice. */
export function showChosen(fieldset: HTMLFieldSetElement): void {
  const chosen = chosenIn(fieldset);
  for (const value of fieldset.querySelectorAll<HTMLElement>('[data-value]')) {
    value.hidden = value.dataset['value'] !== chosen;
  }
}

/** Beside the question; an empty text removes the message. */
export function showFault(fieldset: HTMLFieldSetElement | undefined, fault: string): void {
  const line = fieldset?.querySelector<HTMLElement>('.fault') ?? null;
  if (line === null) return;
  line.hidden = fault === '';
  line.textContent = fault;
}

/** The answer, or why there is none. Whether the value is valid, the compiler says. */
export function answerIn(
  fieldset: HTMLFieldSetElement,
  { choices }: Question,
): Answer | { readonly fault: string } {
  const choice = choices.find(({ key }) => key === chosenIn(fieldset));
  if (choice === undefined) return { fault: 'Choose one.' };
  const { key, value: schema } = choice;
  if (schema === undefined) return { choice: key };
  const inputs = fieldset.querySelectorAll<HTMLInputElement>(
    `[data-value="${key}"] :is(input, select, textarea)`,
  );
  try {
    return {
      choice: key,
      value: readFields(
        schema,
        Array.from(inputs, ({ value }) => value),
      ),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: 'This is not JSON.' };
    throw error;
  }
}

function chosenIn(fieldset: HTMLFieldSetElement): string | undefined {
  return fieldset.querySelector<HTMLInputElement>('input[type="radio"]:checked')?.value;
}
