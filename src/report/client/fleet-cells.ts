/** A row of the fleet's table as an element; texts are set as texts, never read as markup. */
import type { FleetRow } from './fleet-row.js';

const statusWords: Readonly<Record<string, readonly [label: string, badge: string]>> = {
  complete: ['complete', 'good'],
  'needs-answers': ['needs answers', 'warning'],
  invalid: ['invalid', 'error'],
  failed: ['failed', 'error'],
};

export function fillRow(row: FleetRow, index: number): HTMLTableRowElement {
  const [name, source, key, status, level, nodes, assistants, questions, kinds, errors, warnings] =
    row;
  const element = document.createElement('tr');
  // The head is the first.
  element.setAttribute('aria-rowindex', String(index + 2));
  element.dataset.index = String(index);
  const [label, badge] = statusWords[status] ?? [status, 'error'];
  element.append(
    nameCell(name, key, row[12]),
    textCell(source),
    badgeCell(label, badge),
    badgeCell(level, `level-${level.charAt(0)}`),
    ...[nodes, assistants].map(numberCell),
    withHint(numberCell(questions), kinds),
    ...[errors, warnings, row[11]].map(numberCell),
  );
  return element;
}

function nameCell(name: string, key: string, address: string): HTMLElement {
  const cell = document.createElement('th');
  cell.scope = 'row';
  const main = document.createElement(address === '' ? 'span' : 'a');
  main.dataset.main = '';
  if (main instanceof HTMLAnchorElement) main.href = address;
  else main.tabIndex = -1;
  main.append(isolated(name === '' ? key : name));
  main.title = key;
  cell.append(main);
  return cell;
}

function textCell(text: string): HTMLElement {
  const cell = document.createElement('td');
  cell.append(isolated(text));
  cell.title = text;
  return cell;
}

function isolated(text: string): HTMLElement {
  const element = document.createElement('bdi');
  element.textContent = text;
  return element;
}

function badgeCell(text: string, kind: string): HTMLElement {
  const cell = document.createElement('td');
  const badge = document.createElement('span');
  badge.className = `badge ${kind}`;
  badge.textContent = text;
  cell.append(badge);
  return cell;
}

function numberCell(value: number): HTMLElement {
  const cell = document.createElement('td');
  cell.className = 'amount';
  cell.textContent = String(value);
  return cell;
}

function withHint(cell: HTMLElement, hint: string): HTMLElement {
  if (hint !== '') cell.title = hint;
  return cell;
}
