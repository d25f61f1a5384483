/**
 * Questions and answers → decisions.
 *
 * In: what is asked, and the answers of the human. Out: for every inquiry what is to be done, the
 * questions that stay open, and what is wrong with the answers. An answer that does not fit is an
 * error and leaves its question open; a single answer wins over a policy.
 */
import { diagnose } from '../../diagnostics/diagnose.js';
import { checkAnswerValue, needsValue } from '../../diagnostics/questions.js';
import type { Answer, Answers } from '../ir/answers.js';
import { pointer } from '../ir/ids.js';
import type { Decide, Decision, Inquiry } from '../ir/inquiry.js';
import type { Json } from '../ir/json.js';
import type { Diagnostic, Question } from '../ir/result.js';

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
    asked.add(inquiry.question.id);
    const answer = answerTo(inquiry, answers, diagnostics);
    if (answer !== null) return decided(inquiry, answer, 'answer');
    const assumption = assumedAnswer(inquiry);
    open.push(inquiry.question);
    assumed.set(inquiry.question.id, assumption);
    return decided(inquiry, assumption, 'assumption');
  };
  return { decide: (inquiries) => inquiries.map(decideOne), asked, open, assumed, diagnostics };
}

function decided(inquiry: Inquiry, { choice, value }: Answer, by: Decision['by']): Decision {
  return { inquiry, choice, value: value ?? null, by };
}

function answerTo(
  inquiry: Inquiry,
  { answers = {}, policies = {} }: Answers,
  diagnostics: Diagnostic[],
): Answer | null {
  const { id, kind, choices } = inquiry.question;
  const single = Object.hasOwn(answers, id) ? answers[id] : undefined;
  if (single !== undefined) {
    const fault = findFault(inquiry, single);
    if (fault === null) return single;
    diagnostics.push(fault);
    return null;
  }
  const policy = Object.hasOwn(policies, kind) ? policies[kind] : undefined;
  if (policy === undefined || needsValue(kind, policy)) return null;
  if (!choices.some(({ key }) => key === policy)) return null;
  // A policy answers where it can; where it cannot, the question stays open.
  return (inquiry.objection?.(policy, null) ?? null) === null ? { choice: policy } : null;
}

function findFault(inquiry: Inquiry, answer: Answer): Diagnostic | null {
  const { id, kind, choices } = inquiry.question;
  const { choice, value } = answer;
  const at = pointer('answers', id);
  const keys = choices.map(({ key }) => key);
  if (!keys.includes(choice)) {
    const args = { question: id, choice, choices: keys };
    return diagnose('api/answer-choice', `${at}/choice`, args, { in: 'answers' });
  }
  const problem = needsValue(kind, choice)
    ? (checkAnswerValue(kind, choice, value) ??
      findForeign(inquiry, choice, value ?? null) ??
      inquiry.objection?.(choice, value ?? null) ??
      null)
    : value !== undefined && value !== null
      ? 'this choice takes no value'
      : (inquiry.objection?.(choice, null) ?? null);
  if (problem === null) return null;
  return diagnose('api/answer-value', at, { question: id, choice, problem }, { in: 'answers' });
}

/** Names in the value that the question does not offer. */
function findForeign({ allowed }: Inquiry, choice: string, value: Json): string | null {
  const fitting = allowed.get(choice);
  if (fitting === undefined) return null;
  const names = (Array.isArray(value) ? value.flat() : [value]) as readonly Json[];
  const foreign = names.find((name) => typeof name !== 'string' || !fitting.has(name));
  if (foreign === undefined) return null;
  return `${JSON.stringify(foreign)} is not one of those that the question offers`;
}

function assumedAnswer({ question, assumed }: Inquiry): Answer {
  const { proposal, proposalValue } = question;
  if (proposal === null) return assumed;
  return { choice: proposal, ...(proposalValue === undefined ? {} : { value: proposalValue }) };
}
