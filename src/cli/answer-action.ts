/** What the user may do with a question, and what is known of its answers. */
import { isSettled, type OpenQuestion } from '../batch/questions.js';
import { quote } from '../diagnostics/quote.js';
import type { Choice, Json } from '../index.js';
import type { RunAnswer } from '../report/model.js';
import type { AnswerFile } from './answer-file.js';
import type { Screen } from './answer-screen.js';
import type { Option, Prompts } from './output/prompts.js';

export interface Session {
  /** All that the run left open. */
  readonly questions: readonly OpenQuestion[];
  readonly file: AnswerFile;
  readonly prompts: Prompts;
  readonly screen: Screen;
}

/** What the user wants with a question. */
export type Action = { readonly do: 'choose'; readonly choice: Choice } | { readonly do: Other };
type Other = 'all' | 'skip' | 'back' | 'stop';

export function askForAction(
  asked: OpenQuestion,
  mayGoBack: boolean,
  session: Session,
): Promise<Action> {
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

export function choiceLabel({ label, effect }: Choice, marks: readonly string[]) {
  return { label: marks.length === 0 ? label : `${label} (${marks.join(', ')})`, detail: effect };
}

function proposalWords(value: Json | undefined): string {
  if (value === undefined) return 'proposed';
  return `proposed: ${quote(typeof value === 'string' ? value : JSON.stringify(value))}`;
}

/** The open questions of the same kind, this one among them even where it is answered. */
export function openOfKind(
  asked: OpenQuestion,
  { questions, file }: Session,
): readonly OpenQuestion[] {
  return questions.filter(
    (each) =>
      each.question.kind === asked.question.kind &&
      (each === asked || !isSettled(each, file.answers)),
  );
}

export function givenAnswer(
  { of, question }: OpenQuestion,
  { file }: Session,
): RunAnswer | undefined {
  return file.answers.workflows.get(of.key)?.get(question.id);
}
