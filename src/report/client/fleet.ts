/** The script of the fleet's page: the table is filtered, sorted and scrolled. */
import type { Column, FleetRow } from './fleet-row.js';
import { openTable } from './fleet-table.js';
import { rowsOf, sortedBy, type View, wholeFleet } from './fleet-view.js';
import { showScripted } from './unfold.js';

openFleet();

function openFleet(): void {
  const box = document.querySelector<HTMLElement>('#fleet');
  const data = document.querySelector('#fleet-data')?.textContent;
  const table = box === null ? null : openTable(box);
  if (box === null || table === null || data === null || data === undefined) return;
  const rows: readonly FleetRow[] = JSON.parse(data);
  let view = wholeFleet;
  const show = (next: View) => {
    view = next;
    const shown = rowsOf(rows, view);
    table.show(shown);
    markSorted(box, view);
    tell(shown.length, rows.length);
  };
  showScripted();
  box.classList.add('long');
  for (const key of ['text', 'status', 'level'] as const) {
    const control = document.querySelector<HTMLInputElement>(`#filter-${key}`);
    control?.addEventListener('input', () => show({ ...view, [key]: control.value }));
  }
  for (const button of box.querySelectorAll<HTMLElement>('thead button')) {
    button.addEventListener('click', () => show(sortedBy(view, button.dataset.column as Column)));
  }
  show(view);
}

function markSorted(box: HTMLElement, { column, descending }: View): void {
  for (const button of box.querySelectorAll<HTMLElement>('thead button')) {
    const isSorted = button.dataset.column === column;
    const order = isSorted ? (descending ? 'descending' : 'ascending') : 'none';
    button.closest('th')?.setAttribute('aria-sort', order);
  }
}

function tell(shown: number, all: number): void {
  const line = document.querySelector('#shown');
  if (line !== null) line.textContent = `${shown} of ${all} workflows shown.`;
}
