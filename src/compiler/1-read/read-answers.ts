/** The answers file: its shape, its policies, and answers that no question asked for. */
import { diagnose } from '../../diagnostics/diagnose.js';
import { choicesOf, needsValue, questionKinds } from '../../diagnostics/questions.js';
import { faultInWords, soleFaults } from '../../diagnostics/schema-fault.js';
import { validateAnswers } from '../../schemas/validators.generated.js';
import type { Answers, QuestionKind } from '../ir/answers.js';
import { pointer } from '../ir/ids.js';
import { once } from '../ir/once.js';
import type { Target } from '../ir/options.js';
import type { Diagnostic } from '../ir/result.js';
import { findNearest } from '../names/nearest.js';
import { checkJson } from './json-value.js';

export interface ReadAnswers {
  readonly answers: Answers;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads answers of unknown shape; what is wrong with them is told, and they count for nothing. */
export function readAnswers(input: unknown, target: Target): ReadAnswers {
  if (input === undefined) return { answers: {}, diagnostics: [] };
  const faults = faultsOfValue(input) ?? faultsOfShape(input);
  if (faults !== null) return { answers: {}, diagnostics: faults };
  const answers = input as Answers;
  return { answers, diagnostics: faultsOfPolicies(answers.policies ?? {}, target) };
}

/** Answers to questions that were not asked. */
export function findStaleAnswers(answers: Answers, asked: ReadonlySet<string>): Diagnostic[] {
  if (answers.answers === undefined) return [];
  return Object.keys(answers.answers)
    .sort()
    .filter((id) => !asked.has(id))
    .map((id) =>
      diagnose('api/stale-answer', pointer('answers', id), { question: id }, { in: 'answers' }),
    );
}

function faultsOfValue(input: unknown): Diagnostic[] | null {
  const invalid = checkJson(input);
  if (invalid.length === 0) return null;
  return invalid.map((fault) =>
    diagnose('api/answer-shape', fault.at, { problem: fault.fault }, { in: 'answers' }),
  );
}

function faultsOfShape(input: unknown): Diagnostic[] | null {
  if (validateAnswers(input)) return null;
  return soleFaults(validateAnswers.errors ?? []).map((fault) => {
    const problem = faultInWords([fault], undefined, 'they');
    return diagnose('api/answer-shape', fault.instancePath, { problem }, { in: 'answers' });
  });
}

function faultsOfPolicies(
  policies: Readonly<Record<string, string>>,
  target: Target,
): Diagnostic[] {
  const kinds = Object.keys(policies);
  const fitting = fittingPolicies[target]();
  if (kinds.every((kind) => fitting.get(kind)?.has(policies[kind]!) === true)) return [];
  return kinds.sort().flatMap((kind) => faultOfPolicy(kind, policies[kind]!, target) ?? []);
}

/** By kind, the choices that a policy can make, as it gives no values; the same in every run. */
type Policies = ReadonlyMap<string, ReadonlySet<string>>;
const fittingPolicies: Readonly<Record<Target, () => Policies>> = {
  squad: once(() => listPolicies('squad')),
  vapi: once(() => listPolicies('vapi')),
};

function listPolicies(target: Target): Policies {
  return new Map(
    questionKinds().map((kind) => {
      const choices = choicesOf(kind, target).filter((choice) => !needsValue(kind, choice));
      return [kind, new Set(choices)];
    }),
  );
}

function faultOfPolicy(kind: string, choice: string, target: Target): Diagnostic | null {
  const kinds = questionKinds();
  const known = kinds.find((it): it is QuestionKind => it === kind);
  const choices = known === undefined ? [] : choicesOf(known, target);
  if (fittingPolicies[target]().get(kind)?.has(choice) === true) return null;
  const at = pointer('policies', kind);
  const more = { in: 'answers' } as const;
  if (known === undefined) {
    const near = findNearest(kind, kinds);
    return diagnose('api/policy-kind', at, { kind, kinds, near }, more);
  }
  return choices.includes(choice)
    ? diagnose('api/policy-needs-value', at, { kind, choice }, more)
    : diagnose('api/policy-choice', at, { kind, choice, choices }, more);
}
