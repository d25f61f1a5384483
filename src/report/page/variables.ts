/** The section on variables: a row each, and what of it crosses from assistant to assistant. */
import { html, type Markup } from '../html.js';
import { type Places, placeList } from './places.js';
import type { VariableRow } from './variable-table.js';

export function renderVariables(rows: readonly VariableRow[], places: Places): Markup {
  if (rows.length === 0)
    return html`<p class="quiet">No variable is captured, read or carried.</p>`;
  return html`<div class="wide" tabindex="0" role="region" aria-label="Variables">
    <table>
      <thead>
        <tr>
          <th scope="col">Variable</th>
          <th scope="col">Captured in the workflow</th>
          <th scope="col">Read in the squad</th>
          <th scope="col">Carried by handoffs</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((row) => renderRow(row, places))}
      </tbody>
    </table>
  </div>`;
}

function renderRow({ name, captured, read, carried }: VariableRow, places: Places): Markup {
  return html`<tr>
    <th scope="row"><code>${name}</code></th>
    <td>${cell(captured.map(places.source), 'nowhere: the caller supplies it')}</td>
    <td>${cell(read.map(places.output), 'in no text')}</td>
    <td>${cell(carried.map(places.output), 'by none')}</td>
  </tr>`;
}

function cell(list: Parameters<typeof placeList>[0], none: string): Markup {
  return list.length === 0 ? html`<span class="quiet">${none}</span>` : placeList(list);
}
