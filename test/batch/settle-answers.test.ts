/** With the real compiler, on workflows of the goldens. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { settleAnswers, subjectOf } from '../../src/batch/settle.js';
import { type CompileOptions, compile } from '../../src/index.js';
import type { RunAnswer } from '../../src/report/model.js';

const mover = workflowOf('saved-answers-with-a-policy');
const rent = workflowOf('missing-endpoint-open');
const energy = workflowOf('guard');

const planner = 'missing-destination:planner';
const number = { choice: 'number', value: '+4930123456' };
const wrong = '0'.repeat(16);

function workflowOf(golden: string): object {
  return JSON.parse(readFileSync(`golden/${golden}/input.json`, 'utf8'));
}

/** The subject with which the question is asked under these options. */
function subjectIn(workflow: object, id: string, options: CompileOptions = {}): string {
  const question = compile(workflow, options).questions.find((each) => each.id === id);
  if (question === undefined) throw new Error(`${id} is not asked`);
  return subjectOf(question, workflow);
}

interface Given {
  readonly answers?: Readonly<Record<string, RunAnswer>>;
  readonly policies?: Readonly<Record<string, string>>;
  readonly acceptProposals?: boolean;
  readonly options?: CompileOptions;
}

function settle(workflow: object, given: Given = {}) {
  const { answers, policies = {}, acceptProposals = false, options = {} } = given;
  let passes = 0;
  const counted = (each: CompileOptions) => {
    passes += 1;
    return compile(workflow, each);
  };
  const settled = settleAnswers(counted, workflow, options, {
    answers: answers && new Map(Object.entries(answers)),
    policies,
    acceptProposals,
  });
  return {
    ...settled,
    passes,
    open: settled.result.questions.map(({ id }) => id),
    said: [...settled.result.diagnostics, ...settled.diagnostics]
      .filter(({ in: part }) => part === 'answers')
      .map(({ code, at }) => `${code} ${at}`),
  };
}

describe('settleAnswers', () => {
  it('compiles once where there is nothing to settle', () => {
    const { passes, options, open } = settle(mover);
    expect({ passes, options }).toEqual({ passes: 1, options: {} });
    expect(open).toHaveLength(3);
    expect(settle(mover, { policies: { 'missing-auth': 'none' } }).passes).toBe(1);
    expect(settle(mover, { answers: { [planner]: number } }).passes).toBe(1);
  });

  it('applies an answer whose subject is the one that is asked about', () => {
    const answer = { ...number, subject: subjectIn(mover, planner) };
    const { open, said, applied, options } = settle(mover, { answers: { [planner]: answer } });
    expect(open).toEqual(['missing-auth:price', 'missing-auth:dates']);
    expect(said).toEqual([]);
    expect(applied).toEqual({ [planner]: answer });
    expect(options.answers).toEqual({ answers: { [planner]: number } });
  });

  it('leaves a question open whose subject changed, and says so', () => {
    const { open, said, applied } = settle(mover, {
      answers: { [planner]: { ...number, subject: wrong } },
      acceptProposals: true,
    });
    expect(open).toContain(planner);
    expect(said).toEqual([`batch/subject-changed /answers/${planner}`]);
    expect(applied).toEqual({});
  });

  it('says which answers belong to no question, with a subject or without', () => {
    const { said } = settle(mover, {
      answers: { 'missing-auth:a/b': { choice: 'none', subject: wrong }, old: { choice: 'none' } },
    });
    expect(said).toEqual([
      'api/stale-answer /answers/old',
      'api/stale-answer /answers/missing-auth:a~1b',
    ]);
  });

  it('applies answers to questions that other answers raise', () => {
    const endpoint = 'missing-endpoint:find-bill';
    const auth = 'missing-auth:find-bill';
    const value = { url: 'https://pay.example.com/bill', method: 'GET' };
    const request = { choice: 'request', value };
    const answered = { answers: { answers: { [endpoint]: request } } };
    const answers = {
      [auth]: { choice: 'none', subject: subjectIn(rent, auth, answered) },
      [endpoint]: { ...request, subject: subjectIn(rent, endpoint) },
    };
    const { applied, said } = settle(rent, { answers });
    expect(said).toEqual([]);
    expect(applied).toEqual(answers);
  });

  it('lets a single answer win over a policy', () => {
    const price = 'missing-auth:price';
    const answer = {
      choice: 'credential',
      value: { credentialId: 'c' },
      subject: subjectIn(mover, price),
    };
    const { result, open, options } = settle(mover, {
      answers: { [price]: answer },
      policies: { 'missing-auth': 'none' },
    });
    expect(open).toEqual([planner]);
    const { subject: _, ...plain } = answer;
    expect(options.answers).toEqual({
      answers: { [price]: plain },
      policies: { 'missing-auth': 'none' },
    });
    expect(JSON.stringify(result.draft)).toContain('"credentialId":"c"');
  });

  it('does not let a policy decide where the subject changed', () => {
    const price = 'missing-auth:price';
    const { open, said, applied } = settle(mover, {
      answers: { [price]: { choice: 'none', subject: wrong } },
      policies: { 'missing-auth': 'none' },
    });
    expect(open).toEqual([planner, price]);
    expect(said).toEqual([`batch/subject-changed /answers/${price}`]);
    expect(applied).toEqual({});
  });

  it('leaves open what a policy has no choice for', () => {
    // Half an expression, half words: the platform could not enforce it.
    const workflow = JSON.parse(JSON.stringify(energy).replace('tariff == null', 'x == 1 == 2'));
    const options: CompileOptions = { target: 'vapi', dynamicVariables: ['power_key'] };
    const policies = { 'logical-condition': 'guard' };
    const { questions } = compile(workflow, options);
    const [changed, other] = [true, false].map(
      (guarded) =>
        questions.find(
          ({ kind, choices }) =>
            kind === 'logical-condition' && choices.some(({ key }) => key === 'guard') === guarded,
        )?.id ?? '',
    );
    const answers = { [changed ?? '']: { choice: 'prose', subject: wrong } };
    const { open, said } = settle(workflow, { options, policies, answers });
    expect(said).toEqual([`batch/subject-changed /answers/${changed?.replace('~', '~0')}`]);
    expect(open.filter((id) => id.startsWith('logical-condition'))).toEqual([changed, other]);
  });

  it('accepts proposals last, and none where an answer waits', () => {
    const cycle = workflowOf('cycle-open');
    const [id = ''] = compile(cycle).questions.map((question) => question.id);
    const accepted = settle(cycle, { acceptProposals: true });
    expect(accepted.result.status).toBe('complete');
    expect(accepted.accepted.map((question) => question.id)).toEqual([id]);
    expect(accepted.applied).toEqual({ [id]: { choice: 'consolidate' } });
    const outdated = { choice: 'keep-split', subject: wrong };
    const left = settle(cycle, { acceptProposals: true, answers: { [id]: outdated } });
    expect([left.open, left.accepted, left.applied]).toEqual([[id], [], {}]);
    const other = { choice: 'keep-split', subject: subjectIn(cycle, id) };
    const answered = settle(cycle, { acceptProposals: true, answers: { [id]: other } });
    expect(answered.applied).toEqual({ [id]: other });
    expect(answered.accepted).toEqual([]);
  });

  it('knows a question by what it asks about which part, wherever that stands', () => {
    const turn = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(turn);
      return Object.fromEntries(
        Object.entries(value)
          .reverse()
          .map(([key, of]) => [key, turn(of)]),
      );
    };
    const subject = subjectIn(mover, planner);
    expect(subject).toMatch(/^[0-9a-f]{16}$/);
    expect(subjectIn(turn(mover) as object, planner)).toBe(subject);
    const { questions } = compile(mover);
    const question = questions.find(({ id }) => id === planner)!;
    const [at = ''] = question.at;
    for (const other of [{ id: 'x' }, { kind: 'missing-auth' as const }, { text: 'Where to?' }]) {
      expect(subjectOf({ ...question, ...other }, mover)).not.toBe(subject);
    }
    for (const other of [{ choices: [] }, { at: [`${at}/id`] }, { at: ['/__proto__'] }]) {
      expect(subjectOf({ ...question, ...other }, mover)).not.toBe(subject);
    }
  });
});
