import { describe, expect, it } from 'vitest';
import { answersSnippet } from '../../src/report/answers-snippet.js';
import { cyclicQuestion, exampleQuestion } from '../cli/stub-api.js';

describe('answersSnippet', () => {
  it('holds the proposals', () => {
    const start = exampleQuestion({
      id: 'ambiguous-start:a,b',
      choices: [{ key: 'node', label: 'A node', effect: '…', value: { type: 'string' } }],
      proposal: 'node',
      proposalValue: 'a',
    });
    expect(answersSnippet([cyclicQuestion, start])).toEqual({
      answers: {
        'cyclic-stages:a,b': { choice: 'consolidate' },
        'ambiguous-start:a,b': { choice: 'node', value: 'a' },
      },
    });
  });

  it('does not choose where the source suggests nothing', () => {
    expect(answersSnippet([exampleQuestion()])).toEqual({
      answers: {
        'missing-destination:transfer': {
          choice: 'CHOOSE: number (with a value) | sip (with a value)',
        },
      },
    });
  });

  it('takes the only choice and leaves its value open', () => {
    const choices = [{ key: 'node', label: 'A node', effect: '…', value: { type: 'string' } }];
    expect(answersSnippet([exampleQuestion({ id: 'x', choices })])).toEqual({
      answers: { x: { choice: 'node', value: null } },
    });
  });

  it('takes ids that mean something to objects', () => {
    const snippet = answersSnippet([exampleQuestion({ ...cyclicQuestion, id: '__proto__' })]);
    expect(JSON.stringify(snippet)).toBe('{"answers":{"__proto__":{"choice":"consolidate"}}}');
  });
});
