/**
 * Asks open questions one after another, on a terminal.
 *
 * Each answer is saved before the next question is shown, so that stopping loses nothing. A question
 * that the answers settle already, by themselves or by a policy, is passed over.
 */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import {
  type AnswersDocument,
  type RunAnswers,
  withAnswers,
  withoutAnswer,
  withPolicy,
} from '../../batch/answers.js';
import { type Asking, isAlike, isSettled, type OpenQuestion } from '../../batch/questions.js';
import { excerpt } from '../../diagnostics/excerpt.js';
import { escapeControls, quote, shorten } from '../../diagnostics/quote.js';
import { type Choice, locateAll } from '../../index.js';
import type { RunAnswer } from '../../report/model.js';
import { type Option, type Prompts, Stopped } from '../output/prompts.js';
import { hanging, type Style } from '../output/terminal.js';
import { askForValue, back } from './value.js';

export interface Session {
  /** All that the run left open. */
  readonly questions: readonly OpenQuestion[];
  /** What stands in the answers file now. */
  answers(): RunAnswers;
  /** Changes the file. */
  change(by: (document: AnswersDocument) => AnswersDocument): Promise<void>;
  readonly prompts: Prompts;
  readonly style: Style;
  /** Folder that sources are named from. */
  readonly cwd: string;
  /** The questions that were skipped are put here. */
  readonly skipped: OpenQuestion[];
}

/** Ends when no open questions; throws `Stopped` where the user stops. */
export async function askAll(session: Session): Promise<void> {
  const isOpen = (each: OpenQuestion) => !isSettled(each, session.answers());
  const asking = session.questions.filter(isOpen);
  const before: number[] = [];
  for (let at = 0; at !== -1 && at < asking.length; ) {
    const asked = asking[at]!;
    const count = `Question ${at + 1} of ${asking.length}: `;
    session.prompts.write(questionText(asked, count, session));
    const moved = await askOne(asked, before.length > 0, session);
    if (moved === 'back') {
      at = before.pop() ?? 0;
      continue;
    }
    if (moved === 'skip') session.skipped.push(asked);
    before.push(at);
    at = asking.findIndex((each, index) => index > at && isOpen(each));
  }
}

/** What the user wants with a question: a choice for it, or something else. */
type Action = Choice | 'all' | 'skip' | 'back' | 'stop';

async function askOne(
  asked: OpenQuestion,
  mayGoBack: boolean,
  session: Session,
): Promise<'answered' | 'back' | 'skip'> {
  for (;;) {
    const action = await askForAction(asked, mayGoBack, session);
    if (action === 'stop') throw new Stopped();
    if (action === 'back' || action === 'skip') return action;
    const isDone =
      action === 'all' ? await answerAll(asked, session) : await answer([asked], action, session);
    if (isDone) return 'answered';
  }
}

function askForAction(asked: OpenQuestion, mayGoBack: boolean, session: Session): Promise<Action> {
  const { choices, proposal, proposalValue } = asked.question;
  const given = givenAnswer(asked, session);
  const alike = openOfKind(asked, session).length;
  const value = typeof proposalValue === 'string' ? proposalValue : JSON.stringify(proposalValue);
  const options: Option<Action>[] = choices.map((choice) => {
    const marks: string[] = [];
    if (choice.key === given?.choice) marks.push('your answer');
    if (choice.key === proposal) {
      marks.push(proposalValue === undefined ? 'proposed' : `proposed: ${quote(value)}`);
    }
    const label = marks.length === 0 ? choice.label : `${choice.label} (${marks.join(', ')})`;
    return { value: choice, label, detail: choice.effect };
  });
  if (alike > 1) options.push({ value: 'all', label: `For all ${alike} like this …` });
  const skip = given === undefined ? 'Skip this question' : 'Keep the answer as it is';
  options.push({ value: 'skip', label: skip });
  if (mayGoBack) options.push({ value: 'back', label: 'Back to the previous question' });
  options.push({ value: 'stop', label: 'Stop here (answers so far are saved)' });
  const preset = choices.find(({ key }) => key === (given?.choice ?? proposal));
  return session.prompts.choose<Action>('What should happen?', options, preset);
}

/** The open questions of the same kind, this one among them even where it is answered. */
function openOfKind(asked: OpenQuestion, { questions, answers }: Session): readonly OpenQuestion[] {
  return questions.filter(
    (each) =>
      each.question.kind === asked.question.kind && (each === asked || !isSettled(each, answers())),
  );
}

function givenAnswer({ of, question }: OpenQuestion, { answers }: Session): RunAnswer | undefined {
  return answers().workflows.get(of.key)?.get(question.id);
}

/** Gives the questions one answer; false where the user goes back to the choices. */
async function answer(
  questions: readonly OpenQuestion[],
  { key: choice, ...others }: Choice,
  session: Session,
): Promise<boolean> {
  const { kind, proposal, proposalValue } = questions[0]!.question;
  const given = givenAnswer(questions[0]!, session);
  const proposed = choice === proposal ? proposalValue : undefined;
  const initial = given?.choice === choice ? given.value : proposed;
  const { prompts } = session;
  const value = await askForValue(kind, { key: choice, ...others }, initial, prompts);
  if (value === back) return false;
  if (questions.length > 1) {
    const words = quote(JSON.stringify(value));
    const sure = `Answer ${questions.length} questions that have the same choices with ${words}?`;
    if (!(await confirmed(sure, session))) return false;
  }
  const answers = questions.map(({ of, question: { id, subject } }) => {
    const parts = value === undefined ? { choice } : { choice, value };
    return { key: of.key, id, answer: { ...parts, subject } };
  });
  await session.change((document) => withAnswers(document, answers));
  return true;
}

/** One answer for all questions like this: a policy where the choice needs no value. */
async function answerAll(asked: OpenQuestion, session: Session): Promise<boolean> {
  const { kind, id, choices } = asked.question;
  const options: Option<Choice | typeof back>[] = choices.map((choice) => {
    return { value: choice, label: choice.label, detail: choice.effect };
  });
  options.push({ value: back, label: 'Back to the choices' });
  const choice = await session.prompts.choose('Which answer should all of them get?', options);
  if (choice === back) return false;
  const all = openOfKind(asked, session);
  if (choice.value !== undefined) {
    const alike = all.filter(({ question }) => isAlike(question, asked.question));
    return answer(alike, choice, session);
  }
  const fit = all.filter(({ question }) =>
    question.choices.some(({ key, value }) => key === choice.key && value === undefined),
  );
  const sure =
    `Answer ${fit.length} questions with ${quote(choice.label)}? This becomes the policy for the ` +
    `kind ${kind}, which later runs use as well.`;
  if (!(await confirmed(sure, session))) return false;
  await session.change((document) =>
    withPolicy(withoutAnswer(document, asked.of.key, id), kind, choice.key),
  );
  return true;
}

function confirmed(message: string, { prompts }: Session): Promise<boolean> {
  return prompts.choose(message, [
    { value: true, label: 'Yes' },
    { value: false, label: 'No, back to the choices' },
  ]);
}

/** Its workflow, its first place with the line where the source can still be read, its text. */
function questionText({ of, question }: OpenQuestion, count: string, session: Session): string {
  const { prompts, style, cwd } = session;
  const { columns } = prompts;
  const name = of.name === null || of.name === '' ? '' : `${escapeControls(shorten(of.name, 60))} `;
  const head = `${count}${name}${style.dim(`(${escapeControls(of.key)})`)}`;
  const [first = '', ...others] = question.at.map((at) =>
    escapeControls(shorten(at === '' ? 'the whole workflow' : at, 120)),
  );
  const more = others.slice(0, mostPlaces).map((at) => `      ${at}`);
  if (others.length > more.length) more.push(`      and ${others.length - more.length} more`);
  const text = sourceText(of, cwd);
  const pointer = question.at[0] ?? '';
  const found = text === null ? undefined : locateAll(text, [pointer]).get(pointer);
  const line = of.line ?? found?.line;
  const column = found === undefined ? '' : `:${found.column}`;
  const place = `${escapeControls(of.source)}${line === undefined ? '' : `:${line}`}${column}`;
  const lines = [`  ${style.dim('-->')} ${place} ${first}`, ...more];
  if (text !== null && found !== undefined) {
    const gutter = ' '.repeat(String(line).length);
    const bar = style.dim('|');
    const shown = excerpt({ text, ...found }, columns - gutter.length - 4);
    lines.push(` ${style.dim(String(line))} ${bar} ${shown.line}`);
    lines.push(` ${gutter} ${bar} ${style.cyan(shown.mark)}`);
  }
  const asked = hanging('', question.text, columns).map(style.bold);
  return ['', style.bold(style.cyan(head)), ...lines, '', ...asked, '', ''].join('\n');
}

const mostPlaces = 3;

/** Larger files are named, and not read for the sake of one line. */
const mostBytes = 64 * 1024 * 1024;

/** The text of a workflow; null where it is not where the run found it, or not below this folder. */
function sourceText({ source, line }: Asking, cwd: string): string | null {
  const path = resolve(cwd, source);
  const within = relative(cwd, path);
  if (within.startsWith('..') || isAbsolute(within)) return null;
  try {
    const { size } = statSync(path);
    if (size > mostBytes) return null;
    const text = readFileSync(path, 'utf8');
    return line === undefined ? text : (text.split(/\r?\n/)[line - 1] ?? null);
  } catch {
    return null;
  }
}
