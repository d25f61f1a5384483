import { describe, expect, it } from 'vitest';
import { parseContext, parseModel, parsePolicy } from '../../src/cli/compile-flags.js';

describe('parseModel', () => {
  it.each([
    ['openai/gpt-4o', 'openai', 'gpt-4o'],
    ['openai:gpt-4o', 'openai', 'gpt-4o'],
    ['together/meta-llama/llama:free', 'together', 'meta-llama/llama:free'],
    ['groq:meta/llama', 'groq', 'meta/llama'],
  ])('%s', (text, provider, model) => {
    expect(parseModel(text)).toEqual({ provider, model });
  });

  it.each(['gpt-4o', '/gpt-4o', 'openai/', ' / ', ''])('refuses "%s"', (text) => {
    expect(() => parseModel(text)).toThrow('openai/gpt-4o');
  });
});

describe('parseContext', () => {
  it.each([
    ['all', { type: 'all' }],
    ['none', { type: 'none' }],
    ['last:10', { type: 'lastNMessages', maxMessages: 10 }],
    ['user-and-assistant', { type: 'userAndAssistantMessages' }],
    ['previous-assistant', { type: 'previousAssistantMessages' }],
  ])('%s', (text, plan) => {
    expect(parseContext(text)).toEqual(plan);
  });

  it.each(['last', 'last:', 'last:0', 'last:-1', 'last:1.5', 'last:1e3', 'constructor', 'ALL', ''])(
    'refuses "%s"',
    (text) => {
      expect(() => parseContext(text)).toThrow('last:<n>');
    },
  );
});

describe('parsePolicy', () => {
  it('adds to the policies before it', () => {
    const first = parsePolicy('cyclic-stages=consolidate');
    expect(parsePolicy('missing-auth = none', first)).toEqual([
      ['cyclic-stages', 'consolidate'],
      ['missing-auth', 'none'],
    ]);
  });

  it.each(['cyclic-stages', '=none', 'missing-auth=', ''])('refuses "%s"', (text) => {
    expect(() => parsePolicy(text)).toThrow('<kind>=<choice>');
  });
});
