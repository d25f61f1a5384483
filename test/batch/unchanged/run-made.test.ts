import { describe, expect, it } from 'vitest';
import { givenOfRun, RowPlaces } from '../../../src/batch/unchanged/run-made.js';
import { temporaryFolder } from '../../cli/temporary-folder.js';

const plan = { sources: [], faults: [], spread: false };
const made = { ofRun: 'r', ofAnswers: new Map([['k', 'a']]) };

describe('what a run is given', () => {
  it('is another text for everything that its summaries and pages depend on', () => {
    const all = [
      givenOfRun(plan, made, null),
      givenOfRun(plan, made, 'none'),
      givenOfRun(plan, made, 'all'),
      givenOfRun({ ...plan, spread: true }, made, null),
      givenOfRun(plan, { ...made, ofRun: 's' }, null),
      givenOfRun(plan, { ...made, ofAnswers: new Map() }, null),
      givenOfRun(plan, { ...made, ofAnswers: new Map([['k', 'b']]) }, null),
    ];
    expect(new Set(all).size).toBe(all.length);
    expect(givenOfRun({ ...plan }, { ...made }, null)).toBe(all[0]);
  });
});

/** The hash of so many rows, of which one stands elsewhere. */
function digest(amount: number, moved = -1): string {
  const rows = new RowPlaces(temporaryFolder().folder, null);
  for (let row = 0; row < amount; row += 1) rows.add(row, row === moved ? 1 : undefined, 'f');
  return rows.digest();
}

describe('the places of rows', () => {
  it('are told apart by each of them, however many there are', () => {
    const amounts = [0, 1, 1023, 1024, 1025, 5000];
    expect(new Set(amounts.map((amount) => digest(amount))).size).toBe(amounts.length);
    for (const moved of [0, 1023, 1024, 4999]) {
      expect(digest(5000, moved)).not.toBe(digest(5000));
    }
    expect(digest(5000)).toBe(digest(5000));
  });
});
