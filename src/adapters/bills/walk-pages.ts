/**
 * One record after the other, page by page.
 *
 * In: a function that fetches a page. Out: every record once. Pages are counted by position, so what
 * is added or removed meanwhile moves all that follows:
 * - added before us: records come a second time, and are passed over by their id;
 * - removed before us: as many were skipped as the total fell by, so the walk steps back by them.
 * (As many added as removed between two pages cannot be told from no change.)
 * It ends with an empty page, at the total, or, where no total is told, with a page that is not full.
 * Guarantee: it ends, with an error where the service gives the same records again and again.
 */
import type { BillListRecord, BillListResponse } from '../../schemas/bills-types.generated.js';
import { ApiError, type ApiErrorCode } from '../http/error.js';

/** More than this many pages in a row without a new record are no accident. */
const patience = 10;

export async function* walkPages<
  Query extends { fromRecord?: number | undefined; limitRecord?: number | undefined },
>(
  operation: string,
  query: Query | undefined,
  fetchPage: (query: Query) => Promise<BillListResponse | null | undefined>,
): AsyncGenerator<BillListRecord, void, undefined> {
  const { fromRecord = 0, limitRecord: size = 100 } = query ?? {};
  // A text would be lengthened where a number is added to.
  const start = Number(fromRecord);
  const seen = new Set<unknown>();
  let [from, known, stale] = [start, 0, 0];

  /** The service has answered, only not with what it promises. */
  const failure = (code: ApiErrorCode) =>
    new ApiError({ code, operation, outcome: 'applied', reason: 'Records' });

  for (;;) {
    const place = { format: undefined, fromRecord: from, limitRecord: size };
    const page = await fetchPage({ ...query, ...place } as unknown as Query);
    // The service may say nothing of records that there are none of.
    const records = page?.Records ?? (page?.Summary && []);
    if (!Array.isArray(records)) throw failure('api/malformed');
    const before = seen.size;
    for (const record of records) {
      // One without an id is like no other.
      const id = record?.IdBill ?? record;
      if (seen.has(id)) continue;
      seen.add(id);
      yield record;
    }
    const next = from + records.length;
    // Where none is told, not a number: neither more nor less than any.
    const total = Number(`${page?.Summary?.totalRecords}`);
    const removed = known > total ? known - total : 0;
    const isLast = next === from || next >= total || (Number.isNaN(total) && records.length < size);
    if (isLast && removed === 0) return;
    // What a step back reads again is not new, but each step back counts.
    if (seen.size > before) stale = 0;
    else if (removed > 0 || from >= start + before) stale += 1;
    if (stale > patience) throw failure('api/repeated-page');
    from = removed > 0 ? Math.max(start, from - removed) : next;
    known = total;
  }
}
