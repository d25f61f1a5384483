/** Which rows of the fleet are shown, and in which order. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FleetRow } from '../../../src/report/client/fleet-row.js';
import { rowsOf, sortedBy, wholeFleet } from '../../../src/report/client/fleet-view.js';
import { windowAt } from '../../../src/report/client/window.js';
import { runs, seed } from '../../seed.js';

function row(
  name: string,
  parts: { status?: string; level?: string; minutes?: number; kinds?: string } = {},
): FleetRow {
  const { status = 'complete', level = 'A1', minutes = 5, kinds = '' } = parts;
  return [
    name,
    `flows/${name}.json`,
    `${name}-0`,
    status,
    level,
    3,
    1,
    0,
    kinds,
    0,
    0,
    minutes,
    '',
  ];
}

const rows = [
  row('Beta', { status: 'invalid', level: 'C2', minutes: 20 }),
  row('alpha', { minutes: 100 }),
  row('Ärzte', { status: 'needs-answers', level: 'B1', kinds: 'missing-auth' }),
  row('alpha', { status: 'failed', level: 'C1' }),
];

const names = (view: typeof wholeFleet) => rowsOf(rows, view).map(([name]) => name);

describe('the view of a fleet', () => {
  it('is the input at first', () => {
    expect(rowsOf(rows, wholeFleet)).toEqual(rows);
  });

  it('finds words in names, sources and kinds, in whatever case and composition', () => {
    expect(names({ ...wholeFleet, text: 'ALPHA' })).toEqual(['alpha', 'alpha']);
    expect(names({ ...wholeFleet, text: ' auth  a\u0308rzte ' })).toEqual(['Ärzte']);
    expect(names({ ...wholeFleet, text: 'flows/beta' })).toEqual(['Beta']);
    expect(names({ ...wholeFleet, text: 'alpha beta' })).toEqual([]);
  });

  it('keeps one status or level', () => {
    expect(names({ ...wholeFleet, status: 'failed' })).toEqual(['alpha']);
    expect(names({ ...wholeFleet, level: 'C' })).toEqual(['Beta', 'alpha']);
  });

  it('sorts numbers as numbers, texts without case, statuses by gravity', () => {
    const minutes = sortedBy(wholeFleet, 'minutes');
    expect(rowsOf(rows, minutes).map((each) => each[11])).toEqual([5, 5, 20, 100]);
    expect(names(sortedBy(wholeFleet, 'name'))).toEqual(['alpha', 'alpha', 'Beta', 'Ärzte']);
    expect(rowsOf(rows, sortedBy(wholeFleet, 'status')).map((each) => each[3])).toEqual([
      'failed',
      'invalid',
      'needs-answers',
      'complete',
    ]);
  });

  it('goes upwards, downwards, and back to the input', () => {
    const up = sortedBy(wholeFleet, 'minutes');
    const down = sortedBy(up, 'minutes');
    expect([up.descending, down.descending, sortedBy(down, 'minutes')]).toEqual([
      false,
      true,
      wholeFleet,
    ]);
    expect(sortedBy(down, 'name')).toMatchObject({ column: 'name', descending: false });
  });

  it('keeps equal rows as they were', () => {
    const equal = [row('a', { level: 'A1' }), row('b', { level: 'A1' }), row('c', { level: 'A1' })];
    const down = sortedBy(sortedBy(wholeFleet, 'level'), 'level');
    expect(rowsOf(equal, down).map(([name]) => name)).toEqual(['a', 'b', 'c']);
  });
});

describe('the window of a long table', () => {
  it('holds every row that is in sight, and few others', () => {
    const amounts = fc.record({
      scrolled: fc.nat(300_000),
      height: fc.nat(3_000),
      count: fc.nat(5_000),
    });
    fc.assert(
      fc.property(amounts, ({ scrolled, height, count }) => {
        const { start, end } = windowAt(scrolled, height, 40, count);
        const first = Math.min(Math.floor(scrolled / 40), count);
        const last = Math.min(count, Math.ceil((scrolled + height) / 40));
        expect(start).toBeLessThanOrEqual(first);
        expect(end).toBeGreaterThanOrEqual(last);
        expect(end).toBeLessThanOrEqual(count);
        expect(end - start).toBeLessThanOrEqual(height / 40 + 26);
      }),
      { seed, numRuns: runs(300) },
    );
  });
});
