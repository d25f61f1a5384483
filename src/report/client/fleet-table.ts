/**
 * The fleet's table: only the rows around what is in sight are elements, between two that are as
 * high as the rest. All of them are counted, for screen readers, and all are drawn for paper.
 */

import { fillRow } from './fleet-cells.js';
import type { FleetRow } from './fleet-row.js';
import { onPrint } from './unfold.js';
import { windowAt } from './window.js';

export interface FleetTable {
  show(rows: readonly FleetRow[]): void;
}

interface Parts {
  readonly box: HTMLElement;
  readonly table: HTMLTableElement;
  readonly body: HTMLTableSectionElement;
}

export function openTable(box: HTMLElement): FleetTable | null {
  const table = box.querySelector('table');
  const body = table?.tBodies[0];
  if (table === null || body === undefined) return null;
  const parts: Parts = { box, table, body };
  let rows: readonly FleetRow[] = [];
  let whole = false;
  const draw = () => drawRows(parts, rows, whole);
  box.addEventListener('scroll', draw, { passive: true });
  new ResizeObserver(draw).observe(box);
  box.addEventListener('keydown', (event) => {
    const target = targetOf(event, rows.length);
    if (target === null) return;
    event.preventDefault();
    reach(parts, target, draw);
  });
  const onPaper = (printing: boolean) => () => {
    whole = printing;
    draw();
  };
  onPrint(onPaper(true), onPaper(false));
  return {
    show(next) {
      rows = next;
      box.scrollTop = 0;
      table.setAttribute('aria-rowcount', String(next.length + 1));
      draw();
    },
  };
}

function drawRows({ box, table, body }: Parts, rows: readonly FleetRow[], whole: boolean): void {
  const height = rowHeight(table);
  const head = table.tHead?.offsetHeight ?? 0;
  const { start, end } = whole
    ? { start: 0, end: rows.length }
    : windowAt(box.scrollTop, box.clientHeight - head, height, rows.length);
  const focused = focusedIndex();
  const drawn = rows.slice(start, end).map((row, index) => fillRow(row, start + index));
  const hadFocus = body.contains(document.activeElement);
  body.replaceChildren(space(start * height), ...drawn, space((rows.length - end) * height));
  if (hadFocus && focused !== null) keepFocus(box, focused);
}

/** A row that was scrolled away cannot keep the focus; then the table has it. */
function keepFocus(box: HTMLElement, index: number): void {
  const row = box.querySelector<HTMLElement>(`[data-index="${index}"] [data-main]`);
  (row ?? box).focus({ preventScroll: true });
}

function space(height: number): HTMLTableRowElement {
  const row = document.createElement('tr');
  row.setAttribute('aria-hidden', 'true');
  row.className = 'space';
  row.style.height = `${height}px`;
  return row;
}

/** Of the style sheet, in pixels. */
function rowHeight(table: HTMLTableElement): number {
  return Number.parseFloat(getComputedStyle(table).getPropertyValue('--row')) || 40;
}

function focusedIndex(): number | null {
  const row = document.activeElement?.closest<HTMLElement>('[data-index]');
  return row === null || row === undefined ? null : Number(row.dataset.index);
}

const page = 10;

/** The row that a key leads to; null for keys that are the browser's. */
function targetOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent, count: number): number | null {
  const from = focusedIndex();
  if (from === null || altKey || ctrlKey || metaKey || count === 0) return null;
  const targets = new Map([
    ['ArrowDown', from + 1],
    ['ArrowUp', from - 1],
    ['PageDown', from + page],
    ['PageUp', from - page],
    ['Home', 0],
    ['End', count - 1],
  ]);
  const target = targets.get(key);
  return target === undefined ? null : Math.max(0, Math.min(target, count - 1));
}

/** Scrolls so that the row is in sight below the head, and goes to it. */
function reach({ box, table }: Parts, index: number, draw: () => void): void {
  const height = rowHeight(table);
  const room = box.clientHeight - (table.tHead?.offsetHeight ?? 0);
  const top = index * height;
  if (top < box.scrollTop) box.scrollTop = top;
  else if (top + height > box.scrollTop + room) box.scrollTop = top + height - room;
  draw();
  keepFocus(box, index);
}
