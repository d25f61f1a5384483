/**
 * Compiles a workflow with its answers from a run.
 *
 * An answer that names its subject counts only for the question it was given to, and earlier answers
 * determine which questions are asked. So such answers wait: each is applied once its question is
 * asked about that subject, and the workflow is compiled again until nothing more can be applied. An
 * answer that is still waiting then belongs to no question, or to one whose subject has changed and
 * which stays open. Proposals come last. Each pass settles at least one more question, and a
 * workflow has finitely many.
 *
 * A policy must not settle a question whose answer is waiting. So the policy of its kind is applied
 * here, question by question, instead of by the compiler.
 */
import { policyFor } from '../diagnostics/answers.js';
import { diagnose } from '../diagnostics/diagnose.js';
import type {
  Answer,
  CompileOptions,
  CompileResult,
  Diagnostic,
  Json,
  Question,
} from '../index.js';
import { digestOf } from '../io/digest.js';
import type { RunAnswer } from '../report/model.js';
import { canonicalJson } from '../text/json.js';
import { pointer, valueAt } from '../text/pointer.js';
import { inAnswers, type RunAnswers, type WorkflowAnswers } from './answers.js';

export interface AnswerSources {
  readonly answers: WorkflowAnswers | undefined;
  readonly policies: RunAnswers['policies'];
  readonly acceptProposals: boolean;
}

export interface SettledAnswers {
  readonly result: CompileResult;
  /** The options with all applied answers. */
  readonly options: CompileOptions;
  /** The single answers that were applied, including accepted proposals. */
  readonly applied: Readonly<Record<string, RunAnswer>>;
  /** The questions that proposals answered. */
  readonly accepted: readonly Question[];
  /** Findings about answers that are not in `result`. */
  readonly diagnostics: readonly Diagnostic[];
}

type Compile = (options: CompileOptions) => CompileResult;

/** `options` are those of the run without answers. */
export function settleAnswers(
  compile: Compile,
  workflow: unknown,
  options: CompileOptions,
  { answers = new Map(), policies, acceptProposals }: AnswerSources,
): SettledAnswers {
  const waiting = new Map([...answers].filter(([, { subject }]) => subject !== undefined));
  const applied = new Map([...answers].filter(([id]) => !waiting.has(id)));
  const accepted: Question[] = [];
  // The id of a question begins with its kind.
  const held = new Set(Array.from(waiting.keys(), (id) => id.slice(0, id.indexOf(':'))));
  const released = Object.entries(policies).filter(([kind]) => !held.has(kind));
  /** Answers from held policies; null if the compiler did not accept it. */
  const byPolicy = new Map<string, Answer | null>();

  const applyAnswer = (question: Question): boolean => {
    const { id, kind, choices } = question;
    const answer = waiting.get(id);
    if (answer !== undefined) {
      if (answer.subject !== subjectOf(question, workflow)) return false;
      waiting.delete(id);
      applied.set(id, answer);
      return true;
    }
    const policy = policyFor({ policies }, kind);
    const isOffered = choices.some(({ key }) => key === policy?.choice);
    if (!held.has(kind) || !isOffered || byPolicy.get(id) === null) return false;
    byPolicy.set(id, byPolicy.has(id) ? null : policy);
    return true;
  };
  const applyProposal = (question: Question): boolean => {
    const { id, proposal, proposalValue: value } = question;
    if (proposal === null || waiting.has(id)) return false;
    applied.set(id, { choice: proposal, ...(value !== undefined && { value }) });
    accepted.push(question);
    return true;
  };
  const given = (): CompileOptions => {
    const all = [...applied, ...byPolicy].flatMap(([id, answer]) =>
      answer === null ? [] : [[id, plainAnswer(answer)] as const],
    );
    const parts = {
      ...(all.length > 0 && { answers: Object.fromEntries(all) }),
      ...(released.length > 0 && { policies: Object.fromEntries(released) }),
    };
    return Object.keys(parts).length === 0 ? options : { ...options, answers: parts };
  };
  const step = ({ status, questions }: CompileResult): boolean => {
    const fresh = questions.filter(({ id }) => !applied.has(id));
    if (fresh.filter(applyAnswer).length > 0) return true;
    if (!acceptProposals || status !== 'needs-answers') return false;
    return fresh.filter(applyProposal).length > 0;
  };

  let result = compile(given());
  while (step(result)) result = compile(given());
  const open = new Set(result.questions.map(({ id }) => id));
  return {
    result,
    options: given(),
    applied: Object.fromEntries(applied),
    accepted,
    diagnostics: [...waiting.keys()].flatMap((id) => unused(id, open, result) ?? []),
  };
}

const plainAnswer = ({ subject: _, ...answer }: RunAnswer): Answer => answer;

/** If a workflow is invalid, some questions may not have been asked. */
function unused(id: string, open: ReadonlySet<string>, { status }: CompileResult) {
  const at = pointer('answers', id);
  if (open.has(id)) return inAnswers('batch/subject-changed', { question: id }, at);
  if (status === 'invalid') return null;
  return diagnose('api/stale-answer', at, { question: id }, { in: 'answers' });
}

/**
 * What a question is about, as 16 hexadecimal digits. An answer with a subject counts only while the
 * question asks the same about the same part of the workflow. Places are not part of it: a node that
 * only moved is the same subject.
 */
export function subjectOf(question: Question, workflow: unknown): string {
  const { id, kind, text, choices, at } = question;
  const values = at.map((pointer) => {
    const value = valueAt(workflow as Json, pointer);
    // Each in a list, so that null differs from a missing value.
    return value === undefined ? [] : [value];
  });
  return digestOf(
    canonicalJson({ id, kind, text, choices: choices.map(({ key }) => key), values }),
  );
}
