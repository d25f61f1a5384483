/**
 * The human's answers: their shape, and what they decide.
 *
 * In: the answers as given, and the inquiries of the phases. Out: a decision for every inquiry, the
 * questions that stay open, and faults of the answers. An answer that does not fit is an error and
 * leaves its question open. An individual answer takes precedence over a policy, which answers
 * where it can.
 */
import { type ArgsOf, type Code, diagnose } from '../../diagnostics/diagnose.js';
import {
  checkAnswerValue,
  choicesOf,
  needsValue,
  questionKinds,
} from '../../diagnostics/questions.js';
import { faultInWords, soleFaults } from '../../diagnostics/schema-fault.js';
import { validateAnswers } from '../../schemas/validators.generated.js';
import { readJson } from '../1-read/copy-json.js';
import { type JsonPointer, pointer } from '../../text/pointer.js';
import type { Decide, Decision, Inquiry } from '../ir/inquiry.js';
import type { Json } from '../../text/json.js';
import { findNearest } from '../ir/names.js';
import type { Answer, Answers, Settled, Target } from '../ir/options.js';
import type { Diagnostic, Question } from '../ir/result.js';

function finding<C extends Code>(code: C, at: JsonPointer, args: ArgsOf<C>): Diagnostic {
  return diagnose(code, at, args, { in: 'answers' });
}

/** Reads answers of unknown shape; invalid ones are ignored. */
export function readAnswers(input: unknown, target: Target) {
  if (input === undefined) return { answers: {}, diagnostics: [] };
  const { value, faults } = readJson(input);
  const invalid = faults.map(({ at, code }) => {
    return finding('api/answer-shape', at, { problem: code.replace('shape/', '') });
  });
  if (invalid.length === 0 && !validateAnswers(value)) {
    for (const fault of soleFaults(validateAnswers.errors ?? [])) {
      const problem = faultInWords([fault], undefined, 'they');
      invalid.push(finding('api/answer-shape', fault.instancePath, { problem }));
    }
  }
  if (invalid.length > 0) return { answers: {}, diagnostics: invalid };
  const answers = value as Answers;
  const policies = Object.entries(answers.policies ?? {});
  const wrong = policies.flatMap(([kind, choice]) => faultOfPolicy(kind, choice, target) ?? []);
  return { answers, diagnostics: wrong };
}

function faultOfPolicy(kind: string, choice: string, target: Target): Diagnostic | null {
  const at = pointer('policies', kind);
  const kinds = questionKinds();
  const known = kinds.find((it) => it === kind);
  if (known === undefined) {
    return finding('api/policy-kind', at, { kind, kinds, near: findNearest(kind, kinds) });
  }
  const choices = choicesOf(known, target);
  if (!choices.includes(choice)) return finding('api/policy-choice', at, { kind, choice, choices });
  return needsValue(known, choice) ? finding('api/policy-needs-value', at, { kind, choice }) : null;
}

/** The questions of one compilation: those asked, those open, and faults of the answers. */
export interface Dialogue {
  readonly decide: Decide;
  readonly asked: ReadonlySet<string>;
  readonly open: readonly Question[];
  /** The assumptions for the open questions, by question id. */
  readonly assumed: ReadonlyMap<string, Answer>;
  readonly diagnostics: readonly Diagnostic[];
}

export function openDialogue({ answers, target }: Pick<Settled, 'answers' | 'target'>): Dialogue {
  const asked = new Set<string>();
  const open: Question[] = [];
  const assumed = new Map<string, Answer>();
  const diagnostics: Diagnostic[] = [];
  const decideOne = (made: Inquiry): Decision => {
    const { id, kind, choices } = made.question;
    const offered = choicesOf(kind, target);
    const question = {
      ...made.question,
      choices: choices.filter(({ key }) => offered.includes(key)),
    };
    const inquiry = { ...made, question };
    asked.add(id);
    const answer = answerTo(inquiry, answers, diagnostics);
    if (answer !== null) return { inquiry, value: null, ...answer, by: 'answer' };
    open.push(question);
    assumed.set(id, inquiry.assumed);
    return { inquiry, value: null, ...inquiry.assumed, by: 'assumption' };
  };
  return { decide: (inquiries) => inquiries.map(decideOne), asked, open, assumed, diagnostics };
}

/** Answers to questions that were not asked. */
export function findStaleAnswers({ answers = {} }: Answers, asked: ReadonlySet<string>) {
  const stale = Object.keys(answers).filter((id) => !asked.has(id));
  return stale.map((id) => finding('api/stale-answer', pointer('answers', id), { question: id }));
}

/** The answer that fits; null if there is none or it does not fit, which is reported. */
function answerTo(
  inquiry: Inquiry,
  { answers = {}, policies = {} }: Answers,
  diagnostics: Diagnostic[],
): Answer | null {
  const { id: question, kind, choices } = inquiry.question;
  const keys = choices.map(({ key }) => key);
  if (!Object.hasOwn(answers, question)) {
    const choice = Object.hasOwn(policies, kind) ? policies[kind]! : null;
    const fits = choice !== null && keys.includes(choice) && !problemOf(inquiry, { choice });
    return fits ? { choice } : null;
  }
  const answer = answers[question]!;
  const { choice } = answer;
  const at = pointer('answers', question);
  if (!keys.includes(choice)) {
    const args = { question, choice, choices: keys };
    diagnostics.push(finding('api/answer-choice', `${at}/choice`, args));
    return null;
  }
  const problem = problemOf(inquiry, answer);
  if (problem === null) return answer;
  diagnostics.push(finding('api/answer-value', at, { question, choice, problem }));
  return null;
}

/** What is wrong with an answer whose choice is offered, in words. */
function problemOf({ question, allowed, objection }: Inquiry, answer: Answer): string | null {
  const { choice, value = null } = answer;
  if (needsValue(question.kind, choice)) {
    const misfit = checkAnswerValue(question.kind, choice, answer.value);
    if (misfit !== null) return misfit;
  } else if (value !== null) return 'this choice takes no value';
  const problem = objection?.(choice, value) ?? null;
  if (problem !== null || allowed[choice] === undefined) return problem;
  const fitting = new Set<Json>(allowed[choice]);
  const foreign = ([value].flat(2) as readonly Json[]).find((name) => !fitting.has(name));
  if (foreign === undefined) return null;
  return `the question does not offer ${JSON.stringify(foreign)}`;
}
