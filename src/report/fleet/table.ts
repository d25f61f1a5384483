/** The fleet's table with its filters. */
import { html, type Markup } from '../html.js';
import type { WorkflowRow, WorkflowStatus } from '../model.js';
import { levelWords, statusWords } from '../page/header.js';

const titles = [
  ...['Name', 'Source', 'Status', 'Level', 'Nodes', 'Assistants'],
  ...['Questions', 'Errors', 'Warnings', 'Minutes'],
];

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

/** `addressOf`: where a row leads to; empty where it has neither page nor result. */
export function renderTable(
  rows: readonly WorkflowRow[],
  addressOf: (row: WorkflowRow) => string,
): Markup {
  return html`<div class="wide" id="fleet" tabindex="0" role="region" aria-label="Workflows">
      <table>
        <thead>
          <tr>
            ${titles.map((title) => html`<th scope="col" class="column-${title.toLowerCase()}" aria-sort="none"><button type="button">${title}</button></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => renderRow(row, addressOf(row)))}
        </tbody>
      </table>
    </div>`;
}

function renderRow(row: WorkflowRow, address: string): Markup {
  const { name, key, source: file, line, status, stats, errors, warnings, questions } = row;
  const { level, size, minutes } = row.assessment;
  const source = line === undefined ? file : `${file}:${line}`;
  const [label, badge] = statusWords[status as WorkflowStatus];
  const kinds = Object.keys(questions);
  const open = Object.values(questions).reduce((sum, each) => sum + each, 0);
  const shown = html`<bdi>${name || key}</bdi>`;
  const text = [name ?? '', source, key, ...kinds].join('\n');
  return html`<tr data-text="${text}" data-status="${status}" data-level="${level}">
    <th scope="row" title="${key}">${address === '' ? shown : html`<a href="${address}">${shown}</a>`}</th>
    <td title="${source}"><bdi>${source}</bdi></td>
    <td><span class="badge ${badge}" data-status>${label}</span></td>
    <td><span class="badge level-${level}">${level}${size}</span></td>
    <td class="amount">${stats.nodes}</td>
    <td class="amount">${stats.assistants}</td>
    <td class="amount" title="${kinds.join(' ')}">${open}</td>
    ${[errors, warnings, minutes].map((amount) => html`<td class="amount">${amount}</td>`)}
  </tr>`;
}
