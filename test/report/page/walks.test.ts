/** Test calls on a page. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { planWalks } from '../../../src/report/page/walks.js';
import { exampleOf } from '../example-run.js';

const read = (name: string) => readFileSync(`golden/${name}/input.json`, 'utf8');

describe('the walks of a result', () => {
  it('are planned where it is complete', () => {
    const { result } = exampleOf({ source: 'a.json', text: read('worked-pattern') });
    const walks = planWalks(result);
    expect('plan' in walks && walks.plan.scripts.length).toBe(2);
  });

  it('are planned with the answers, whose subjects the compiler does not know', () => {
    const text = read('cycle-consolidated');
    const answers = JSON.parse(readFileSync('golden/cycle-consolidated/answers.json', 'utf8'));
    const { result } = exampleOf({ source: 'a.json', text, answers });
    expect(result.status).toBe('complete');
    const withSubjects = Object.entries(result.answers).map(([id, answer]) => [
      id,
      { ...answer, subject: '0123456789abcdef' },
    ]);
    const walks = planWalks({ ...result, answers: Object.fromEntries(withSubjects) });
    expect('plan' in walks && walks.plan.scripts.length).toBeGreaterThan(0);
  });

  it('are not planned while questions are open, and where the workflow is large', () => {
    const { result } = exampleOf({ source: 'a.json', text: read('cycle-open') });
    expect(planWalks(result)).toHaveProperty('note');
    const complete = exampleOf({ source: 'a.json', text: read('worked-pattern') }).result;
    const stats = { ...complete.stats, edges: 100_000 };
    expect(planWalks({ ...complete, stats })).toHaveProperty('note');
  });

  it('are not planned where masking changed the workflow', () => {
    const { result } = exampleOf({ source: 'a.json', text: read('worked-pattern') });
    expect(planWalks({ ...result, workflow: { nodes: [] } })).toHaveProperty('note');
  });
});
