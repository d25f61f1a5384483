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
import { ApiError, type ApiErrorCode } from '../http/api-error.js';
import type { BillListRecord, BillListResponse } from './bill-record.js';

export type FetchPage = (fromRecord: number, limitRecord: number) => Promise<BillListResponse>;

/** More than this many pages in a row without a new record are no accident. */
const patience = 10;

export async function* walkPages(
  operation: string,
  fetchPage: FetchPage,
  start: number,
  size: number,
): AsyncGenerator<BillListRecord, void, undefined> {
  const seen = new Set<unknown>();
  let from = start;
  let reached = start;
  let known = 0;
  let stale = 0;
  for (;;) {
    const page = await fetchPage(from, size);
    const records = recordsOf(page, operation);
    let fresh = 0;
    for (const record of records) {
      if (isRepeated(record, seen)) continue;
      fresh += 1;
      yield record;
    }
    const total = totalOf(page);
    const removed = from > start ? Math.max(0, known - (total ?? known)) : 0;
    if (size <= 0 || (removed === 0 && isLast(records.length, from, size, total))) return;
    // What a step back reads again is not new, but each step back counts.
    if (fresh > 0) stale = 0;
    else if (removed > 0 || from >= reached) stale += 1;
    if (stale > patience) throw failure('api/repeated-page', operation, 'Records');
    known = total ?? known;
    reached = Math.max(reached, from + records.length);
    from = removed === 0 ? from + records.length : Math.max(start, from - removed);
  }
}

/** Marks the record as seen; one without an id counts as new. */
function isRepeated(record: BillListRecord, seen: Set<unknown>): boolean {
  const id = record?.IdBill;
  if (id === undefined || id === null) return false;
  if (seen.has(id)) return true;
  seen.add(id);
  return false;
}

function isLast(got: number, from: number, size: number, total: number | undefined): boolean {
  return got === 0 || (total === undefined ? got < size : from + got >= total);
}

/** The service may say nothing of records that there are none of. */
function recordsOf(page: BillListResponse, operation: string): readonly BillListRecord[] {
  const records = (page as BillListResponse | null)?.Records ?? [];
  if (page && typeof page === 'object' && Array.isArray(records)) return records;
  throw failure('api/malformed', operation, 'Records');
}

function totalOf({ Summary }: BillListResponse): number | undefined {
  const total = Summary?.totalRecords;
  return Number.isSafeInteger(total) ? total : undefined;
}

/** The service has answered, only not with what it promises. */
function failure(code: ApiErrorCode, operation: string, reason: string): ApiError {
  return new ApiError({ code, operation, outcome: 'applied', reason });
}
