/** Which rows of a long table are drawn: those in sight and some around. Pure. */

export interface Window {
  /** The first row that is drawn, and the one after the last. */
  readonly start: number;
  readonly end: number;
}

/** Rows above and below what is in sight, so that the Tab key finds the next one. */
const around = 12;

export function windowAt(
  scrolled: number,
  height: number,
  rowHeight: number,
  count: number,
): Window {
  const start = Math.max(0, Math.min(Math.floor(scrolled / rowHeight), count) - around);
  const end = Math.min(count, Math.ceil((scrolled + height) / rowHeight) + around);
  return { start, end: Math.max(start, end) };
}
