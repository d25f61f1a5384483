/** Which rows of the fleet are shown, and in which order. Pure. */
import { type Column, columns, type FleetRow, statusOrder } from './fleet-row.js';

export interface View {
  /** Words that a row must all have, in whatever case. */
  readonly text: string;
  /** Empty: any. */
  readonly status: string;
  /** A letter; empty: any. */
  readonly level: string;
  /** Null: as in the input. */
  readonly column: Column | null;
  readonly descending: boolean;
}

export const wholeFleet: View = {
  text: '',
  status: '',
  level: '',
  column: null,
  descending: false,
};

/** The rows of the view; those that are equal keep the order of the input. */
export function rowsOf(rows: readonly FleetRow[], view: View): FleetRow[] {
  const words = folded(view.text)
    .split(/\s+/u)
    .filter((word) => word !== '');
  const shown = rows.filter((row) => isShown(row, words, view));
  const { column, descending } = view;
  if (column === null) return shown;
  const sign = descending ? -1 : 1;
  return shown.sort((a, b) => sign * compare(rank(a, column), rank(b, column)));
}

/** The view after a column was asked for: upwards, downwards, then as it was. */
export function sortedBy(view: View, column: Column): View {
  if (view.column !== column) return { ...view, column, descending: false };
  return view.descending
    ? { ...view, column: null, descending: false }
    : { ...view, descending: true };
}

function isShown(row: FleetRow, words: readonly string[], { status, level }: View): boolean {
  if (status !== '' && row[columns.status] !== status) return false;
  if (level !== '' && !row[columns.level].startsWith(level)) return false;
  if (words.length === 0) return true;
  const [name, source, key, , , , , , kinds] = row;
  const text = folded(`${name}\n${source}\n${key}\n${kinds}`);
  return words.every((word) => text.includes(word));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** Texts by their letters, small and capital ones together; statuses by gravity. */
function rank(row: FleetRow, column: Column): string | number {
  const value = row[columns[column]];
  if (column === 'status') return (statusOrder as readonly unknown[]).indexOf(value);
  return typeof value === 'string' ? folded(value) : value;
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
