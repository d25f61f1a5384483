/** Walking through pages of records, which may change meanwhile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBillsClient } from '../../../src/bills.js';
import { runs, seed } from '../../seed.js';
import { answer, failureOf, scripted } from '../harness.js';

interface Service {
  /** Called before each page, with its number; may change the ids. */
  readonly before?: (page: number) => void;
  readonly total?: boolean;
  /** Never gives more at once. */
  readonly cap?: number;
}

/** A client of a service that holds these ids, and where its pages began. */
function serve(ids: number[], { before, total = true, cap = Infinity }: Service = {}) {
  const asked: number[] = [];
  const { fetch } = scripted((request) => {
    const { searchParams } = new URL(request.url);
    const [from, size] = [searchParams.get('fromRecord'), searchParams.get('limitRecord')].map(
      Number,
    );
    before?.(asked.length);
    asked.push(from as number);
    const end = Number(size) > 0 ? Number(from) + Math.min(Number(size), cap) : undefined;
    const Records = ids.slice(from, end).map((IdBill) => ({ IdBill }));
    return answer(200, { Records, ...(total && { Summary: { totalRecords: ids.length } }) })(
      request,
    );
  });
  return { asked, fetch };
}

async function walk(fetch: typeof globalThis.fetch, fromRecord: number, limitRecord: number) {
  const bills = createBillsClient({ baseUrl: 'https://x.example', auth: { apiKey: 'k' }, fetch });
  const found: number[] = [];
  for await (const { IdBill = -1 } of bills.iterate('e', { fromRecord, limitRecord })) {
    found.push(IdBill);
    if (found.length > 5000) throw new Error('does not end');
  }
  return found;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('records that do not change', () => {
  it('arrive once and in order, from any start, in pages of any size, with or without a total', async () => {
    const cases = fc.record({
      count: fc.nat(40),
      start: fc.nat(45),
      size: fc.integer({ min: -1, max: 50 }),
      total: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, start, size, total }) => {
        const { fetch } = serve(range(count), { total });
        expect(await walk(fetch, start, size)).toEqual(range(count).slice(start));
      }),
      { seed, numRuns: runs(100) },
    );
  });

  it.each<[string, number, number, number, number, number[]]>([
    ['no extra page', 6, 0, 3, Infinity, [0, 3]],
    ['pages shorter than requested', 7, 0, 100, 3, [0, 3, 6]],
  ])('are fetched: %s', async (_, count, from, size, cap, expected) => {
    const { asked, fetch } = serve(range(count), { cap });
    expect(await walk(fetch, from, size)).toEqual(range(count).slice(from));
    expect(asked).toEqual(expected);
  });
});

describe('records that change', () => {
  it('end, have no duplicates, and miss nothing that was there throughout if nothing is added', async () => {
    const change = fc.record({ page: fc.nat(12), at: fc.nat(50), count: fc.nat(6) });
    const cases = fc.record({
      count: fc.nat(50),
      size: fc.integer({ min: 1, max: 12 }),
      removals: fc.array(change, { maxLength: 6 }),
      additions: fc.array(change, { maxLength: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, size, removals, additions }) => {
        const ids = range(count);
        let next = 1000;
        const before = (page: number) => {
          for (const each of removals) if (each.page === page) ids.splice(each.at, each.count);
          for (const each of additions) {
            if (each.page === page) ids.splice(each.at, 0, ...range(each.count).map(() => next++));
          }
        };
        const { fetch } = serve(ids, { before });
        const found = await walk(fetch, 0, size).catch((error: unknown) => {
          // Much that is added in small pages looks like a service that repeats itself.
          expect(error).toMatchObject({ code: 'api/repeated-page' });
          expect(additions.length).toBeGreaterThan(0);
          return null;
        });
        if (found === null) return;
        expect(new Set(found).size).toBe(found.length);
        if (additions.length === 0) expect(found).toEqual(expect.arrayContaining(ids));
      }),
      { seed, numRuns: runs(200) },
    );
  });
});

describe('a broken service', () => {
  const same = [{ IdBill: 1 }, { IdBill: 2 }];
  const totals = (totalRecords: unknown) => ({ Records: same, Summary: { totalRecords } });
  it.each<[string, ...object[]]>([
    ['repeats a page of a long list', totals(1000)],
    ['repeats a page', { Records: same }],
    ['sends a total that is not a number', totals('x')],
    ['sends null as the total', totals(null)],
    ['sends a total that goes up and down', ...range(50).map((page) => totals(100 + (page % 2)))],
  ])('%s, and the walk ends with an error', async (_name, ...pages) => {
    const { fetch } = scripted(...pages.map((page) => answer(200, page)));
    const told = { code: 'api/repeated-page', operation: 'bills.list', outcome: 'applied' };
    expect(await failureOf(walk(fetch, 0, 2))).toMatchObject(told);
  });

  it.each([{ Summary: {} }, { Summary: { totalRecords: 0 }, Records: null }, { Records: [] }])(
    '%j is an empty page',
    async (page) => expect(await walk(scripted(answer(200, page)).fetch, 0, 2)).toEqual([]),
  );

  it.each([null, '"x"', [], {}, { Records: null }, { Records: 'x' }, { Records: {} }])(
    '%j is not mistaken for an empty page',
    async (page) => {
      const { fetch } = scripted(answer(200, page));
      expect((await failureOf(walk(fetch, 0, 2))).code).toBe('api/malformed');
    },
  );
});
