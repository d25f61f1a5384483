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
export function readAnswers(
  input: unknown,
  target: Target,
): { readonly answers: Answers; readonly diagnostics: readonly Diagnostic[] } {
  if (input === undefined) return { answers: {}, diagnostics: [] };
  const read = readJson(input);
  const faults =
    'faults' in read
      ? read.faults.map(({ at, code }) => ({ at, problem: code.replace('shape/', '') }))
      : [];
  if ('value' in read && !validateAnswers(read.value)) {
    for (const fault of soleFaults(validateAnswers.errors ?? [])) {
      const problem = faultInWords([fault], undefined, 'they');
      faults.push({ at: fault.instancePath, problem });
    }
  }
  if (faults.length > 0 || 'faults' in read) {
    const told = faults.map(({ at, problem }) =>
      diagnose('api/answer-shape', at, { problem }, inAnswers),
    );
    return { answers: {}, diagnostics: told };
  }
  const answers = read.value as Answers;
  const policies = Object.entries(answers.policies ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const diagnostics = policies.flatMap(([kind, choice]) => {
    return faultOfPolicy(kind, choice, target) ?? [];
  });
  return { answers, diagnostics };
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
export function findStaleAnswers(
  { answers = {} }: Answers,
  asked: ReadonlySet<string>,
): Diagnostic[] {
  const stale = Object.keys(answers).filter((id) => !asked.has(id));
  return stale.sort().map((id) => {
    return diagnose('api/stale-answer', pointer('answers', id), { question: id }, inAnswers);
  });
}

function assumptionOf({ question: { proposal, proposalValue }, assumed }: Inquiry): Answer {
  if (proposal === null) return assumed;
  return { choice: proposal, ...(proposalValue !== undefined && { value: proposalValue }) };
}

function answerTo(
  inquiry: Inquiry,
  { answers = {}, policies = {} }: Answers,
  diagnostics: Diagnostic[],
): Answer | null {
  const { id, kind, choices } = inquiry.question;
  if (Object.hasOwn(answers, id)) {
    const fault = findFault(inquiry, answers[id]!);
    if (fault !== null) diagnostics.push(fault);
    return fault === null ? answers[id]! : null;
  }
  const policy = Object.hasOwn(policies, kind) ? policies[kind]! : null;
  if (policy === null || !choices.some(({ key }) => key === policy)) return null;
  return problemOf(inquiry, { choice: policy }) === null ? { choice: policy } : null;
}

function findFault(inquiry: Inquiry, answer: Answer): Diagnostic | null {
  const { id, choices } = inquiry.question;
  const { choice } = answer;
  const at = pointer('answers', id);
  const keys = choices.map(({ key }) => key);
  if (!keys.includes(choice)) {
    const args = { question: id, choice, choices: keys };
    return diagnose('api/answer-choice', `${at}/choice`, args, inAnswers);
  }
  const problem = problemOf(inquiry, answer);
  if (problem === null) return null;
  return diagnose('api/answer-value', at, { question: id, choice, problem }, inAnswers);
}

/** What speaks against an answer whose choice is offered, in words. */
function problemOf(inquiry: Inquiry, { choice, value }: Answer): string | null {
  const { kind } = inquiry.question;
  const ofForm = needsValue(kind, choice)
    ? (checkAnswerValue(kind, choice, value) ?? findForeign(inquiry, choice, value ?? null))
    : (value ?? null) === null
      ? null
      : 'this choice takes no value';
  return ofForm ?? inquiry.objection?.(choice, value ?? null) ?? null;
}

/** A name in the value that the question does not offer. */
function findForeign({ allowed }: Inquiry, choice: string, value: Json): string | null {
  const fitting = allowed.get(choice);
  if (fitting === undefined) return null;
  const names = [value].flat(2) as readonly Json[];
  const foreign = names.find((name) => typeof name !== 'string' || !fitting.has(name));
  if (foreign === undefined) return null;
  return `${JSON.stringify(foreign)} is not one of those that the question offers`;
}
