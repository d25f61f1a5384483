/**
 * Asks open questions one after another, on a terminal.
 *
 * Each answer is saved before the next question is shown, so that stopping loses nothing. A question
 * that the answers settle already, by themselves or by a policy, is passed over.
 */
import { isSettled, type OpenQuestion } from '../batch/questions.js';
import { askForAction, type Session } from './answer-action.js';
import { showQuestion } from './answer-screen.js';
import { answerAll, answerOne } from './answer-writing.js';
import { Stopped } from './output/prompts.js';

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
