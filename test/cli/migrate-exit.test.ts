import { describe, expect, it } from 'vitest';
import { WriteFault } from '../../src/batch/folder.js';
import type { Bad } from '../../src/batch/run.js';
import { codeOf, codeOfStop } from '../../src/cli/runs/run.js';
import { totalsOf } from '../../src/report/totals.js';
import { rowWith } from '../report/rows.js';

const fine: Bad = { invalid: 0, failed: 0, bugs: 0 };

/** How a run went, where it did not go well. */
interface Went extends Partial<Bad> {
  readonly open?: number;
  /** Sources in which there is no workflow. */
  readonly missing?: number;
  /** Summaries that could not be written. */
  readonly unwritten?: number;
  /** Whether ids could not be fetched. */
  readonly lacks?: boolean;
}

function codeAfter({ open = 0, missing = 0, unwritten = 0, lacks = false, ...bad }: Went) {
  const row = rowWith({ status: 'needs-answers' });
  const totals = totalsOf(Array(open).fill(row));
  const faults = Array(unwritten).fill(new WriteFault('batch/write-failed', ''));
  return codeOf({ totals, bad: { ...fine, ...bad }, faults }, lacks || missing > 0);
}

describe('the exit code of a run', () => {
  it.each<[code: number, after: string, went: Went]>([
    [0, 'all is complete', {}],
    [2, 'questions are open', { open: 1 }],
    [1, 'a workflow is invalid', { invalid: 1, open: 1 }],
    [74, 'a workflow failed', { failed: 1, invalid: 1, open: 1 }],
    [74, 'a source is not there', { missing: 1, invalid: 1, open: 1 }],
    [74, 'an id could not be fetched', { lacks: true, invalid: 1, open: 1 }],
    [74, 'a summary could not be written', { unwritten: 1, invalid: 1, open: 1 }],
    [70, 'a workflow failed by a bug', { bugs: 1, failed: 2, invalid: 1, open: 1 }],
    [70, 'a bug, whatever else is missing', { bugs: 1, failed: 1, missing: 1, unwritten: 1 }],
  ])('is %i where %s', (code, _, went) => expect(codeAfter(went)).toBe(code));
});

describe('the exit code of a run that was stopped', () => {
  it.each<[code: number, bad: Partial<Bad>]>([
    [1, { invalid: 1 }],
    [74, { invalid: 1, failed: 1 }],
    [70, { failed: 1, bugs: 1 }],
  ])('is %i by what stopped it: %j', (code, bad) => {
    expect(codeOfStop({ byUser: false, bad: { ...fine, ...bad } })).toBe(code);
  });

  it('is 130 where it was the user, whatever was bad before', () => {
    for (const bad of [fine, { invalid: 1, failed: 1, bugs: 1 }]) {
      expect(codeOfStop({ byUser: true, bad })).toBe(130);
    }
  });
});
