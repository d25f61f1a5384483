import { expect, it } from 'vitest';
import { totalsOf } from '../../src/report/totals.js';
import { rowWith, stats } from './rows.js';

it('adds up what the rows say', () => {
  const totals = totalsOf([
    rowWith({ warnings: 2 }),
    rowWith({
      status: 'needs-answers',
      questions: { 'missing-auth': 2, 'cyclic-stages': 1 },
      assessment: { level: 'B', size: 2, minutes: 30, automatic: 1, manual: 1 },
    }),
    rowWith({
      status: 'invalid',
      stats: { ...stats, nodes: 10, assistants: 0 },
      errors: 3,
      questions: { 'missing-auth': 1 },
      assessment: { level: 'C', size: 1, minutes: 20, automatic: 0, manual: 2 },
    }),
  ]);
  expect(totals).toEqual({
    workflows: 3,
    byStatus: { complete: 1, 'needs-answers': 1, invalid: 1, failed: 0 },
    byLevel: { A: 1, B: 1, C: 1 },
    questions: { 'cyclic-stages': 1, 'missing-auth': 3 },
    nodes: 22,
    assistants: 6,
    minutes: 55,
    errors: 3,
    warnings: 2,
  });
  expect(Object.keys(totals.questions)).toEqual(['cyclic-stages', 'missing-auth']);
});

it('counts a kind that bears the name of a member of objects', () => {
  const kinds = JSON.parse('{"__proto__":1,"constructor":2}');
  const { questions } = totalsOf([rowWith({ questions: kinds }), rowWith({ questions: kinds })]);
  expect(JSON.stringify(questions)).toBe('{"__proto__":2,"constructor":4}');
});
