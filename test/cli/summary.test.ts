import { describe, expect, it } from 'vitest';
import { summaryOf } from '../../src/cli/summary.js';
import { exampleDiagnostic, exampleQuestion, exampleResult } from './example-results.js';

const warning = exampleDiagnostic();
const error = exampleDiagnostic({ severity: 'error' });

describe('summaryOf', () => {
  it('counts what became of a workflow', () => {
    expect(summaryOf(exampleResult(), [warning])).toBe(
      'complete: 5 nodes → 3 assistants, 2 handoffs, 1 extraction',
    );
  });

  it('names the dialect where it is not that of the specification', () => {
    const told = exampleDiagnostic({ code: 'shape/dialect', severity: 'info' });
    expect(summaryOf(exampleResult(), [told])).toMatch(/^complete: 5 nodes \(dialect vapi\) → /);
  });

  it('counts open questions', () => {
    const open = (amount: number) =>
      exampleResult({ status: 'needs-answers', questions: Array(amount).fill(exampleQuestion()) });
    expect(summaryOf(open(2), [])).toBe('2 questions open');
    expect(summaryOf(open(1), [])).toBe('1 question open');
  });

  it('counts errors, and warnings where there are any', () => {
    const invalid = exampleResult({ status: 'invalid' });
    expect(summaryOf(invalid, [error, warning, error, error])).toBe('invalid: 3 errors, 1 warning');
    expect(summaryOf(invalid, [error])).toBe('invalid: 1 error');
  });
});
