/**
 * The script of all pages: the summary, the page of a workflow, the playground. What is pasted or
 * answered is compiled at once, in the browser.
 */
import { counted } from '../../text/counted.js';
import {
  compileLive,
  type GivenAnswers,
  type Live,
  type LiveInput,
  pastedInput,
} from '../live/live.js';
import { type CallState, renderCall } from '../live/walk.js';
import type { Session } from '../page/page.js';
import { openFleet } from './fleet.js';
import { answerIn, choose, fieldsets, showChosen, showFault } from './form.js';
import { isLink, keepWork, keptWork, openLink, type Work, writeLink } from './link.js';
import { linkPictures } from './pictures.js';

const find = <Kind extends Element = HTMLElement>(selector: string) =>
  document.querySelector<Kind>(selector);
const outcome = find('#outcome');
const editor = find<HTMLFormElement>('#editor');
const workflow = find<HTMLTextAreaElement>('#workflow');
const target = find<HTMLSelectElement>('#target');
const session: Session | null = JSON.parse(find('#session')?.textContent ?? 'null');
const examples: Readonly<Record<string, string>> = JSON.parse(
  find('#examples')?.textContent ?? '{}',
);

/** The text that is compiled: what stands in the editor, or what a run has kept. */
const textNow = () => workflow?.value ?? JSON.stringify(session);
/** The link that was opened. */
let link = '';
let given: GivenAnswers = {};
/** The questions that the page shows, in the order of their fieldsets. */
let asked = session?.result.questions ?? [];
let live: Live | null = null;
/** Null until somebody begins one. */
let call: CallState | null = null;
let shown = new AbortController();
let gone: ReturnType<typeof setTimeout> | undefined;

/** Null until something is pasted. */
function input(): LiveInput | null {
  const text = textNow();
  if (session !== null || text.trim() === '') return session;
  return pastedInput(text, editor?.dataset['version'] ?? '', target?.value ?? '');
}

/** Compiles with these answers. Questions whose answer is invalid stay open and say why. */
function update(next: GivenAnswers): void {
  const from = input();
  if (from === null) {
    given = {};
    live = null;
    outcome?.replaceChildren();
    say('');
    keep();
    return;
  }
  let made = compileLive(from, next);
  const { refused } = made;
  const fitting = Object.fromEntries(Object.entries(next).filter(([id]) => !refused.has(id)));
  if (refused.size > 0) made = compileLive(from, fitting);
  // The form stays if an answer was refused: its fields can be corrected.
  const isKept = [...refused.keys()].some((id) => asked.some((question) => question.id === id));
  given = fitting;
  live = made;
  keep();
  if (!isKept) {
    if (outcome !== null) outcome.innerHTML = String(made.body);
    asked = made.result.questions;
    enliven();
    if (call !== null) showCall();
  }
  for (const [at, { id }] of asked.entries()) {
    const fault = refused.get(id);
    if (fault !== undefined) showFault(fieldsets()[at], fault);
  }
  say(statusOf(made));
}

function keep(): void {
  keepWork({ text: textNow(), target: target?.value ?? '', answers: given, link });
}

/** Connects what is new on the page. */
function enliven(): void {
  shown.abort();
  shown = new AbortController();
  for (const each of document.querySelectorAll<HTMLElement>('.scripted')) each.hidden = false;
  for (const fieldset of fieldsets()) showChosen(fieldset);
  linkPictures(shown.signal);
}

function statusOf({ result: { status, questions, stats, diagnostics } }: Live): string {
  const [first, ...others] = diagnostics.filter(({ severity }) => severity === 'error');
  const place = first && 'line' in first ? `, line ${first.line}` : '';
  if (status === 'invalid')
    return `Invalid${place}: ${first?.message} ${counted(others.length + 1, 'error')}, below under Findings.`;
  if (status === 'needs-answers')
    return `${counted(questions.length, 'question')} open; the squad below is a draft.`;
  const made = `${counted(stats.nodes, 'node')} became ${counted(stats.assistants, 'assistant')}.`;
  const unseen = diagnostics.filter(({ code }) => notChecked.has(code)).length;
  if (unseen === 0) return `Complete and verified: ${made}`;
  return `Complete, but ${counted(unseen, 'place')} could not be checked (below under Findings): ${made}`;
}

/** What the source brings that the verifier cannot judge. */
const notChecked = new Set<string>(['check/setting-unknown', 'shape/saved-assistant']);

function say(text: string): void {
  const line = find('#status');
  if (line === null) return;
  line.textContent = text;
  clearTimeout(gone);
  // A message that covers the page disappears.
  if (line.matches('.toast')) gone = setTimeout(() => line.replaceChildren(), 10_000);
}

function current(): Live | null {
  const from = input();
  live ??= from === null ? null : compileLive(from, given);
  return live;
}

/** Gives the reader a text as a file; nothing leaves the machine. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Later: some browsers have not read it yet.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

async function copy(what: string, button: HTMLElement): Promise<void> {
  const { result, files } = current() ?? {};
  const plain = result?.workflow ?? null;
  if (what === 'link' && plain === null) return say('There is no link: the text is not JSON.');
  const work = {
    text: JSON.stringify(plain, null, 2),
    target: target?.value ?? '',
    answers: given,
  };
  const texts: Readonly<Record<string, string | null | undefined>> = {
    findings: files?.['findings.md'],
    link: what === 'link' ? location.href.replace(/#.*/s, '') + (await writeLink(work)) : '',
    command: button.parentElement?.querySelector('code')?.textContent,
  };
  const text = texts[what] ?? '';
  try {
    await navigator.clipboard.writeText(text);
    say('Copied.');
  } catch {
    save(`${what}.txt`, text);
    say('The browser does not allow copying here, so this was saved as a file.');
  }
}

function takeAnswers(wanted: (fieldset: HTMLFieldSetElement) => boolean): void {
  const taken = fieldsets().flatMap((fieldset, at) => {
    const question = asked[at];
    if (question === undefined || !wanted(fieldset)) return [];
    const answer = answerIn(fieldset, question);
    showFault(fieldset, 'fault' in answer ? answer.fault : '');
    return 'fault' in answer ? [] : [[question.id, { ...answer, text: question.text }] as const];
  });
  if (taken.length === 0) return;
  update({ ...given, ...Object.fromEntries(taken) });
  // The form is new. If nothing is left to answer, its section is next.
  const title = find('#questions-title');
  if (title !== null) title.tabIndex = -1;
  const next = find('fieldset.question input') ?? title;
  next?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}

function showCall(): void {
  const box = find('#call');
  const tracks = current()?.tracks() ?? null;
  if (box === null || tracks === null || call === null) return;
  const isOpen = find<HTMLDetailsElement>('#values')?.open ?? false;
  box.innerHTML = String(renderCall(tracks, call));
  const values = find<HTMLDetailsElement>('#values');
  if (values !== null) values.open = isOpen;
}

function step(choices: readonly number[]): void {
  call = { values: call?.values ?? {}, choices };
  showCall();
  find('#choices button')?.focus();
}

/** What a button does, by its data attribute. */
const actions: Readonly<Record<string, (value: string, button: HTMLElement) => void>> = {
  file: (name) => save(name, current()?.files[name] ?? ''),
  copy: (what, button) => void copy(what, button),
  answer: (_, button) => takeAnswers((fieldset) => fieldset.contains(button)),
  accept: () => takeAnswers((fieldset) => fieldset.querySelector('input:checked') !== null),
  takeBack: (index) =>
    update(Object.fromEntries(Object.entries(given).toSpliced(Number(index), 1))),
  begin: () => step([]),
  choice: (at) => step([...(call?.choices ?? []), Number(at)]),
  back: () => step(call?.choices.slice(0, -1) ?? []),
};

document.addEventListener('click', ({ target: clicked }) => {
  const button = (clicked as Element).closest<HTMLElement>('button');
  if (button === null) return;
  for (const [mark, value = ''] of Object.entries(button.dataset)) {
    if (Object.hasOwn(actions, mark)) actions[mark]?.(value, button);
  }
});

document.addEventListener('input', ({ target: field }) => choose(field as HTMLElement));
document.addEventListener('submit', (event) => event.preventDefault());
document.addEventListener('change', ({ target: field }) => {
  const { dataset, value } = field as HTMLInputElement;
  const { variable } = dataset;
  if (variable !== undefined && call !== null) {
    call = { ...call, values: { ...call.values, [variable]: value } };
    showCall();
  }
});

/** Compiling waits until typing has paused. */
const pauseMs = 150;

function openEditor(editor: HTMLFormElement, workflow: HTMLTextAreaElement): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Another workflow: earlier answers do not apply. */
  const start = (text: string, answers: GivenAnswers = {}) => {
    clearTimeout(timer);
    workflow.value = text;
    call = null;
    update(answers);
  };
  workflow.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => update(given), pauseMs);
  });
  workflow.addEventListener('paste', () => {
    const isAll = workflow.selectionEnd - workflow.selectionStart === workflow.value.length;
    setTimeout(() => start(workflow.value, isAll ? {} : given));
  });
  target?.addEventListener('change', () => update(given));
  find<HTMLSelectElement>('#example')?.addEventListener('change', ({ target: chosen }) => {
    const { value } = chosen as HTMLSelectElement;
    if (!Object.hasOwn(examples, value)) return;
    if (['', ...Object.values(examples)].includes(workflow.value)) start(examples[value] ?? '');
    else say('An example would replace this text. Empty the field first.');
  });
  editor.addEventListener('dragover', (event) => event.preventDefault());
  editor.addEventListener('drop', async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) start(await file.text());
  });
  const take = (work: Work) => {
    link = work.link;
    if (target !== null) target.value = work.target;
    start(work.text, work.answers);
  };
  /** Opens the link in the address, unless what is there came from it. */
  const open = async (kept: Work | null) => {
    const { hash } = location;
    const isNew = isLink(hash) && hash !== (kept?.link ?? link);
    const linked = isNew ? await openLink(hash) : null;
    const work = linked ?? kept;
    if (work !== null) take(work);
    if (isNew && linked === null) say('This link was damaged, or changed. Ask for a new one.');
  };
  addEventListener('hashchange', () => void open(null));
  addEventListener('pagehide', keep);
  void open(keptWork());
}

enliven();
openFleet();
if (editor !== null && workflow !== null) openEditor(editor, workflow);
else if (session !== null) {
  const kept = keptWork();
  if (kept?.text === textNow() && Object.keys(kept.answers).length > 0) update(kept.answers);
}
