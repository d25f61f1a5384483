/**
 * All entries of a list, page by page.
 *
 * In: the query of the caller, who may name the first page, and how a page is had. Out: its entries,
 * then those of the next page, as the caller asks for them.
 * Guarantee: it ends. A page token that was there before would lead around in circles.
 */
import { unexpected } from './unexpected.js';

/** One page of a list. */
export interface List<Entry = unknown> {
  readonly object: 'list';
  readonly data: readonly Entry[];
  readonly nextPageToken?: string | null;
}

export interface PageQuery {
  readonly nextPageToken?: unknown;
}

export async function* iteratePages(
  operation: string,
  query: PageQuery | undefined,
  page: (query: PageQuery) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  const seen = new Set<unknown>();
  let token = query?.nextPageToken;
  do {
    if (seen.has(token)) throw unexpected('api/repeated-page', operation, 'nextPageToken');
    seen.add(token);
    const list = (await page({ ...query, nextPageToken: token })) as List | undefined;
    if (!Array.isArray(list?.data)) throw unexpected('api/malformed', operation, 'data');
    yield* list.data;
    token = list.nextPageToken;
  } while (token);
}
