/**
 * Walks a list record by record, page by page.
 *
 * In: a function that fetches a page. Out: every record once. Pages are counted by position, so
 * records added or removed in the meantime move all that follow:
 * - added before our position: some records come again, and are skipped by id;
 * - removed before our position: the walk steps back by as many as the total has fallen.
 * (If as many are added as removed between two pages, this goes unnoticed.)
 * It ends at an empty page, at the total or, if there is no total, at a page that is not full.
 * Guarantee: it ends, with an error if the service repeats the same records endlessly.
 */
import type { BillListRecord, BillListResponse } from '../../schemas/bills-types.generated.js';
import { unexpected } from '../http/error.js';

export async function* walkPages<
  Query extends { fromRecord?: number | undefined; limitRecord?: number | undefined },
>(
  operation: string,
  query: Query | undefined,
  fetchPage: (query: Query) => Promise<unknown> | undefined,
): AsyncGenerator<BillListRecord, void, undefined> {
  const { fromRecord: start = 0, limitRecord: size = 100 } = query ?? {};
  const seen = new Set<unknown>();
  let [from, known, stale] = [start, 0, 0];

  for (;;) {
    const place = { ...query, fromRecord: from, limitRecord: size } as Query;
    const page: BillListResponse = Object(await fetchPage(place));
    // The service may leave out the list if it is empty.
    const records = page.Records ?? (page.Summary && []);
    if (!Array.isArray(records)) throw unexpected('api/malformed', operation, 'Records');
    const before = seen.size;
    for (const record of records) {
      // A record without an id is always new.
      const id = record?.IdBill ?? record;
      if (seen.has(id)) continue;
      seen.add(id);
      yield record;
    }
    const next = from + records.length;
    // NaN if there is no total, so that every comparison is false.
    const total = Number(`${page.Summary?.totalRecords}`);
    const removed = known > total ? known - total : 0;
    const isLast = next === from || next >= total || (Number.isNaN(total) && records.length < size);
    if (isLast && !removed) return;
    // Ten pages in a row without a new record are enough. A page read again after a step back has
    // nothing new; each step back counts.
    if (seen.size > before) stale = 0;
    else if (removed || from >= start + before) stale += 1;
    if (stale > 10) throw unexpected('api/repeated-page', operation, 'Records');
    from = removed ? Math.max(start, from - removed) : next;
    known = total;
  }
}
