/**
 * Asks open questions in a terminal, one after another.
 *
 * Saves each answer before it shows the next question, so stopping loses nothing. Skips questions
 * that an answer or a policy already settles.
 */
import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import {
  type AnswersDocument,
  type RunAnswers,
  withAnswers,
  withPolicy,
} from '../../batch/answers.js';
import { type Asking, isAlike, isSettled, type OpenQuestion } from '../../batch/questions.js';
import { quote, shorten } from '../../diagnostics/quote.js';
import { type Choice, locateAll } from '../../index.js';
import { hanging } from '../../report/check-text.js';
import type { RunAnswer } from '../../report/model.js';
import { escapeControls } from '../../text/escape.js';
import { textOf } from '../../text/json.js';
import { type Option, type Prompts, Stopped } from '../output/prompts.js';
import type { Style } from '../output/terminal.js';
import { askForValue, back } from './value.js';

export interface Session {
  /** All questions that the run left open. */
  readonly questions: readonly OpenQuestion[];
  /** The current content of the answers file. */
  answers(): RunAnswers;
  change(by: (document: AnswersDocument) => AnswersDocument): Promise<void>;
  readonly prompts: Prompts;
  readonly style: Style;
  /** Paths of sources are relative to this folder. */
  readonly cwd: string;
  readonly skipped: OpenQuestion[];
}

/** Returns once every question was answered or skipped; throws `Stopped` if the user stops. */
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
  const options: Option<Action>[] = choices.map((choice) => {
    const marks: string[] = [];
    if (choice.key === given?.choice) marks.push('your answer');
    if (choice.key === proposal) {
      marks.push(
        proposalValue === undefined ? 'proposed' : `proposed: ${quote(textOf(proposalValue))}`,
      );
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

/** The open questions of the same kind. Includes this one even if it is already answered. */
function openOfKind(asked: OpenQuestion, { questions, answers }: Session): readonly OpenQuestion[] {
  return questions.filter(
    (each) =>
      each.question.kind === asked.question.kind && (each === asked || !isSettled(each, answers())),
  );
}

function givenAnswer({ of, question }: OpenQuestion, { answers }: Session): RunAnswer | undefined {
  return answers().workflows.get(of.key)?.get(question.id);
}

/** Gives all the questions the same answer; false if the user goes back to the choices. */
async function answer(
  questions: readonly OpenQuestion[],
  choice: Choice,
  session: Session,
): Promise<boolean> {
  const { kind, proposal, proposalValue } = questions[0]!.question;
  const { key } = choice;
  const given = givenAnswer(questions[0]!, session);
  const initial =
    given?.choice === key ? given.value : key === proposal ? proposalValue : undefined;
  const value = await askForValue(kind, choice, initial, session.prompts);
  if (value === back) return false;
  if (questions.length > 1) {
    const words = quote(JSON.stringify(value));
    const sure = `Answer ${questions.length} questions that have the same choices with ${words}?`;
    if (!(await confirmed(sure, session))) return false;
  }
  const answers = questions.map(({ of, question: { id, subject } }) => {
    const parts = value === undefined ? { choice: key } : { choice: key, value };
    return { key: of.key, id, answer: { ...parts, subject } };
  });
  await session.change((document) => withAnswers(document, answers));
  return true;
}

/** Answers all questions like this at once: with a policy if the choice needs no value. */
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
    withPolicy(withAnswers(document, [{ key: asked.of.key, id, answer: null }]), kind, choice.key),
  );
  return true;
}

function confirmed(message: string, { prompts }: Session): Promise<boolean> {
  return prompts.choose(message, [
    { value: true, label: 'Yes' },
    { value: false, label: 'No, back to the choices' },
  ]);
}

/** The workflow, the places (the first with its line if the source is readable), and the question. */
function questionText({ of, question }: OpenQuestion, count: string, session: Session): string {
  const { prompts, style, cwd } = session;
  const name = of.name === null || of.name === '' ? '' : `${escapeControls(shorten(of.name, 60))} `;
  const head = `${count}${name}${style.dim(`(${escapeControls(of.key)})`)}`;
  const pointers = question.at.slice(0, mostPlaces).map((at) => shorten(at, 120));
  const left = question.at.length - pointers.length;
  const more = left > 0 ? ` and ${left} more` : '';
  const text = sourceText(of, cwd);
  const pointer = question.at[0] ?? '';
  const found = text === null ? undefined : locateAll(text, [pointer]).get(pointer);
  const position = [of.line ?? found?.line, found?.column].filter((it) => it !== undefined);
  const place = [of.source, ...position].join(':');
  const shown = escapeControls(`${place} ${pointers.join(', ')}${more}`.trimEnd());
  const asked = hanging('', question.text, prompts.columns).map(style.bold);
  const lines = [style.bold(style.cyan(head)), `  ${style.dim('-->')} ${shown}`, '', ...asked];
  return ['', ...lines, '', ''].join('\n');
}

const mostPlaces = 4;

/** Larger sources are only named: reading them to find one line would take too long. */
const mostBytes = 64 * 1024 * 1024;

/** The text of a workflow; null if the file cannot be read or is outside this folder. */
function sourceText({ source, line }: Asking, cwd: string): string | null {
  const path = resolve(cwd, source);
  const within = relative(cwd, path);
  if (within.startsWith('..') || isAbsolute(within)) return null;
  try {
    if (statSync(path).size > mostBytes) return null;
    const text = readFileSync(path, 'utf8');
    return line === undefined ? text : (text.split(/\r?\n/)[line - 1] ?? null);
  } catch {
    return null;
  }
}
