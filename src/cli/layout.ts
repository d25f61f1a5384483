/** Lays texts out in the columns of a terminal. */

import { escapeControls, linesWithin, textWidth } from '../diagnostics/quote.js';
import type { TextOutput } from './io.js';
import type { Style } from './terminal.js';

/** How a report is laid out. */
export interface Layout {
  readonly columns: number;
  readonly style: Style;
  /** Everything is shown, however much it is. */
  readonly verbose: boolean;
}

/** Columns that a report may use; what is no terminal gets those of a usual one. */
export function columnsOf({ columns }: TextOutput): number {
  return Math.max(24, columns || 80);
}

/** The text with spaces behind it, as wide as a column. */
export function padTo(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

/**
 * A text of anybody behind a lead, on as many lines as it needs; each starts below the first. It
 * is made safe here, so that nobody forgets to.
 */
export function hanging(lead: string, text: string, columns: number): string[] {
  const width = textWidth(lead);
  return linesWithin(escapeControls(text), Math.max(10, columns - width)).map((line, index) =>
    `${index === 0 ? lead : ' '.repeat(width)}${line}`.trimEnd(),
  );
}

/** Says that some were not shown, where some were not. */
export function leftOut(amount: number, lead: string, { columns }: Layout): string[] {
  return amount === 0 ? [] : hanging(lead, `… and ${amount} more (--verbose shows all)`, columns);
}
