import { describe, expect, it } from 'vitest';
import { findStaleAnswers, readAnswers } from '../../../src/compiler/1-read/read-answers.js';
import type { Target } from '../../../src/compiler/ir/options.js';

const faults = (input: unknown, target: Target = 'squad') =>
  readAnswers(input, target).diagnostics.map(({ code, at }) => [code, at]);

describe('readAnswers', () => {
  it('takes a file of answers and policies', () => {
    const file = {
      answers: { 'missing-auth:r': { choice: 'header', value: { header: 'X', secret: 's' } } },
      policies: { 'cyclic-stages': 'consolidate', 'logical-condition': 'prose' },
    };
    expect(readAnswers(file, 'squad')).toEqual({ answers: file, diagnostics: [] });
    expect(readAnswers(undefined, 'squad')).toEqual({ answers: {}, diagnostics: [] });
    expect(readAnswers({}, 'squad').diagnostics).toEqual([]);
  });

  it('tells every fault of the shape with its place, and counts none of the answers', () => {
    const file = {
      answers: { a: { choice: 7 }, b: { value: 'x' }, c: { choice: 'caller' } },
      policies: [],
    };
    const { answers, diagnostics } = readAnswers(file, 'squad');
    expect(answers).toEqual({});
    expect(diagnostics.map(({ at }) => at)).toEqual(
      expect.arrayContaining(['/answers/a/choice', '/answers/b', '/policies']),
    );
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['api/answer-shape']));
    expect(diagnostics.map(({ message }) => message)).toContain(
      'The answers do not have the expected form: answers/b must have “choice”.',
    );
    expect(readAnswers({ name: 'x' }, 'squad').diagnostics.map(({ message }) => message)).toEqual([
      'The answers do not have the expected form: they must not have “name”.',
    ]);
    expect(diagnostics.every((it) => it.in === 'answers')).toBe(true);
  });

  it('takes no value that JSON cannot hold', () => {
    expect(faults({ answers: { a: { choice: 'x', value: () => 1 } } })).toEqual([
      ['api/answer-shape', '/answers/a/value'],
    ]);
  });

  it('names policies that cannot be', () => {
    expect(faults({ policies: { 'cyclic-stage': 'consolidate' } })).toEqual([
      ['api/policy-kind', '/policies/cyclic-stage'],
    ]);
    const { diagnostics } = readAnswers({ policies: { 'cyclic-stage': 'consolidate' } }, 'squad');
    expect(diagnostics[0]?.help).toBe(
      'Write “cyclic-stages” if that is the kind you mean, or remove the policy.',
    );
    expect(faults({ policies: { 'cyclic-stages': 'split' } })).toEqual([
      ['api/policy-choice', '/policies/cyclic-stages'],
    ]);
    expect(faults({ policies: { 'missing-auth': 'header' } })).toEqual([
      ['api/policy-needs-value', '/policies/missing-auth'],
    ]);
    expect(faults({ policies: { toString: 'consolidate' } })).toEqual([
      ['api/policy-kind', '/policies/toString'],
    ]);
  });

  it('offers a policy what the target offers', () => {
    const file = { policies: { 'logical-condition': 'guard', 'critical-variable': 'argument' } };
    expect(faults(file, 'vapi')).toEqual([]);
    expect(faults(file, 'squad').map(([code]) => code)).toEqual([
      'api/policy-choice',
      'api/policy-choice',
    ]);
  });

  it('tells faults in the order of the kinds, not of the keys', () => {
    const one = { policies: { b: 'x', a: 'x' } };
    const other = { policies: { a: 'x', b: 'x' } };
    expect(faults(one)).toEqual(faults(other));
  });
});

describe('findStaleAnswers', () => {
  it('names answers that no question asked for, by name', () => {
    const answers = { answers: { z: { choice: 'x' }, b: { choice: 'x' }, 'c/d': { choice: 'x' } } };
    const stale = findStaleAnswers(answers, new Set(['b']));
    expect(stale.map(({ code, at, severity }) => [code, at, severity])).toEqual([
      ['api/stale-answer', '/answers/c~1d', 'warning'],
      ['api/stale-answer', '/answers/z', 'warning'],
    ]);
    expect(findStaleAnswers({}, new Set())).toEqual([]);
  });
});
