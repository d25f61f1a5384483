/**
 * The human's answers: their shape, and what they decide.
 *
 * In: the answers as they were given, and inquiries as the phases make them. Out: for every inquiry
 * what is to be done, the questions that stay open, and what is wrong with the answers. An answer
 * that does not fit is an error and leaves its question open; a single answer wins over a policy; a
 * policy answers where it can.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import {
  checkAnswerValue,
  choicesOf,
  needsValue,
  questionKinds,
} from '../../diagnostics/questions.js';
import { faultInWords, soleFaults } from '../../diagnostics/schema-fault.js';
import { validateAnswers } from '../../schemas/validators.generated.js';
import { readJson } from '../1-read/copy-json.js';
import { pointer } from '../ir/ids.js';
import type { Decide, Decision, Inquiry } from '../ir/inquiry.js';
import type { Json } from '../ir/json.js';
import { findNearest } from '../ir/names.js';
import type { Answer, Answers, Target } from '../ir/options.js';
import type { Diagnostic, Question } from '../ir/result.js';

/** All that is told here is about the answers. */
const inAnswers = { in: 'answers' } as const;

/** Reads answers of unknown shape; those of another shape count for nothing. */
export function readAnswers(input: unknown, target: Target) {
  if (input === undefined) return { answers: {}, diagnostics: [] };
  const { value, faults: ofText } = readJson(input);
  const faults = ofText.map(({ at, code }) => ({ at, problem: code.replace('shape/', '') }));
  if (faults.length === 0 && !validateAnswers(value)) {
    for (const fault of soleFaults(validateAnswers.errors ?? [])) {
      faults.push({ at: fault.instancePath, problem: faultInWords([fault], undefined, 'they') });
    }
  }
  if (faults.length > 0) {
    const told = faults.map(({ at, problem }) =>
      diagnose('api/answer-shape', at, { problem }, inAnswers),
    );
    return { answers: {}, diagnostics: told };
  }
  const answers = value as Answers;
  const policies = Object.entries(answers.policies ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const told = policies.flatMap(([kind, choice]) => faultOfPolicy(kind, choice, target) ?? []);
  return { answers, diagnostics: told };
}

function faultOfPolicy(kind: string, choice: string, target: Target): Diagnostic | null {
  const at = pointer('policies', kind);
  const kinds = questionKinds();
  const known = kinds.find((it) => it === kind);
  if (known === undefined) {
    const near = findNearest(kind, kinds);
    return diagnose('api/policy-kind', at, { kind, kinds, near }, inAnswers);
  }
  const choices = choicesOf(known, target);
  if (!choices.includes(choice)) {
    return diagnose('api/policy-choice', at, { kind, choice, choices }, inAnswers);
  }
  if (!needsValue(known, choice)) return null;
  return diagnose('api/policy-needs-value', at, { kind, choice }, inAnswers);
}

/** The questions of one compilation: what was asked, what is open, what was wrong with answers. */
export interface Dialogue {
  readonly decide: Decide;
  readonly asked: ReadonlySet<string>;
  readonly open: readonly Question[];
  /** What was assumed for the open questions, by their ids. */
  readonly assumed: ReadonlyMap<string, Answer>;
  readonly diagnostics: readonly Diagnostic[];
}

export function openDialogue(answers: Answers): Dialogue {
  const asked = new Set<string>();
  const open: Question[] = [];
  const assumed = new Map<string, Answer>();
  const diagnostics: Diagnostic[] = [];
  const decideOne = (inquiry: Inquiry): Decision => {
    const { id } = inquiry.question;
    asked.add(id);
    const answer = answerTo(inquiry, answers, diagnostics);
    if (answer === null) {
      open.push(inquiry.question);
      assumed.set(id, assumptionOf(inquiry));
    }
    const { choice, value = null } = answer ?? assumptionOf(inquiry);
    return { inquiry, choice, value, by: answer === null ? 'assumption' : 'answer' };
  };
  return { decide: (inquiries) => inquiries.map(decideOne), asked, open, assumed, diagnostics };
}

/** Answers to questions that were not asked. */
export function findStaleAnswers({ answers = {} }: Answers, asked: ReadonlySet<string>) {
  const stale = Object.keys(answers).filter((id) => !asked.has(id));
  return stale.sort().map((id) => {
    return diagnose('api/stale-answer', pointer('answers', id), { question: id }, inAnswers);
  });
}

function assumptionOf({ question: { proposal, proposalValue }, assumed }: Inquiry): Answer {
  if (proposal === null) return assumed;
  return { choice: proposal, ...(proposalValue !== undefined && { value: proposalValue }) };
}

/** The answer that fits; null where there is none, or it is told what speaks against it. */
function answerTo(
  inquiry: Inquiry,
  { answers = {}, policies = {} }: Answers,
  diagnostics: Diagnostic[],
): Answer | null {
  const { id, kind, choices } = inquiry.question;
  const keys = choices.map(({ key }) => key);
  if (!Object.hasOwn(answers, id)) {
    const choice = Object.hasOwn(policies, kind) ? policies[kind]! : null;
    const fits = choice !== null && keys.includes(choice) && !problemOf(inquiry, { choice });
    return fits ? { choice } : null;
  }
  const answer = answers[id]!;
  const { choice } = answer;
  const at = pointer('answers', id);
  if (!keys.includes(choice)) {
    const args = { question: id, choice, choices: keys };
    diagnostics.push(diagnose('api/answer-choice', `${at}/choice`, args, inAnswers));
    return null;
  }
  const problem = problemOf(inquiry, answer);
  if (problem === null) return answer;
  const args = { question: id, choice, problem };
  diagnostics.push(diagnose('api/answer-value', at, args, inAnswers));
  return null;
}

/** What speaks against an answer whose choice is offered, in words. */
function problemOf({ question, allowed, objection }: Inquiry, answer: Answer): string | null {
  const { choice, value = null } = answer;
  if (needsValue(question.kind, choice)) {
    const misfit = checkAnswerValue(question.kind, choice, answer.value);
    if (misfit !== null) return misfit;
    const fitting = allowed?.get(choice);
    const names = fitting === undefined ? [] : ([value].flat(2) as readonly Json[]);
    const foreign = names.find((name) => typeof name !== 'string' || !fitting!.has(name));
    if (foreign !== undefined) {
      return `${JSON.stringify(foreign)} is not one of those that the question offers`;
    }
  } else if (value !== null) return 'this choice takes no value';
  return objection?.(choice, value) ?? null;
}
