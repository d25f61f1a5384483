/** The form of open questions: what is answered, and the file that it makes. */

import type { AskedQuestion, QuestionsData } from './answers-file.js';
import { answersFile, answersFileName, type GivenAnswer } from './answers-file.js';
import { faultOf } from './check-value.js';
import { NotJson, readField } from './read-field.js';
import { save } from './save.js';

interface Form {
  readonly data: QuestionsData;
  readonly form: HTMLFormElement;
  /** In the order of the questions. */
  readonly fieldsets: readonly HTMLFieldSetElement[];
}

/** Brings the form of the page to life; there is none where no question is open. */
export function openForm(): void {
  const open = findForm();
  if (open === null) return;
  const { form } = open;
  form.addEventListener('input', ({ target }) => onInput(open, target as HTMLElement));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = gather(open);
    if (text !== null) save(answersFileName(open.data.key), text);
  });
  form.querySelector('#copy-answers')?.addEventListener('click', () => copy(open));
  form.querySelector('#confirm-proposals')?.addEventListener('click', () => confirmAll(open));
  tell(open);
}

/** As `openForm`, for a page on which an answer counts as soon as it is given. */
export function openLiveForm(onAnswers: (given: readonly GivenAnswer[]) => void): void {
  const open = findForm();
  if (open === null) return;
  const { form, fieldsets, data } = open;
  const answer = (fieldset: HTMLFieldSetElement): GivenAnswer | null => {
    const given = answerOf(data.questions[fieldsets.indexOf(fieldset)]!, fieldset);
    showFault(fieldset, typeof given === 'string' ? given : null);
    return typeof given === 'string' ? null : given;
  };
  form.addEventListener('input', ({ target }) => choose(target as HTMLElement));
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('click', ({ target }) => {
    const fieldset = (target as Element).closest<HTMLFieldSetElement>('fieldset.question');
    if (fieldset === null || !(target as Element).matches('[data-answer]')) return;
    const given = answer(fieldset);
    if (given !== null) onAnswers([given]);
  });
  form.querySelector('#accept-proposals')?.addEventListener('click', () => {
    const given = fieldsets.filter((each) => chosenOf(each) !== null).map(answer);
    onAnswers(given.filter((each) => each !== null));
  });
}

function findForm(): Form | null {
  const form = document.querySelector<HTMLFormElement>('#questions-form');
  const data = document.querySelector('#questions-data')?.textContent;
  if (form === null || data === null || data === undefined) return null;
  const fieldsets = [...form.querySelectorAll<HTMLFieldSetElement>('fieldset.question')];
  for (const fieldset of fieldsets) showValues(fieldset);
  return { data: JSON.parse(data), form, fieldsets };
}

/** Marks the choice whose field is filled in, and shows the fields of the one that is marked. */
function choose(target: HTMLElement): HTMLFieldSetElement | null {
  const fieldset = target.closest<HTMLFieldSetElement>('fieldset.question');
  if (fieldset === null) return null;
  const choice = target.closest<HTMLElement>('[data-value]')?.dataset.value;
  if (choice !== undefined) radioOf(fieldset, choice).checked = true;
  showValues(fieldset);
  showFault(fieldset, null);
  return fieldset;
}

/** Who chooses or fills in something has answered; who only opens the page has not. */
function onInput(form: Form, target: HTMLElement): void {
  const fieldset = choose(target);
  if (fieldset === null) return;
  const confirm = confirmOf(fieldset);
  if (target !== confirm) confirm.checked = chosenOf(fieldset) !== null;
  tell(form);
}

/** The fields of the choice that is marked. */
function showValues(fieldset: HTMLFieldSetElement): void {
  const chosen = chosenOf(fieldset);
  for (const value of fieldset.querySelectorAll<HTMLElement>('[data-value]')) {
    value.hidden = value.dataset.value !== chosen;
  }
}

function tell({ form, fieldsets }: Form, more = ''): void {
  const answered = fieldsets.filter((each) => confirmOf(each).checked).length;
  const status = form.querySelector('#answered');
  if (status !== null) {
    status.textContent = `${answered} of ${fieldsets.length} questions answered.${more}`;
  }
}

function confirmAll(form: Form): void {
  for (const fieldset of form.fieldsets) {
    if (chosenOf(fieldset) !== null) confirmOf(fieldset).checked = true;
  }
  tell(form);
}

async function copy(form: Form): Promise<void> {
  const text = gather(form);
  if (text === null) return;
  try {
    await navigator.clipboard.writeText(text);
    tell(form, ' Copied.');
  } catch {
    tell(form, ' The browser does not let this page copy: download the file instead.');
  }
}

/** The answers file; null where something is missing, which is then said beside the question. */
function gather(form: Form): string | null {
  const given: GivenAnswer[] = [];
  const faults: HTMLFieldSetElement[] = [];
  for (const [index, fieldset] of form.fieldsets.entries()) {
    if (!confirmOf(fieldset).checked) continue;
    const question = form.data.questions[index];
    const answer = question === undefined ? 'unknown' : answerOf(question, fieldset);
    showFault(fieldset, typeof answer === 'string' ? answer : null);
    if (typeof answer === 'string') faults.push(fieldset);
    else given.push(answer);
  }
  faults[0]?.querySelector<HTMLInputElement>('[data-confirm]')?.focus();
  if (faults.length > 0) return null;
  if (given.length === 0) {
    tell(form, ' Answer one, then there is something to save.');
    return null;
  }
  return answersFile(form.data.key, given);
}

/** The answer, or what is wrong with it. */
function answerOf(question: AskedQuestion, fieldset: HTMLFieldSetElement): GivenAnswer | string {
  const { id, subject, choices } = question;
  const choice = choices.find(({ key }) => key === chosenOf(fieldset));
  if (choice === undefined) return 'choose one';
  if (choice.value === undefined) return { id, choice: choice.key, value: undefined, subject };
  const field = fieldset.querySelector<HTMLElement>(
    `[data-value="${CSS.escape(choice.key)}"] [data-control]`,
  );
  try {
    const value = field === null ? undefined : readField(choice.value, field);
    return faultOf(choice.value, value) ?? { id, choice: choice.key, value, subject };
  } catch (error) {
    if (error instanceof NotJson) return error.message;
    throw error;
  }
}

function showFault(fieldset: HTMLFieldSetElement, fault: string | null): void {
  const line = fieldset.querySelector<HTMLElement>('.fault');
  if (line === null) return;
  line.hidden = fault === null;
  line.textContent = fault ?? '';
}

function confirmOf(fieldset: HTMLFieldSetElement): HTMLInputElement {
  return fieldset.querySelector<HTMLInputElement>('[data-confirm]') as HTMLInputElement;
}

function radioOf(fieldset: HTMLFieldSetElement, key: string): HTMLInputElement {
  const radio = fieldset.querySelector(`input[type="radio"][value="${CSS.escape(key)}"]`);
  return radio as HTMLInputElement;
}

function chosenOf(fieldset: HTMLFieldSetElement): string | null {
  return fieldset.querySelector<HTMLInputElement>('input[type="radio"]:checked')?.value ?? null;
}
