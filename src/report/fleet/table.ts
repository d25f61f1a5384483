/** The fleet's table with its filters. Without a script it holds the first rows. */
import { type Column, columns, type FleetRow } from '../client/fleet-row.js';
import { html, type Markup } from '../html.js';
import type { Assessment, WorkflowStatus } from '../model.js';
import { levelWords, statusWords } from '../page/header.js';
import { counted } from '../words.js';

const titles: Readonly<Record<Column, string>> = {
  name: 'Name',
  source: 'Source',
  status: 'Status',
  level: 'Level',
  nodes: 'Nodes',
  assistants: 'Assistants',
  questions: 'Questions',
  errors: 'Errors',
  warnings: 'Warnings',
  minutes: 'Minutes',
};

/** Rows in the page itself, for readers without a script. */
const withoutScript = 100;

export function renderFilters(): Markup {
  const statuses = Object.entries(statusWords).map(([status, [label]]) => [status, label] as const);
  const levels = Object.entries(levelWords).map(
    ([level, words]) => [level, `${level}: ${words}`] as const,
  );
  return html`<div class="filters scripted" hidden>
    <label>Find <input type="search" id="filter-text" placeholder="name, source, kind of question" autocomplete="off" spellcheck="false"></label>
    ${renderSelect('status', 'Status', statuses)} ${renderSelect('level', 'Level', levels)}
    <p id="shown" role="status" class="quiet"></p>
  </div>`;
}

function renderSelect(
  id: string,
  title: string,
  options: readonly (readonly [value: string, label: string])[],
): Markup {
  return html`<label>${title} <select id="filter-${id}">
      <option value="">any</option>
      ${options.map(([value, label]) => html`<option value="${value}">${label}</option>`)}
    </select></label>`;
}

export function renderTable(rows: readonly FleetRow[]): Markup {
  const rest = rows.length - withoutScript;
  return html`<div class="wide" id="fleet" tabindex="0" role="region" aria-label="Workflows">
      <table>
        <thead>
          <tr>
            ${(Object.keys(columns) as Column[]).map(renderTitle)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, withoutScript).map(renderRow)}
        </tbody>
      </table>
    </div>
    ${rest > 0 && html`<noscript><p>Without JavaScript the first ${counted(withoutScript, 'row')} are shown; all of them stand in <a href="./summary.csv">summary.csv</a>.</p></noscript>`}`;
}

function renderTitle(column: Column): Markup {
  return html`<th scope="col" class="column-${column}"><button type="button" data-column="${column}">${titles[column]}</button></th>`;
}

function renderRow(row: FleetRow): Markup {
  const [name, source, key, status, level, nodes, assistants, questions, , errors, warnings] = row;
  const [label, badge] = statusWords[status as WorkflowStatus];
  const [minutes, address] = [row[11], row[12]];
  const shown = html`<bdi>${name === '' ? key : name}</bdi>`;
  return html`<tr>
    <th scope="row">${address === '' ? shown : html`<a href="${address}">${shown}</a>`}</th>
    <td><bdi>${source}</bdi></td>
    <td><span class="badge ${badge}">${label}</span></td>
    <td><span class="badge level-${level.charAt(0) as Assessment['level']}">${level}</span></td>
    ${[nodes, assistants, questions, errors, warnings, minutes].map((amount) => html`<td class="amount">${amount}</td>`)}
  </tr>`;
}
