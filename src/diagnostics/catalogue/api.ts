/** Faults of what is given beside the workflow: options, answers, policies. */
import { quote, quoteAll } from '../quote.js';
import { entry } from './entry.js';
import { valueReason } from './syntax-reasons.js';
import { phrase } from './words.js';

export const api = {
  'api/option': entry<{ option: string; problem: string }>({
    severity: 'error',
    title: 'An option is wrong',
    message: ({ option, problem }) => `The option ${quote(option)} is wrong: ${phrase(problem)}.`,
    why:
      'Options decide the shape of the squad. A wrong one is not replaced by its default, ' +
      'because the result would differ from what was asked for without a word.',
    help: ({ option }) => `Correct ${quote(option)}, or leave it out to get the default.`,
    example: { option: 'target', problem: 'it must be one of squad and vapi' },
  }),
  'api/unknown-option': entry<{ option: string; near: string | null }>({
    severity: 'warning',
    title: 'An option does not exist',
    message: ({ option, near }) =>
      `There is no option ${quote(option)}${near === null ? '' : `; ${quote(near)} was probably meant`}.`,
    why:
      'An option that no rule reads has no effect. The squad is what it would be without it, ' +
      'which is rarely what was wanted.',
    help: () => 'Correct the name of the option, or remove it.',
    example: { option: 'memberOveride', near: 'memberOverrides' },
  }),
  'api/unknown-node': entry<{ id: string; option: string }>({
    severity: 'warning',
    title: 'An option names a node that it cannot mean',
    message: ({ id, option }) =>
      `The option ${quote(option)} names ${quote(id)}, which is not the first talk node of an assistant.`,
    why:
      'An assistant is named through its first talk node. Another node’s id has no effect, which ' +
      'usually means that the id is misspelt or that the node was merged into an assistant that ' +
      'begins elsewhere.',
    help: () => 'Correct the id, or remove it from the option.',
    example: { id: 'greting', option: 'names' },
  }),
  'api/answer-shape': entry<{ problem: string }>({
    severity: 'error',
    title: 'The answers cannot be read',
    message: ({ problem }) => `The answers do not have the expected form: ${valueReason(problem)}.`,
    why:
      'Answers are an object with `answers` (a choice for each question id) and `policies` (a ' +
      'choice for each kind of question), both optional. What has another form is not used, ' +
      'and the questions stay open.',
    help: () => 'Correct the answers; their form is published as answers.schema.json.',
    example: { problem: 'answers/missing-auth:lookup must be an object' },
  }),
  'api/stale-answer': entry<{ question: string }>({
    severity: 'warning',
    title: 'An answer belongs to no question',
    message: ({ question }) =>
      `There is an answer to ${quote(question)}, but this question is not asked.`,
    why:
      'Question ids are made of the kind and the subject. When the workflow changes, or when ' +
      'another answer or an option settles the matter, a question disappears and its answer has no effect.',
    help: () => 'Remove the answer, or correct the id if the question goes by another one now.',
    example: { question: 'missing-destination:transfer' },
  }),
  'api/answer-choice': entry<{ question: string; choice: string; choices: readonly string[] }>({
    severity: 'error',
    title: 'An answer picks a choice that does not exist',
    message: ({ question, choice, choices }) =>
      `${quote(choice)} is no choice of the question ${quote(question)}; it offers ${quoteAll(choices)}.`,
    why:
      'Each question offers a fixed list of choices, some of them for one target only. Another ' +
      'word is not matched to the nearest choice, so the question stays open.',
    help: ({ choices }) => `Answer with ${quoteAll(choices, 'or')}.`,
    example: {
      question: 'cyclic-stages:a,b',
      choice: 'merge',
      choices: ['consolidate', 'keep-split', 'group'],
    },
  }),
  'api/answer-value': entry<{ question: string; choice: string; problem: string }>({
    severity: 'error',
    title: 'The value of an answer does not fit',
    message: ({ question, choice, problem }) =>
      `The answer ${quote(choice)} to ${quote(question)} has a value that does not fit: ${phrase(problem)}.`,
    why:
      'Some choices need a value, such as the phone number of a transfer. A value of another ' +
      'form would end up in the squad and fail there, so the question stays open.',
    help: () => 'Correct the value; the question shows the form that it must have.',
    example: {
      question: 'missing-destination:transfer',
      choice: 'number',
      problem: 'value must start with +',
    },
  }),
  'api/policy-kind': entry<{ kind: string; kinds: readonly string[]; near: string | null }>({
    severity: 'error',
    title: 'A policy names an unknown kind of question',
    message: ({ kind, kinds }) =>
      `${quote(kind)} is no kind of question; the kinds are ${listed(kinds)}.`,
    why:
      'A policy answers every question of one kind. Under a name that is no kind it would ' +
      'answer nothing, and nothing is ignored silently.',
    help: ({ near }) =>
      near === null
        ? 'Correct the name of the kind, or remove the policy.'
        : `Write ${quote(near)} if that is the kind you mean, or remove the policy.`,
    example: {
      kind: 'missing-number',
      kinds: ['missing-destination', 'missing-endpoint'],
      near: null,
    },
  }),
  'api/policy-choice': entry<{ kind: string; choice: string; choices: readonly string[] }>({
    severity: 'error',
    title: 'A policy picks a choice that does not exist',
    message: ({ kind, choice, choices }) =>
      `${quote(choice)} is no choice of ${quote(kind)} questions; they offer ${quoteAll(choices)}.`,
    why:
      'Each kind of question offers a fixed list of choices, some of them for one target only. ' +
      'A policy with another word would leave every question of the kind open.',
    help: ({ choices }) => `Use ${quoteAll(choices, 'or')} in the policy.`,
    example: { kind: 'critical-variable', choice: 'ignore', choices: ['tool', 'best-effort'] },
  }),
  'api/policy-needs-value': entry<{ kind: string; choice: string }>({
    severity: 'error',
    title: 'A policy picks a choice that needs a value',
    message: ({ kind, choice }) =>
      `The policy for ${quote(kind)} picks ${quote(choice)}, which needs a value for each question.`,
    why:
      'A policy gives one choice to every question of its kind. A choice with a value, such as ' +
      'a phone number, is a different answer for each question, so it cannot be a policy.',
    help: () => 'Answer these questions one by one, under `answers`, and remove the policy.',
    example: { kind: 'missing-destination', choice: 'number' },
  }),
};

/** Every kind is shown, however many: the reader has to pick one. */
function listed(kinds: readonly string[]): string {
  return kinds.map(quote).join(', ');
}
