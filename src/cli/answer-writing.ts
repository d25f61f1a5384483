/** Writes the answer that was chosen: to one question, or to all like it. */
import { type AnswersDocument, withAnswers, withoutAnswer, withPolicy } from '../batch/answers.js';
import { isAlike, type OpenQuestion } from '../batch/questions.js';
import { quote } from '../diagnostics/quote.js';
import type { Choice } from '../index.js';
import type { RunAnswer } from '../report/model.js';
import { choiceLabel, givenAnswer, openOfKind, type Session } from './answer-action.js';
import { askForValue, back } from './answer-value.js';

/** Answers one question; false where the user goes back to its choices. */
export async function answerOne(
  asked: OpenQuestion,
  choice: Choice,
  session: Session,
): Promise<boolean> {
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
export async function answerAll(asked: OpenQuestion, session: Session): Promise<boolean> {
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
