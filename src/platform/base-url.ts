/**
 * The address of the platform's API, checked before a key is sent there.
 *
 * Out: the address without a slash at its end, or what is wrong with it.
 */

export type BaseUrlFault = 'no-url' | 'scheme' | 'credentials' | 'query' | 'plain';

const local: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** The address in its usual form; a fault where a key must not be sent there. */
export function readBaseUrl(text: string): string | { readonly fault: BaseUrlFault } {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) return { fault: 'no-url' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'scheme' };
  if (url.username !== '' || url.password !== '') return { fault: 'credentials' };
  if (url.search !== '' || url.hash !== '') return { fault: 'query' };
  if (url.protocol === 'http:' && !local.has(url.hostname)) return { fault: 'plain' };
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Whether the id can stand in an address as one segment of it. */
export function isId(id: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,200}$/u.test(id) && id !== '.' && id !== '..';
}

/** The address of something with an id: `{base}/{collection}/{id}`. */
export function urlOf(base: string, collection: string, id: string): string {
  return `${base}/${collection}/${encodeURIComponent(id)}`;
}
