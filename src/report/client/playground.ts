/** The script of the playground: what is pasted is compiled at once, here, and answers count at once. */
import { html } from '../html.js';
import { compileLive, findingsMarkdown, type GivenAnswers, type Live } from '../playground/live.js';
import { type CallState, renderCall } from '../playground/walk.js';
import type { GivenAnswer } from './answers-file.js';
import { openLink, writeLink } from './link.js';
import { linkPictures } from './pictures.js';
import { openLiveForm } from './questions-form.js';
import { save } from './save.js';
import { openLedgerFilter, showScripted, unfoldForPrint } from './unfold.js';

const element = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;
const editor = element<HTMLFormElement>('editor');
const workflow = element<HTMLTextAreaElement>('workflow');
const target = element<HTMLSelectElement>('target');
const example = element<HTMLSelectElement>('example');
const walk = element('walk');
const callBox = element('call');
const examples: Readonly<Record<string, string>> = JSON.parse(element('examples').textContent);

/** A person stops typing before it is compiled. */
const pauseMs = 150;

let answers: GivenAnswers = {};
/** What was asked, for the list of answers. */
const asked = new Map<string, string>();
let live: Live | null = null;
let call: CallState = { choices: [], values: {} };
let shown = new AbortController();
let timer: ReturnType<typeof setTimeout> | undefined;

function update(): void {
  clearTimeout(timer);
  const text = workflow.value;
  if (text.trim() === '') {
    clear();
    return;
  }
  const squadc = editor.dataset['version'] ?? '';
  const wanted = target.value === 'squad' || target.value === 'vapi' ? target.value : null;
  live = compileLive({ text, target: wanted, answers, squadc });
  for (const { id, text: question } of live.result.questions) asked.set(id, question);
  shown.abort();
  shown = new AbortController();
  element('outcome').innerHTML = String(live.body);
  document.querySelector('#pictures')?.after(walk);
  showScripted();
  linkPictures(shown.signal);
  openLedgerFilter();
  openLiveForm(takeAnswers);
  showAnswers();
  showFiles(live);
  showCall();
  say(statusOf(live));
}

function clear(): void {
  live = null;
  answers = {};
  element('outcome').replaceChildren();
  showAnswers();
  element('files').replaceChildren();
  say('');
}

function statusOf({ result: { status, questions, stats, diagnostics } }: Live): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  if (status === 'invalid') return `Invalid: ${many(errors, 'error')}, below under Findings.`;
  if (status === 'needs-answers')
    return `${many(questions.length, 'question')} open; the squad below is a draft.`;
  return `Complete and verified: ${many(stats.nodes, 'node')} became ${many(stats.assistants, 'assistant')}.`;
}

function many(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function say(text: string): void {
  element('status').textContent = text;
}

function takeAnswers(given: readonly GivenAnswer[]): void {
  const added = given.map(({ id, choice, value }) => {
    return [id, value === undefined ? { choice } : { choice, value }] as const;
  });
  answers = { ...answers, ...Object.fromEntries(added) };
  update();
  // The form is a new one: where nothing is left to answer, the outcome is next.
  const next = document.querySelector<HTMLElement>('fieldset.question input') ?? workflow;
  next.focus({ preventScroll: next === workflow });
}

function showAnswers(): void {
  const rows = Object.entries(answers).map(
    ([id, { choice }]) => html`<li>
      <bdi>${asked.get(id) ?? id}</bdi> <b><bdi>${choice}</bdi></b>
      <button type="button" data-take-back="${id}">Take back</button>
    </li>`,
  );
  element('answers').innerHTML = rows.join('');
}

function showFiles({ files }: Live): void {
  const buttons = Object.keys(files).map(
    (name) => html`<button type="button" data-file="${name}">Download ${name}</button> `,
  );
  element('files').innerHTML = buttons.join('');
}

function showCall(): void {
  const tracks = live?.tracks ?? null;
  walk.hidden = tracks === null;
  if (tracks !== null) callBox.innerHTML = String(renderCall(tracks, call));
}

async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    say('The browser does not let this page copy.');
  }
}

workflow.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(update, pauseMs);
});
workflow.addEventListener('paste', () => setTimeout(start));
target.addEventListener('change', update);
example.addEventListener('change', () => {
  if (!Object.hasOwn(examples, example.value)) return;
  workflow.value = examples[example.value] ?? '';
  start();
});
editor.addEventListener('submit', (event) => event.preventDefault());
editor.addEventListener('dragover', (event) => event.preventDefault());
editor.addEventListener('drop', async (event) => {
  event.preventDefault();
  const file = event.dataTransfer?.files[0];
  if (file === undefined) return;
  workflow.value = await file.text();
  start();
});
editor.addEventListener('click', ({ target: clicked }) => {
  const { file, takeBack } = (clicked as HTMLElement).dataset;
  if (file !== undefined && live !== null) save(file, live.files[file] ?? '');
  if (takeBack === undefined) return;
  const { [takeBack]: _, ...left } = answers;
  answers = left;
  update();
});
element('copy-findings').addEventListener('click', () => {
  if (live !== null) void copy(findingsMarkdown(live.result), 'Findings');
});
element('copy-link').addEventListener('click', async () => {
  if (live === null) return;
  location.hash = await writeLink(live.result.workflow, target.value, answers);
  await copy(location.href, 'Link');
});
callBox.addEventListener('click', ({ target: clicked }) => {
  const button = (clicked as Element).closest('button');
  const choice = button?.dataset['choice'];
  if (choice !== undefined) call = { ...call, choices: [...call.choices, Number(choice)] };
  else if (button?.dataset['back'] !== undefined)
    call = { ...call, choices: call.choices.slice(0, -1) };
  else return;
  showCall();
  document.querySelector<HTMLElement>('#choices button')?.focus();
});
callBox.addEventListener('change', ({ target: field }) => {
  const { dataset, value } = field as HTMLInputElement;
  const { variable } = dataset;
  if (variable === undefined) return;
  call = { ...call, values: { ...call.values, [variable]: value } };
  const isOpen = element<HTMLDetailsElement>('values').open;
  showCall();
  element<HTMLDetailsElement>('values').open = isOpen;
});

/** Another workflow: answers to the one before say nothing of it. */
function start(): void {
  answers = {};
  call = { choices: [], values: {} };
  update();
}

async function open(): Promise<void> {
  const linked = await openLink(location.hash);
  if (linked === null) return;
  workflow.value = linked.text;
  target.value = linked.target;
  call = { choices: [], values: {} };
  answers = linked.answers;
  update();
}

unfoldForPrint();
addEventListener('hashchange', () => void open());
void open();
