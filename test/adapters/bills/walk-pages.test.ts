/** Walking through pages of records that change meanwhile. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BillListRecord,
  type BillListResponse,
  type BillQuery,
  createBillsClient,
} from '../../../src/bills.js';
import { runs, seed } from '../../seed.js';

/** What the service answers to a range of positions. */
type FetchPage = (query: BillQuery) => Promise<BillListResponse | null | undefined>;

const headers = { 'content-type': 'application/json' };

function iterate(fetchPage: FetchPage, query: BillQuery) {
  const fetch = async (url: unknown) => {
    const asked = new URL(`${url}`).searchParams;
    const [fromRecord, limitRecord] = ['fromRecord', 'limitRecord'].map((n) =>
      Number(asked.get(n)),
    );
    const page = await fetchPage({ fromRecord, limitRecord });
    return new Response(JSON.stringify(page ?? null), { headers });
  };
  const options = { baseUrl: 'https://api.example.com', auth: { apiKey: 'k' }, fetch };
  return createBillsClient(options).iterate('e', query);
}

/** A service that holds these ids; `before` may change them before each page. */
function serve(
  ids: number[],
  { before = () => {}, total = true, cap = Number.POSITIVE_INFINITY } = {} as {
    before?: (page: number) => void;
    total?: boolean;
    cap?: number;
  },
) {
  const asked: [from: number, size: number][] = [];
  const fetchPage: FetchPage = async ({ fromRecord: from = -1, limitRecord: size = -1 }) => {
    before(asked.length);
    asked.push([from, size]);
    const end = size > 0 ? from + Math.min(size, cap) : undefined;
    const Records: BillListRecord[] = ids.slice(from, end).map((IdBill) => ({ IdBill }));
    return total ? { Records, Summary: { totalRecords: ids.length } } : { Records };
  };
  return { asked, fetchPage };
}

async function walk(fetchPage: FetchPage, start: number, size: number): Promise<number[]> {
  const found: number[] = [];
  const range = { fromRecord: start, limitRecord: size };
  for await (const { IdBill = -1 } of iterate(fetchPage, range)) {
    found.push(IdBill);
    if (found.length > 5000) throw new Error('does not end');
  }
  return found;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('records that stay as they are', () => {
  it('come once and in order, from any start, in pages of any size, with a total or without', async () => {
    const cases = fc.record({
      count: fc.nat(40),
      start: fc.nat(45),
      size: fc.integer({ min: -1, max: 50 }),
      total: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ count, start, size, total }) => {
        const { fetchPage } = serve(range(count), { total });
        expect(await walk(fetchPage, start, size)).toEqual(range(count).slice(start));
      }),
      { seed, numRuns: runs(300) },
    );
  });

  it('are fetched with no page too many', async () => {
    const { asked, fetchPage } = serve(range(6));
    await walk(fetchPage, 0, 3);
    expect(asked).toEqual([
      [0, 3],
      [3, 3],
    ]);
  });

  it('are all there when the service gives fewer at a time than asked for', async () => {
    const { asked, fetchPage } = serve(range(7), { cap: 3 });
    expect(await walk(fetchPage, 0, 100)).toEqual(range(7));
    expect(asked.map(([from]) => from)).toEqual([0, 3, 6]);
  });

  it('are fetched from the right places when positions are texts', async () => {
    const { fetchPage } = serve(range(9));
    expect(await walk(fetchPage, '2' as never, '3' as never)).toEqual(range(9).slice(2));
  });

  it('are fetched as they are taken', async () => {
    const { asked, fetchPage } = serve(range(9));
    const records = iterate(fetchPage, { limitRecord: 3 });
    for (let count = 0; count < 3; count += 1) await records.next();
    expect(asked.length).toBe(1);
    await records.return();
    expect(asked.length).toBe(1);
  });
});

describe('records that change', () => {
  it('lose none when others before them are removed', async () => {
    const ids = range(30);
    const { fetchPage } = serve(ids, {
      before: (page) => {
        if (page === 2) ids.splice(0, 7);
      },
    });
    const found = await walk(fetchPage, 0, 5);
    expect([...found].sort((a, b) => a - b)).toEqual(range(30));
  });

  it('come once when others are added before them', async () => {
    const ids = range(12);
    const { fetchPage } = serve(ids, {
      before: (page) => {
        if (page === 1) ids.unshift(100, 101, 102, 103, 104);
      },
    });
    const found = await walk(fetchPage, 0, 5);
    expect(found).toEqual(range(12));
  });

  it('end, hold nothing twice, and hold all that was there throughout if nothing is added', async () => {
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
        const { fetchPage } = serve(ids, { before });
        const found = await walk(fetchPage, 0, size).catch(endedByError);
        expect(found !== null || additions.length > 0).toBe(true);
        if (found === null) return;
        expect(new Set(found).size).toBe(found.length);
        if (additions.length === 0) expect(found).toEqual(expect.arrayContaining(ids));
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

/** Much that is added in small pages looks like a service that repeats itself. */
function endedByError(error: unknown): null {
  expect(error).toMatchObject({ code: 'api/repeated-page' });
  return null;
}

describe('a service that is broken', () => {
  const forever =
    (page: BillListResponse): FetchPage =>
    async () =>
      page;
  const same = [{ IdBill: 1 }, { IdBill: 2 }];

  it.each([
    ['with a total', { Records: same, Summary: { totalRecords: 1000 } }],
    ['without one', { Records: same }],
    ['with a total that is none', { Records: same, Summary: { totalRecords: 'x' } } as never],
    ['with null for one', { Records: same, Summary: { totalRecords: null } } as never],
  ])('and repeats a page is told: %s', async (_name, page) => {
    await expect(walk(forever(page), 0, 2)).rejects.toMatchObject({
      code: 'api/repeated-page',
      operation: 'bills.list',
      outcome: 'applied',
    });
  });

  it('and whose total goes up and down comes to an end', async () => {
    let page = 0;
    const restless: FetchPage = async () => {
      page += 1;
      return { Records: [{ IdBill: 1 }], Summary: { totalRecords: 100 + (page % 2) } };
    };
    await expect(walk(restless, 0, 1)).rejects.toMatchObject({ code: 'api/repeated-page' });
  });

  it.each([{ Summary: {} }, { Summary: { totalRecords: 0 }, Records: null }, { Records: [] }])(
    '%j has no records',
    async (page) => {
      expect(await walk(forever(page as BillListResponse), 0, 2)).toEqual([]);
    },
  );

  it.each([null, undefined, 'x', [], {}, { Records: null }, { Records: 'x' }, { Records: {} }])(
    '%j is not taken for an empty page',
    async (page) => {
      await expect(walk(forever(page as never), 0, 2)).rejects.toMatchObject({
        code: 'api/malformed',
      });
    },
  );
});
