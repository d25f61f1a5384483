/**
 * Walks a list record by record, page by page.
 *
 * In: a function that fetches a page. Out: every record once. Pages are counted by position, so
 * records that are added in the meantime move all that follow: some come again, and are skipped by
 * id. After records were removed, some may be missed. It ends at an empty page, at the total or, if
 * there is no total, at a page that is not full. Guarantee: it ends, with an error if the service
 * repeats the same records endlessly.
 */
import type { BillListRecord, BillListResponse } from '../../schemas/bills-types.generated.js';
import { ApiError, type ApiErrorCode } from '../http/error.js';

/** With more pages than this in a row without a new record, the walk fails. */
const patience = 10;

export async function* walkPages<
  Query extends { fromRecord?: number | undefined; limitRecord?: number | undefined },
>(
  operation: string,
  query: Query | undefined,
  fetchPage: (query: Query) => Promise<BillListResponse | null | undefined>,
): AsyncGenerator<BillListRecord, void, undefined> {
  const { fromRecord = 0, limitRecord: size = 100 } = query ?? {};
  const seen = new Set<unknown>();
  // Adding a number to a string would append it.
  let [from, stale] = [Number(fromRecord), 0];

  /** The service answered, but not as specified. */
  const failure = (code: ApiErrorCode) =>
    new ApiError({ code, operation, outcome: 'applied', reason: 'Records' });

  for (;;) {
    const place = { format: undefined, fromRecord: from, limitRecord: size };
    const page = await fetchPage({ ...query, ...place } as unknown as Query);
    // The service may leave out the list if it is empty.
    const records = page?.Records ?? (page?.Summary && []);
    if (!Array.isArray(records)) throw failure('api/malformed');
    const before = seen.size;
    for (const record of records) {
      // A record without an id is always new.
      const id = record?.IdBill ?? record;
      if (seen.has(id)) continue;
      seen.add(id);
      yield record;
    }
    from += records.length;
    // NaN if there is no total, so that every comparison is false.
    const total = Number(`${page?.Summary?.totalRecords}`);
    const isLast = records.length === 0 || from >= total;
    if (isLast || (Number.isNaN(total) && records.length < size)) return;
    stale = seen.size > before ? 0 : stale + 1;
    if (stale > patience) throw failure('api/repeated-page');
  }
}
