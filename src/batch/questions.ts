/** The open questions in an output folder. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../compiler/ir/json.js';
import { hidden } from '../compiler/ir/secrets.js';
import { checkAnswerValue, needsValue } from '../diagnostics/questions.js';
import type { Choice, Target } from '../index.js';
import type { AskedQuestion, ResultFile, RunAnswer, WorkflowRow } from '../report/model.js';
import { readSummary } from '../report/read-summary.js';
import { validateResultFile } from '../schemas/validators.generated.js';
import type { RunAnswers } from './answers.js';
import { keyForm } from './key.js';
import { canonicalJson } from './values.js';

/** The workflow of a question. */
export type Asking = Pick<WorkflowRow, 'key' | 'name' | 'source' | 'line'>;

export interface OpenQuestion {
  readonly of: Asking;
  readonly question: AskedQuestion;
  /** The answer that did not settle the question in this run; its secrets are hidden. */
  readonly tried: { readonly answer?: RunAnswer; readonly policy?: string };
}

export interface OpenQuestions {
  readonly target: Target;
  /** In the order of the summary and of each result. */
  readonly questions: readonly OpenQuestion[];
}

/** A result that squadc did not write. */
class NotAResult extends Error {
  override readonly name = 'NotAResult';
}

/**
 * Reads the results of all workflows with open questions.
 *
 * Keeps only the questions, and equal choices only once, so that 100,000 results fit into memory.
 */
export function readOpenQuestions(out: string): OpenQuestions {
  const { options, rows } = readSummary(out);
  const known = new Map<string, readonly Choice[]>();
  const shared = (choices: readonly Choice[]): readonly Choice[] => {
    const text = JSON.stringify(choices);
    if (!known.has(text)) known.set(text, choices);
    return known.get(text) ?? choices;
  };
  const questions: OpenQuestion[] = [];
  for (const row of rows) {
    if (Object.keys(row.questions).length === 0) continue;
    const { key, name, source, line } = row;
    const of = { key, name, source, ...(line !== undefined && { line }) };
    const result = readResult(out, row.folder);
    for (const question of result.questions) {
      const choices = shared(question.choices);
      questions.push({ of, question: { ...question, choices }, tried: triedIn(result, question) });
    }
  }
  const isSquad = isJsonObject(options) && options['target'] === 'squad';
  return { target: isSquad ? 'squad' : 'vapi', questions };
}

function readResult(out: string, folder: string): ResultFile {
  if (!keyForm.test(folder)) throw new NotAResult('a folder has an invalid name');
  const text = readFileSync(join(out, folder, 'result.json'), 'utf8');
  try {
    const result: unknown = JSON.parse(text);
    if (validateResultFile(result)) return result as unknown as ResultFile;
  } catch {
    // It is not JSON.
  }
  throw new NotAResult(`${folder}/result.json was not written by squadc`);
}

function triedIn({ answers, policies }: ResultFile, { id, kind }: AskedQuestion) {
  return {
    ...(Object.hasOwn(answers, id) && { answer: answers[id]! }),
    ...(Object.hasOwn(policies, kind) && { policy: policies[kind]! }),
  };
}

/**
 * Whether the answers settle the question in the next run. An answer that did not settle it in this
 * run will not do so then.
 */
export function isSettled({ of, question, tried }: OpenQuestion, answers: RunAnswers): boolean {
  const single = answers.workflows.get(of.key)?.get(question.id);
  if (single !== undefined) {
    return fits(single, question) && (tried.answer === undefined || !couldBe(tried.answer, single));
  }
  const { policies } = answers;
  if (!Object.hasOwn(policies, question.kind)) return false;
  const policy = policies[question.kind];
  if (policy === tried.policy) return false;
  return question.choices.some(({ key, value }) => key === policy && value === undefined);
}

/** Whether an answer with hidden parts could be this one: a hidden part matches any text. */
function couldBe(redacted: RunAnswer, whole: RunAnswer): boolean {
  const text = canonicalJson(whole);
  let at = 0;
  const parts = canonicalJson(redacted).split(hidden);
  const last = parts.length - 1;
  return parts.every((part, index) => {
    const found = index === last ? text.length - part.length : text.indexOf(part, at);
    const isThere = found >= at && text.startsWith(part, found) && (index > 0 || found === 0);
    at = found + part.length;
    return isThere;
  });
}

/** A placeholder that was not filled in fits no question. */
function fits(answer: RunAnswer, { kind, choices, subject }: AskedQuestion): boolean {
  if (answer.subject !== undefined && answer.subject !== subject) return false;
  if (!choices.some(({ key }) => key === answer.choice)) return false;
  if (!needsValue(kind, answer.choice)) return answer.value === undefined || answer.value === null;
  return checkAnswerValue(kind, answer.choice, answer.value) === null;
}

/** Whether an answer to one also answers the other: same kind, choices and values. */
export function isAlike(one: AskedQuestion, other: AskedQuestion): boolean {
  if (one.kind !== other.kind) return false;
  if (one.choices === other.choices) return true;
  return canonicalJson(one.choices) === canonicalJson(other.choices);
}
