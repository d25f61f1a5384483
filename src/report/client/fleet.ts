/** The table of a run: search, filters and sorting. */

/** The most serious first: the order in which statuses are sorted. */
const statusOrder = ['failed', 'invalid', 'needs-answers', 'complete'];
const nextOrder = { none: 'ascending', ascending: 'descending', descending: 'none' } as const;

/** Does nothing on other pages. */
export function openFleet(): void {
  const table = document.querySelector<HTMLTableElement>('#fleet table');
  if (table === null) return;
  const body = table.tBodies[0]!;
  const rows = [...body.rows];
  const controls = ['text', 'status', 'level'].map(
    (name) => document.querySelector<HTMLInputElement>(`#filter-${name}`)!,
  );
  const filter = () => {
    const [text = '', status = '', level = ''] = controls.map(({ value }) => value);
    const words = folded(text).split(/\s+/u);
    for (const row of rows) {
      const { dataset } = row;
      const isWanted = ['', dataset['status']].includes(status);
      const hasWords = words.every((word) => folded(dataset['text'] ?? '').includes(word));
      row.hidden = !(isWanted && ['', dataset['level']].includes(level) && hasWords);
    }
    const shown = rows.filter(({ hidden }) => !hidden).length;
    document.querySelector('#shown')!.textContent = `${shown} of ${rows.length} workflows shown.`;
  };
  for (const control of controls) control.addEventListener('input', filter);
  for (const head of table.querySelectorAll<HTMLTableCellElement>('thead th')) {
    head.querySelector('button')?.addEventListener('click', () => {
      const order = nextOrder[(head.ariaSort ?? 'none') as keyof typeof nextOrder];
      for (const each of table.querySelectorAll('thead th')) each.ariaSort = 'none';
      head.ariaSort = order;
      body.append(...sorted(rows, head.cellIndex, order));
    });
  }
  filter();
}

/** `none` is the order of the page. Equal rows keep it. */
function sorted(
  rows: readonly HTMLTableRowElement[],
  column: number,
  order: keyof typeof nextOrder,
): readonly HTMLTableRowElement[] {
  if (order === 'none') return rows;
  const sign = order === 'ascending' ? 1 : -1;
  const ranked = rows.map((row) => ({ row, rank: rankOf(row, column) }));
  ranked.sort((a, b) => sign * (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0));
  return ranked.map(({ row }) => row);
}

function rankOf({ cells, dataset }: HTMLTableRowElement, column: number): string | number {
  const cell = cells[column]!;
  if (cell.querySelector('[data-status]')) return statusOrder.indexOf(dataset['status'] ?? '');
  const text = folded(cell.textContent ?? '');
  return cell.classList.contains('amount') ? Number(text) : text;
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().trim();
}
