import { describe, expect, it } from 'vitest';
import { openDialogue } from '../../../src/compiler/1-read/decide.js';
import type { Answers } from '../../../src/compiler/ir/answers.js';
import type { Inquiry } from '../../../src/compiler/ir/inquiry.js';
import type { Json } from '../../../src/compiler/ir/json.js';
import { ask } from '../../../src/diagnostics/questions.js';
import { codes } from '../build.js';

const more = { subject: { of: 'start' }, allowed: new Map() } as const;

function cycle(id = 'a', other: Partial<Inquiry> = {}): Inquiry {
  const args = { stages: ['a', 'b'] };
  const proposed = { at: ['/nodes/0'], args, target: 'squad', proposal: 'consolidate' } as const;
  const question = ask('cyclic-stages', id, proposed);
  const allowed = new Map([['group', new Set(['a', 'b', 'c'])]]);
  return { ...more, question, allowed, assumed: { choice: 'consolidate' }, ...other };
}

function auth(id = 'r'): Inquiry {
  const question = ask('missing-auth', id, { at: [], args: { node: id }, target: 'squad' });
  return { ...more, question, assumed: { choice: 'none' } };
}

function settle(answers: Answers, ...inquiries: Inquiry[]) {
  const dialogue = openDialogue(answers);
  const decisions = dialogue.decide(inquiries);
  return {
    decided: decisions.map(({ choice, value, by }) => [choice, value, by]),
    open: dialogue.open.map(({ id }) => id),
    faults: dialogue.diagnostics,
    asked: [...dialogue.asked],
  };
}

const answer = (id: string, choice: string, value?: Json): Answers => ({
  answers: { [id]: value === undefined ? { choice } : { choice, value } },
});

describe('openDialogue', () => {
  it('assumes the proposal, else what a draft needs, and leaves the question open', () => {
    const { decided, open, asked } = settle({}, cycle(), auth());
    expect(decided).toEqual([
      ['consolidate', null, 'assumption'],
      ['none', null, 'assumption'],
    ]);
    expect(open).toEqual(['cyclic-stages:a', 'missing-auth:r']);
    expect(asked).toEqual(open);
  });

  it('assumes the value of the proposal', () => {
    const args = { candidates: ['a', 'b'] };
    const proposed = {
      at: [],
      args,
      target: 'squad',
      proposal: 'node',
      proposalValue: 'b',
    } as const;
    const question = ask('ambiguous-start', 'workflow', proposed);
    const inquiry = { ...more, question, assumed: { choice: 'node', value: 'a' } };
    expect(settle({}, inquiry).decided).toEqual([['node', 'b', 'assumption']]);
  });

  it('takes an answer, with its value where the choice has one', () => {
    const kept = settle(answer('cyclic-stages:a', 'keep-split'), cycle());
    expect(kept).toMatchObject({ decided: [['keep-split', null, 'answer']], open: [], faults: [] });
    const grouped = settle(answer('cyclic-stages:a', 'group', [['a'], ['b', 'c']]), cycle());
    expect(grouped.decided).toEqual([['group', [['a'], ['b', 'c']], 'answer']]);
  });

  it('takes an answer for the question that it names, and no other', () => {
    const { open } = settle(answer('cyclic-stages:b', 'keep-split'), cycle('a'), cycle('b'));
    expect(open).toEqual(['cyclic-stages:a']);
  });

  it('takes a policy for every question of its kind', () => {
    const policies = { 'cyclic-stages': 'keep-split' };
    const { decided, open } = settle({ policies }, cycle('a'), cycle('b'), auth());
    expect(decided.map(([choice]) => choice)).toEqual(['keep-split', 'keep-split', 'none']);
    expect(open).toEqual(['missing-auth:r']);
  });

  it('prefers the single answer to the policy', () => {
    const policies = { 'cyclic-stages': 'keep-split' };
    const answers = { ...answer('cyclic-stages:a', 'consolidate'), policies };
    expect(settle(answers, cycle('a'), cycle('b')).decided.map(([choice]) => choice)).toEqual([
      'consolidate',
      'keep-split',
    ]);
  });

  it('does not fall back on the policy where the single answer does not fit', () => {
    const policies = { 'cyclic-stages': 'keep-split' };
    const { open, faults } = settle({ ...answer('cyclic-stages:a', 'keep'), policies }, cycle());
    expect(open).toEqual(['cyclic-stages:a']);
    expect(codes(faults)).toEqual(['api/answer-choice']);
  });

  it('lets no policy give a choice that needs a value, or that is not offered', () => {
    expect(settle({ policies: { 'cyclic-stages': 'group' } }, cycle()).open).toHaveLength(1);
    expect(settle({ policies: { 'missing-auth': 'never' } }, auth()).open).toHaveLength(1);
  });

  it.each<[string, Answers, string, string]>([
    [
      'a choice that there is not',
      answer('cyclic-stages:a', 'split'),
      'api/answer-choice',
      '/choice',
    ],
    ['a value that is missing', answer('cyclic-stages:a', 'group'), 'api/answer-value', ''],
    ['a value of another shape', answer('cyclic-stages:a', 'group', ['a']), 'api/answer-value', ''],
    [
      'a value that is not offered',
      answer('cyclic-stages:a', 'group', [['z']]),
      'api/answer-value',
      '',
    ],
    [
      'a value twice',
      answer('cyclic-stages:a', 'group', [
        ['a', 'b'],
        ['b', 'c'],
      ]),
      'api/answer-value',
      '',
    ],
    ['a value too many', answer('cyclic-stages:a', 'keep-split', 'a'), 'api/answer-value', ''],
  ])('refuses %s, and leaves the question open', (_, answers, code, within) => {
    const { open, faults, decided } = settle(answers, cycle());
    expect(open).toEqual(['cyclic-stages:a']);
    expect(decided).toEqual([['consolidate', null, 'assumption']]);
    const at = `/answers/cyclic-stages:a${within}`;
    expect(faults).toMatchObject([{ code, at, in: 'answers', severity: 'error' }]);
  });

  it('takes null for no value', () => {
    expect(settle(answer('cyclic-stages:a', 'keep-split', null), cycle()).faults).toEqual([]);
  });

  it('hears what speaks against a value or a choice', () => {
    const objection = (choice: string) => (choice === 'keep-split' ? 'not here' : null);
    const objecting = cycle('a', { objection });
    const { open, faults } = settle(answer('cyclic-stages:a', 'keep-split'), objecting);
    expect(open).toHaveLength(1);
    expect(faults[0]!.message).toContain('not here');
    // A policy answers where it can; where it cannot, the question stays open without a fault.
    const byPolicy = settle({ policies: { 'cyclic-stages': 'keep-split' } }, objecting, cycle('b'));
    expect(byPolicy).toMatchObject({ open: ['cyclic-stages:a'], faults: [] });
  });
});
