/**
 * Reads `Retry-After`: whole seconds, or a date.
 *
 * In: the header and the time of day. Out: milliseconds to wait; undefined without a readable one.
 */
export function waitOf(header: string, now: number): number | undefined {
  const text = header.trim();
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000;
  // Date.parse reads all sorts of things; a date of HTTP begins with the day of the week.
  const date = /^[A-Z][a-z]{2,8}, \d/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
