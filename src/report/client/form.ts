/** Reads answers from the form of open questions. */
import type { Answer, Json } from '../../index.js';

/** The questions of the page, by id. */
export function questionsOf(): Map<string, HTMLFieldSetElement> {
  const all = document.querySelectorAll<HTMLFieldSetElement>('fieldset.question');
  return new Map([...all].map((each) => [JSON.parse(each.dataset['question'] ?? '""'), each]));
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
  showFault(fieldset, null);
}

/** Shows only the fields of the selected choice. */
export function showChosen(fieldset: HTMLFieldSetElement): void {
  const chosen = chosenIn(fieldset);
  for (const value of fieldset.querySelectorAll<HTMLElement>('[data-value]')) {
    value.hidden = value.dataset['value'] !== chosen;
  }
}

/** Null removes the message. */
export function showFault(fieldset: HTMLFieldSetElement | undefined, fault: string | null): void {
  const line = fieldset?.querySelector<HTMLElement>('.fault');
  if (line === null || line === undefined) return;
  line.hidden = fault === null;
  line.textContent = fault ?? '';
}

/** An answer with the text of its question. */
type Given = { readonly id: string; readonly answer: Answer & { readonly text: string } };

/** The answer, or why there is none. Whether the value is valid, the compiler says. */
export function answerIn(fieldset: HTMLFieldSetElement): Given | { readonly fault: string } {
  const choice = chosenIn(fieldset);
  if (choice === null) return { fault: 'Choose one.' };
  const id: string = JSON.parse(fieldset.dataset['question'] ?? '""');
  const text = fieldset.querySelector('legend')?.textContent ?? id;
  const field = [...fieldset.querySelectorAll<HTMLElement>('[data-value]')].find(
    (each) => each.dataset['value'] === choice,
  );
  if (field === undefined) return { id, answer: { choice, text } };
  try {
    const control = field.querySelector<HTMLElement>('[data-control]');
    // No choice accepts these values, so the compiler says what it needs.
    const nothing = control?.dataset['control'] === 'object' ? {} : null;
    return { id, answer: { choice, value: readField(control) ?? nothing, text } };
  } catch (error) {
    if (error instanceof SyntaxError) return { fault: 'This is not JSON.' };
    throw error;
  }
}

function chosenIn(fieldset: HTMLFieldSetElement): string | null {
  return fieldset.querySelector<HTMLInputElement>('input[type="radio"]:checked')?.value ?? null;
}

/** Undefined if nothing is filled in; throws a SyntaxError for invalid JSON. */
function readField(control: HTMLElement | null): Json | undefined {
  if (control === null) return undefined;
  if (control.dataset['control'] === 'object') return readObject(control);
  if (control.dataset['control'] === 'groups') return readGroups(control);
  const text = (control as HTMLInputElement).value.trim();
  if (text === '') return undefined;
  if (control.dataset['control'] === 'number') return Number(text);
  return control.dataset['control'] === 'json' ? JSON.parse(text) : text;
}

function readObject(control: HTMLElement): Json | undefined {
  const entries = [...control.querySelectorAll<HTMLElement>('[data-name]')].flatMap((field) => {
    if (field.parentElement?.closest('[data-control="object"]') !== control) return [];
    const value = readField(field);
    return value === undefined ? [] : [[JSON.parse(field.dataset['name'] ?? '""'), value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The ids of each group, by its number. */
function readGroups(control: HTMLElement): Json | undefined {
  const groups = new Map<number, string[]>();
  for (const { value, dataset } of control.querySelectorAll('select')) {
    if (value === '') continue;
    const group = groups.get(Number(value)) ?? [];
    groups.set(Number(value), [...group, JSON.parse(dataset['member'] ?? '""')]);
  }
  const ordered = [...groups].sort(([a], [b]) => a - b).map(([, ids]) => ids);
  return ordered.length === 0 ? undefined : ordered;
}
