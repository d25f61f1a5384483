/**
 * Compiles a workflow with its answers of a run.
 *
 * An answer that names its subject counts only for the question that it was given to, and which
 * questions there are depends on the answers before. So such answers wait: each is applied once its
 * question is asked with that subject, and the workflow is compiled again, until nothing more can
 * be applied. An answer that still waits then belongs to a question whose subject changed, which
 * stays open, or to none. Proposals come last. Each pass settles a question that no pass before it
 * did, and a workflow has finitely many.
 *
 * A policy must not settle a question whose answer waits. While any waits, policies are therefore
 * applied here, question by question, and not by the compiler.
 */

import { hash } from 'node:crypto';
import { pointer } from '../compiler/ir/ids.js';
import { diagnose } from '../diagnostics/diagnose.js';
import type {
  Answer,
  CompileOptions,
  CompileResult,
  Diagnostic,
  Json,
  Question,
} from '../index.js';
import type { RunAnswer } from '../report/model.js';
import { valueAt } from '../report/places.js';
import { inAnswers, type WorkflowAnswers } from './answers.js';
import { canonicalJson } from './canonical.js';

export interface AnswerSources {
  readonly answers: WorkflowAnswers | undefined;
  readonly policies: Readonly<Record<string, string>>;
  readonly acceptProposals: boolean;
}

export interface SettledAnswers {
  readonly result: CompileResult;
  /** The options with all answers that were applied. */
  readonly options: CompileOptions;
  /** The single answers that were applied, accepted proposals among them. */
  readonly applied: Readonly<Record<string, RunAnswer>>;
  /** The questions that proposals answered. */
  readonly accepted: readonly Question[];
  /** What is said of answers beside what `result` says. */
  readonly diagnostics: readonly Diagnostic[];
}

type Compile = (options: CompileOptions) => CompileResult;

/** `options` are those of the run, without answers. */
export function settleAnswers(
  compile: Compile,
  workflow: unknown,
  options: CompileOptions,
  sources: AnswerSources,
): SettledAnswers {
  const settling = startSettling(workflow, options, sources);
  let result = compile(optionsOf(settling));
  while (step(settling, result)) result = compile(optionsOf(settling));
  const open = new Set(result.questions.map(({ id }) => id));
  const changed = result.questions.filter(({ id }) => settling.waiting.has(id));
  if (settling.holdsPolicies) {
    releasePolicies(settling, changed);
    result = compile(optionsOf(settling));
  }
  return {
    result,
    options: optionsOf(settling),
    applied: Object.fromEntries(settling.applied),
    accepted: settling.accepted,
    diagnostics: [...settling.waiting.keys()].flatMap((id) => unused(id, open, result) ?? []),
  };
}

interface Settling {
  readonly workflow: unknown;
  readonly options: CompileOptions;
  readonly acceptProposals: boolean;
  /** Whether policies are applied here. */
  holdsPolicies: boolean;
  policies: Map<string, string>;
  readonly applied: Map<string, RunAnswer>;
  /** Answers with a subject that was not asked for yet. */
  readonly waiting: Map<string, RunAnswer>;
  /** Questions that a policy answered here, with their kinds. */
  readonly byPolicy: Map<string, { readonly kind: string; readonly choice: string }>;
  /** Questions to which their policy does not fit. */
  readonly unfit: Set<string>;
  readonly accepted: Question[];
}

function startSettling(
  workflow: unknown,
  options: CompileOptions,
  { answers, policies, acceptProposals }: AnswerSources,
): Settling {
  const given = [...(answers ?? [])];
  const waiting = new Map(given.filter(([, { subject }]) => subject !== undefined));
  return {
    workflow,
    options,
    acceptProposals,
    holdsPolicies: waiting.size > 0 && Object.keys(policies).length > 0,
    policies: new Map(Object.entries(policies)),
    applied: new Map(given.filter(([id]) => !waiting.has(id))),
    waiting,
    byPolicy: new Map(),
    unfit: new Set(),
    accepted: [],
  };
}

function optionsOf({ options, applied, byPolicy, policies, holdsPolicies }: Settling) {
  const answers = [...applied, ...byPolicy].map(([id, answer]) => [id, plainAnswer(answer)]);
  const given = {
    ...(answers.length > 0 && { answers: Object.fromEntries(answers) }),
    ...(policies.size > 0 && !holdsPolicies && { policies: Object.fromEntries(policies) }),
  };
  return Object.keys(given).length === 0 ? options : { ...options, answers: given };
}

function plainAnswer({ choice, value }: Answer): Answer {
  return value === undefined ? { choice } : { choice, value };
}

/** Settles what can be settled of the open questions; whether anything was. */
function step(settling: Settling, { status, questions }: CompileResult): boolean {
  const fresh = questions.filter(({ id }) => !settling.applied.has(id));
  const answered = fresh.filter((question) => applyWaiting(settling, question));
  const governed = fresh.filter((question) => applyPolicy(settling, question));
  if (answered.length + governed.length > 0) return true;
  if (!settling.acceptProposals || status !== 'needs-answers') return false;
  return fresh.filter((question) => applyProposal(settling, question)).length > 0;
}

function applyWaiting({ waiting, applied, workflow }: Settling, question: Question): boolean {
  const answer = waiting.get(question.id);
  if (answer === undefined || answer.subject !== subjectOf(question, workflow)) return false;
  waiting.delete(question.id);
  applied.set(question.id, answer);
  return true;
}

/** A policy answers where it can; where the compiler does not take it, the question stays open. */
function applyPolicy(settling: Settling, { id, kind, choices }: Question): boolean {
  const { byPolicy, unfit, policies, applied, waiting } = settling;
  if (!settling.holdsPolicies || unfit.has(id) || applied.has(id) || waiting.has(id)) return false;
  if (byPolicy.delete(id)) {
    unfit.add(id);
    return true;
  }
  const choice = choices.find(({ key }) => key === policies.get(kind));
  if (choice === undefined || choice.value !== undefined) return false;
  byPolicy.set(id, { kind, choice: choice.key });
  return true;
}

function applyProposal(settling: Settling, question: Question): boolean {
  const { id, proposal, proposalValue: value } = question;
  if (proposal === null || settling.waiting.has(id)) return false;
  settling.applied.set(
    id,
    value === undefined ? { choice: proposal } : { choice: proposal, value },
  );
  settling.accepted.push(question);
  return true;
}

/** Back to the compiler, but for kinds of which a question has to stay open. */
function releasePolicies(settling: Settling, open: readonly Question[]): void {
  const held = new Set<string>(open.map(({ kind }) => kind));
  for (const kind of held) settling.policies.delete(kind);
  for (const [id, { kind }] of settling.byPolicy) {
    if (!held.has(kind)) settling.byPolicy.delete(id);
  }
  settling.holdsPolicies = false;
}

/** Of a workflow that is invalid, not every question may have been asked. */
function unused(id: string, open: ReadonlySet<string>, { status }: CompileResult) {
  const at = pointer('answers', id);
  if (open.has(id)) return inAnswers('batch/subject-changed', { question: id }, at);
  if (status === 'invalid') return null;
  return diagnose('api/stale-answer', at, { question: id }, { in: 'answers' });
}

/**
 * What a question is about, as 16 hexadecimal digits: an answer that carries it counts only as long
 * as the question asks the same about the same part of the workflow. The places themselves are no
 * part of it: a node that only moved is the same subject.
 */
export function subjectOf(question: Question, workflow: unknown): string {
  const { id, kind, text, choices, at } = question;
  const values = at.map((pointer) => {
    const value = valueAt(workflow as Json, pointer);
    // In a list each, so that null differs from nothing at all.
    return value === undefined ? [] : [value];
  });
  const subject = { id, kind, text, choices: choices.map(({ key }) => key), values };
  return hash('sha256', canonicalJson(subject)).slice(0, 16);
}
