/** The table of a run: its rows are filtered and sorted. */

interface Row {
  readonly element: HTMLTableRowElement;
  /** What the words of a search are looked for in. */
  readonly text: string;
  readonly status: string;
  readonly level: string;
}

/** Statuses, the gravest first; sorting goes by this order. */
const statusOrder = ['failed', 'invalid', 'needs-answers', 'complete'];

/** Brings the table to life; only the page of a run has one. */
export function openFleet(): void {
  const table = document.querySelector<HTMLTableElement>('#fleet table');
  if (table === null) return;
  const body = table.tBodies[0]!;
  const rows = [...body.rows].map((element): Row => {
    const { text = '', status = '', level = '' } = element.dataset;
    return { element, text: folded(text), status, level };
  });
  for (const control of controls()) control.addEventListener('input', () => filter(rows));
  for (const button of table.querySelectorAll<HTMLElement>('thead button')) {
    button.addEventListener('click', () => {
      body.replaceChildren(...sorted(rows, turn(table, button)).map(({ element }) => element));
    });
  }
  filter(rows);
}

function controls(): HTMLInputElement[] {
  return ['text', 'status', 'level'].map(
    (name) => document.querySelector<HTMLInputElement>(`#filter-${name}`)!,
  );
}

/** Shows the rows that have all of the words, in whatever case, the status and the level. */
function filter(rows: readonly Row[]): void {
  const [text = '', status = '', level = ''] = controls().map(({ value }) => value);
  const words = folded(text).split(/\s+/u);
  let shown = 0;
  for (const row of rows) {
    const isShown =
      (status === '' || row.status === status) &&
      (level === '' || row.level === level) &&
      words.every((word) => row.text.includes(word));
    row.element.hidden = !isShown;
    if (isShown) shown += 1;
  }
  const line = document.querySelector('#shown');
  if (line !== null) line.textContent = `${shown} of ${rows.length} workflows shown.`;
}

interface Order {
  readonly column: number;
  readonly direction: 'ascending' | 'descending' | 'none';
}

const next = { none: 'ascending', ascending: 'descending', descending: 'none' } as const;

/** The order after a column was asked for: upwards, downwards, then as in the input. */
function turn(table: HTMLTableElement, button: HTMLElement): Order {
  const head = button.closest('th') as HTMLTableCellElement;
  const before = (head.getAttribute('aria-sort') ?? 'none') as Order['direction'];
  for (const each of table.querySelectorAll('thead th')) each.setAttribute('aria-sort', 'none');
  head.setAttribute('aria-sort', next[before]);
  return { column: head.cellIndex, direction: next[before] };
}

/** Rows that are equal keep the order of the input. */
function sorted(rows: readonly Row[], { column, direction }: Order): readonly Row[] {
  if (direction === 'none') return rows;
  const sign = direction === 'ascending' ? 1 : -1;
  const ranked = rows.map((row) => ({ row, rank: rankOf(row, column) }));
  ranked.sort((a, b) => sign * (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  return ranked.map(({ row }) => row);
}

/** Texts by their letters, small and capital ones together; statuses by gravity. */
function rankOf({ element, status }: Row, column: number): string | number {
  const cell = element.cells[column]!;
  if (cell.querySelector('[data-status]') !== null) return statusOrder.indexOf(status);
  const text = folded(cell.textContent);
  return cell.classList.contains('amount') ? Number(text) : text;
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().trim();
}
