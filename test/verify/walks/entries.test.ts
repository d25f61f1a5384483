import { describe, expect, it } from 'vitest';
import {
  keyOfEntry,
  type Lead,
  leadOf,
  readEntries,
  reviewEntries,
  startOfCall,
} from '../../../src/verify/walks/entries.js';

const condition = (text: string): Lead => ({ kind: 'condition', text });

function entriesOf(text: string) {
  return readEntries({ text, openingEnd: text.length, steps: [], anytime: null }, 0);
}

function wanted(...entries: readonly (readonly [Lead, number])[]) {
  return new Map(entries.map(([lead, step]) => [keyOfEntry(lead, step), [lead, step] as const]));
}

describe('the opening of a prompt', () => {
  it('leads to the only step where it says nothing', () => {
    expect(entriesOf('').stepsFor(condition('anything'))).toEqual([1]);
  });

  it('says at which step a call begins', () => {
    const entries = entriesOf(
      'At the start of the call, begin at step 1.\nIf a; or b, begin at step 2.\nAfter collecting x, begin at step 3.\n',
    );
    expect(entries.stepsFor(leadOf(startOfCall))).toEqual([1]);
    expect(entries.stepsFor(condition('a'))).toEqual([2]);
    expect(entries.stepsFor(condition('b'))).toEqual([2]);
    expect(entries.stepsFor({ kind: 'sentence', text: 'After collecting x' })).toEqual([3]);
    expect(entries.stepsFor(condition('c'))).toEqual([]);
  });

  it('finds a condition that holds words of the opening’s own', () => {
    const odd = 'x; or y, begin at step 9.\nIf z';
    const entries = entriesOf(`If ${odd}; or a, begin at step 2.\n`);
    expect(entries.stepsFor(condition(odd))).toEqual([2]);
    const review = reviewEntries(entries, wanted([condition(odd), 2], [condition('a'), 2]));
    expect(review).toEqual({ missing: [], unaccounted: [] });
  });

  it('names every step that a condition leads to', () => {
    expect(
      entriesOf('If a, begin at step 1.\nIf a, begin at step 3.\n').stepsFor(condition('a')),
    ).toEqual([1, 3]);
  });

  it('shows what is missing and what is too much', () => {
    const entries = entriesOf('If a, begin at step 1.\nIf b, begin at step 2.\n');
    const review = reviewEntries(entries, wanted([condition('a'), 1], [condition('c'), 2]));
    expect(review.missing).toEqual([[condition('c'), 2]]);
    expect(review.unaccounted).toEqual(['If b, begin at step 2.\n']);
  });
});
