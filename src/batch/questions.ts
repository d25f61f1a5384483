/** The open questions in an output folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { redact } from '../compiler/ir/secrets.js';
import { checkAnswerValue, policyFor } from '../diagnostics/answers.js';
import type { Target } from '../index.js';
import type { AskedQuestion, ResultFile, RunAnswer, WorkflowRow } from '../report/model.js';
import { NotASummary, readSummary } from '../report/summaries.js';
import { validateResultFile } from '../schemas/result-file-validator.generated.js';
import { canonicalJson, isObject } from '../text/json.js';
import type { RunAnswers } from './answers.js';
import { keyForm } from './key.js';

/** The workflow of a question. */
export type Asking = Pick<WorkflowRow, 'key' | 'name' | 'source' | 'line'>;

export interface OpenQuestion {
  readonly of: Asking;
  readonly question: AskedQuestion;
  /** The answer that did not settle the question in this run; its secrets are hidden. */
  readonly tried: { readonly answer?: RunAnswer; readonly policy?: RunAnswer };
}

/**
 * Reads the results of all workflows with open questions, and keeps only the questions, in the order
 * of the summary and of each result. Throws `NotASummary` for files that squadc did not write.
 */
export function readOpenQuestions(out: string): {
  readonly target: Target;
  readonly questions: readonly OpenQuestion[];
} {
  const { options, rows } = readSummary(out);
  const isSquad = isObject(options) && options['target'] === 'squad';
  const asking = rows.filter(({ questions }) => Object.keys(questions).length > 0);
  return {
    target: isSquad ? 'squad' : 'vapi',
    questions: asking.flatMap(({ key, name, source, line, folder }) => {
      const of = { key, name, source, ...(line !== undefined && { line }) };
      const result = readResult(out, folder);
      return result.questions.map((question) => ({
        of,
        question,
        tried: triedIn(result, question),
      }));
    }),
  };
}

function readResult(out: string, folder: string): ResultFile {
  if (!keyForm.test(folder)) throw new NotASummary('a folder has an invalid name');
  const text = readFileSync(join(out, folder, 'result.json'), 'utf8');
  try {
    const result: unknown = JSON.parse(text);
    if (validateResultFile(result)) return result as unknown as ResultFile;
  } catch {
    // It is not JSON.
  }
  throw new NotASummary(`${folder}/result.json was not written by squadc`);
}

function triedIn({ answers, policies }: ResultFile, { id, kind }: AskedQuestion) {
  return {
    ...(Object.hasOwn(answers, id) && { answer: answers[id]! }),
    ...(Object.hasOwn(policies, kind) && { policy: policyFor({ policies }, kind)! }),
  };
}

/**
 * Whether the answers settle the question in the next run. An answer that did not settle it in this
 * run will not do so then.
 */
export function isSettled({ of, question, tried }: OpenQuestion, answers: RunAnswers): boolean {
  const single = answers.workflows.get(of.key)?.get(question.id);
  if (single !== undefined) return fits(single, question) && !areAlike(single, tried.answer);
  const { policies } = answers;
  const policy = policyFor({ policies }, question.kind);
  if (policy === null || areAlike(policy, tried.policy)) return false;
  return fits(policy, question);
}

/** Whether the answers are the same without their secrets, which the result does not hold. */
function areAlike(answer: RunAnswer, tried: RunAnswer | undefined): boolean {
  const [one, other] = redact({ answers: [answer, tried ?? null] }).answers;
  return canonicalJson(one) === canonicalJson(other);
}

/** A placeholder that was not filled in fits no question. */
function fits(answer: RunAnswer, { kind, choices, subject }: AskedQuestion): boolean {
  if (answer.subject !== undefined && answer.subject !== subject) return false;
  if (!choices.some(({ key }) => key === answer.choice)) return false;
  return checkAnswerValue(kind, answer.choice, answer.value) === null;
}

/** Whether an answer to one also answers the other: same kind, choices and values. */
export function isAlike(one: AskedQuestion, other: AskedQuestion): boolean {
  return one.kind === other.kind && JSON.stringify(one.choices) === JSON.stringify(other.choices);
}
