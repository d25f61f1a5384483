import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { acceptProposals } from '../../src/cli/accept-proposals.js';
import type { CompileOptions, CompileResult, Question } from '../../src/index.js';
import { runs, seed } from '../seed.js';
import { exampleQuestion, exampleResult } from './example-results.js';

const proposing = (id: string, value?: string): Question =>
  exampleQuestion({ id, proposal: 'yes', ...(value && { proposalValue: value }) });

/** A compiler that asks the questions of a list one after the other. */
function asking(questions: readonly Question[]) {
  const passes: CompileOptions[] = [];
  const compile = (options: CompileOptions): CompileResult => {
    passes.push(options);
    const open = questions.filter(({ id }) => !Object.hasOwn(options.answers?.answers ?? {}, id));
    const [next] = open;
    return exampleResult(next ? { status: 'needs-answers', questions: [next] } : {});
  };
  return { compile, passes };
}

describe('acceptProposals', () => {
  it('answers questions that answers raise, until none is open', () => {
    const { compile, passes } = asking([proposing('a'), proposing('b', 'value')]);
    const { result, options, questions } = acceptProposals(compile, { target: 'vapi' });
    expect(result.status).toBe('complete');
    expect(questions.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(options).toEqual({
      target: 'vapi',
      answers: { answers: { a: { choice: 'yes' }, b: { choice: 'yes', value: 'value' } } },
    });
    expect(passes).toHaveLength(3);
  });

  it('stops at a question without a proposal', () => {
    const { compile } = asking([proposing('a'), exampleQuestion({ id: 'b' })]);
    const { result, questions } = acceptProposals(compile, {});
    expect(result.questions.map(({ id }) => id)).toEqual(['b']);
    expect(questions.map(({ id }) => id)).toEqual(['a']);
  });

  it('keeps the answers and policies that were given', () => {
    const given = { answers: { x: { choice: 'no' } }, policies: { 'missing-auth': 'none' } };
    const { options } = acceptProposals(asking([proposing('a')]).compile, { answers: given });
    expect(options.answers).toEqual({
      answers: { x: { choice: 'no' }, a: { choice: 'yes' } },
      policies: { 'missing-auth': 'none' },
    });
  });

  it('ends although a question stays open after its answer', () => {
    let passes = 0;
    const stubborn = () => {
      passes++;
      return exampleResult({ status: 'needs-answers', questions: [proposing('a')] });
    };
    expect(acceptProposals(stubborn, {}).questions).toHaveLength(1);
    expect(passes).toBe(2);
  });

  it('never replaces an answer that a human gave', () => {
    const result = exampleResult({ status: 'needs-answers', questions: [proposing('a')] });
    const answers = { answers: { a: { choice: 'no' } } };
    expect(acceptProposals(() => result, { answers }).options.answers).toBe(answers);
  });

  it('answers nothing of an invalid workflow', () => {
    const result = exampleResult({ status: 'invalid', questions: [proposing('a')] });
    expect(acceptProposals(() => result, {}).questions).toEqual([]);
  });

  it('makes one pass more than there are questions, at most, whatever their ids', () => {
    const law = (ids: string[]) => {
      const { compile, passes } = asking(ids.map((id) => proposing(id)));
      const { result, questions } = acceptProposals(compile, {});
      expect(result.status).toBe('complete');
      expect(new Set(questions.map(({ id }) => id))).toEqual(new Set(ids));
      expect(passes).toHaveLength(ids.length + 1);
    };
    const ids = fc.uniqueArray(fc.oneof(fc.string(), fc.constant('__proto__')), { maxLength: 8 });
    fc.assert(fc.property(ids, law), { seed, numRuns: runs(100) });
  });
});
