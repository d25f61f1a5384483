/** Addresses of the platform's API. */

/** Whether the id can stand in an address as one segment of it. */
export function isId(id: string): boolean {
  return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]{1,200}$/u.test(id) && id !== '.' && id !== '..';
}

/** The address of something with an id: `{base}/{collection}/{id}`. */
export function urlOf(base: string, collection: string, id: string): string {
  return `${base}/${collection}/${encodeURIComponent(id)}`;
}
