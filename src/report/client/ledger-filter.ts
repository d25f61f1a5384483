/** Shows those rows of the ledger whose status is ticked. */
export function openLedgerFilter(): void {
  const filter = document.querySelector('#ledger-filter');
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('#ledger-rows tbody tr')];
  filter?.addEventListener('change', () => {
    const boxes = [...filter.querySelectorAll<HTMLInputElement>('input:checked')];
    const wanted = new Set(boxes.map(({ value }) => value));
    for (const row of rows) row.hidden = !wanted.has(row.dataset.status ?? '');
  });
}
