/** On paper nothing can be opened: everything is, and afterwards is again as it was. */
export function unfoldForPrint(): void {
  let opened: HTMLDetailsElement[] = [];
  const open = () => {
    const folded = [...document.querySelectorAll<HTMLDetailsElement>('details:not([open])')];
    for (const each of folded) each.open = true;
    opened = [...opened, ...folded];
  };
  const close = () => {
    for (const each of opened) each.open = false;
    opened = [];
  };
  onPrint(open, close);
}

/** Not every browser has both ways to know. */
function onPrint(before: () => void, after: () => void): void {
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  matchMedia('print').addEventListener('change', ({ matches }) => (matches ? before() : after()));
}

/** What works by script alone is shown by the script. */
export function showScripted(): void {
  for (const each of document.querySelectorAll<HTMLElement>('.scripted')) each.hidden = false;
}

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
