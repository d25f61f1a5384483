/**
 * Asks open questions one after another, on a terminal.
 *
 * Each answer is saved before the next question is shown, so that stopping loses nothing. A question
 * that the answers settle already, by themselves or by a policy, is passed over.
 */
import {
  type AnswersDocument,
  withAnswers,
  withoutAnswer,
  withPolicy,
} from '../../batch/answers.js';
import { isAlike, isSettled, type OpenQuestion } from '../../batch/questions.js';
import { quote } from '../../diagnostics/quote.js';
import type { Choice, Json } from '../../index.js';
import type { RunAnswer } from '../../report/model.js';
import { type Option, type Prompts, Stopped } from '../output/prompts.js';
import type { AnswerFile } from './file.js';
import { type Screen, showQuestion } from './screen.js';
import { askForValue, back } from './value.js';

export interface Session {
  /** All that the run left open. */
  readonly questions: readonly OpenQuestion[];
  readonly file: AnswerFile;
  readonly prompts: Prompts;
  readonly screen: Screen;
}

/** Ends when no question is left, or when the user stops; returns the questions that were skipped. */
export async function askAll(session: Session): Promise<readonly OpenQuestion[]> {
  const { questions, file } = session;
  const skipped: OpenQuestion[] = [];
  const asking = questions.filter((each) => !isSettled(each, file.answers));
  const before: number[] = [];
  try {
    for (let at = 0; at < asking.length; ) {
      const moved = await askOne(asking, at, before.length > 0, session);
      if (moved === 'back') {
        at = before.pop() ?? 0;
        continue;
      }
      if (moved === 'skipped') skipped.push(asking[at]!);
      before.push(at);
      at = nextOpen(asking, at, session);
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
  }
  return skipped;
}

function nextOpen(asking: readonly OpenQuestion[], at: number, { file }: Session): number {
  const next = asking.findIndex((each, index) => index > at && !isSettled(each, file.answers));
  return next === -1 ? asking.length : next;
}

async function askOne(
  asking: readonly OpenQuestion[],
  at: number,
  mayGoBack: boolean,
  session: Session,
): Promise<'back' | 'skipped' | 'answered'> {
  const { prompts, screen } = session;
  const asked = asking[at]!;
  prompts.write(await showQuestion(asked, at + 1, asking.length, screen));
  for (;;) {
    const action = await askForAction(asked, mayGoBack, session);
    if (action.do === 'stop') throw new Stopped();
    if (action.do === 'back') return 'back';
    if (action.do === 'skip') return 'skipped';
    const done =
      action.do === 'choose'
        ? await answerOne(asked, action.choice, session)
        : await answerAll(asked, session);
    if (done) return 'answered';
  }
}

/** What the user wants with a question. */
type Action = { readonly do: 'choose'; readonly choice: Choice } | { readonly do: Other };
type Other = 'all' | 'skip' | 'back' | 'stop';

function askForAction(asked: OpenQuestion, mayGoBack: boolean, session: Session): Promise<Action> {
  const { question } = asked;
  const given = givenAnswer(asked, session);
  const alike = openOfKind(asked, session).length;
  const choices = question.choices.map((choice): Option<Action> => {
    const marks = [
      ...(choice.key === given?.choice ? ['your answer'] : []),
      ...(choice.key === question.proposal ? [proposalWords(question.proposalValue)] : []),
    ];
    return { value: { do: 'choose', choice }, ...choiceLabel(choice, marks) };
  });
  const preset = given?.choice ?? question.proposal;
  const initial = choices[question.choices.findIndex(({ key }) => key === preset)]?.value;
  return session.prompts.choose<Action>(
    'What shall be done?',
    [
      ...choices,
      ...(alike > 1 ? [other('all', `For all ${alike} like this …`)] : []),
      other('skip', given === undefined ? 'Skip this question' : 'Leave the answer as it is'),
      ...(mayGoBack ? [other('back', 'Back to the question before')] : []),
      other('stop', 'Stop here; what was answered is saved'),
    ],
    initial,
  );
}

function other(action: Other, label: string): Option<Action> {
  return { value: { do: action }, label };
}

function choiceLabel({ label, effect }: Choice, marks: readonly string[]) {
  return { label: marks.length === 0 ? label : `${label} (${marks.join(', ')})`, detail: effect };
}

function proposalWords(value: Json | undefined): string {
  if (value === undefined) return 'proposed';
  return `proposed: ${quote(typeof value === 'string' ? value : JSON.stringify(value))}`;
}

/** The open questions of the same kind, this one among them even where it is answered. */
function openOfKind(asked: OpenQuestion, { questions, file }: Session): readonly OpenQuestion[] {
  return questions.filter(
    (each) =>
      each.question.kind === asked.question.kind &&
      (each === asked || !isSettled(each, file.answers)),
  );
}

function givenAnswer({ of, question }: OpenQuestion, { file }: Session): RunAnswer | undefined {
  return file.answers.workflows.get(of.key)?.get(question.id);
}

/** Answers one question; false where the user goes back to its choices. */
async function answerOne(asked: OpenQuestion, choice: Choice, session: Session): Promise<boolean> {
  const answer = await askForAnswer(asked, choice, session);
  if (answer === back) return false;
  await session.file.change((document) => answered(document, [asked], answer));
  return true;
}

async function askForAnswer(
  asked: OpenQuestion,
  choice: Choice,
  session: Session,
): Promise<RunAnswer | typeof back> {
  const { kind, proposal, proposalValue } = asked.question;
  const given = givenAnswer(asked, session);
  const proposed = choice.key === proposal ? proposalValue : undefined;
  const initial = given?.choice === choice.key ? given.value : proposed;
  const value = await askForValue(kind, choice, initial, session.prompts);
  if (value === back) return back;
  return value === undefined ? { choice: choice.key } : { choice: choice.key, value };
}

/** One answer for all questions like this: a policy where the choice needs no value. */
async function answerAll(asked: OpenQuestion, session: Session): Promise<boolean> {
  const { question } = asked;
  const choice = await session.prompts.choose<Choice | typeof back>('Which answer shall all get?', [
    ...question.choices.map((each) => ({ value: each, ...choiceLabel(each, []) })),
    { value: back, label: 'Back to the choices' },
  ]);
  if (choice === back) return false;
  return choice.value === undefined
    ? writePolicy(asked, choice, session)
    : writeForAlike(asked, choice, session);
}

async function writePolicy(asked: OpenQuestion, choice: Choice, session: Session) {
  const { of, question } = asked;
  const many = openOfKind(asked, session).filter(({ question: { choices } }) =>
    choices.some(({ key, value }) => key === choice.key && value === undefined),
  ).length;
  const sure = await confirmed(
    `Answer ${many} questions with ${quote(choice.label)}? It becomes the policy for the kind ` +
      `${question.kind}, which later runs follow, too.`,
    session,
  );
  if (!sure) return false;
  await session.file.change((document) =>
    withPolicy(withoutAnswer(document, of.key, question.id), question.kind, choice.key),
  );
  return true;
}

async function writeForAlike(asked: OpenQuestion, choice: Choice, session: Session) {
  const alike = openOfKind(asked, session).filter(({ question }) =>
    isAlike(question, asked.question),
  );
  const answer = await askForAnswer(asked, choice, session);
  if (answer === back) return false;
  const value = quote(JSON.stringify(answer.value));
  const words = `Answer ${alike.length} questions that have the same choices with ${value}?`;
  if (!(await confirmed(words, session))) return false;
  await session.file.change((document) => answered(document, alike, answer));
  return true;
}

function confirmed(message: string, { prompts }: Session): Promise<boolean> {
  return prompts.choose(message, [
    { value: true, label: 'Yes' },
    { value: false, label: 'No, back to the choices' },
  ]);
}

function answered(
  document: AnswersDocument,
  questions: readonly OpenQuestion[],
  answer: RunAnswer,
): AnswersDocument {
  return withAnswers(
    document,
    questions.map(({ of: { key }, question: { id, subject } }) => {
      return { key, id, answer: { ...answer, subject } };
    }),
  );
}
