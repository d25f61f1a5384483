/**
 * The page of a run: `summary.html`.
 *
 * In: the totals, the rows that are shown. Out: a document that needs no other file. Above a limit
 * only the rows that need a person are shown, and the page says so; all are in `summary.csv`.
 */
import { renderDocument, scriptName } from '../document.js';
import { html, type Markup } from '../html.js';
import type { Totals, WorkflowRow, WorkflowStatus } from '../model.js';
import { openIn } from '../rows.js';
import { counted, duration, grouped } from '../words.js';
import { levelWords, statusWords } from './header.js';
import { pageStyle } from './page.js';

export interface FleetInput {
  readonly squadc: string;
  readonly totals: Totals;
  readonly shown: ShownRows;
  /** Where a row leads to; empty where it has neither page nor result. */
  readonly addressOf: (row: WorkflowRow) => string;
}

/** `all`; or those that `need` a person, of which there can be more than are shown. */
export interface ShownRows {
  readonly which: 'all' | 'need';
  readonly rows: readonly WorkflowRow[];
  /** How many there are of this kind. */
  readonly of: number;
}

export function renderFleet({ squadc, totals, shown, addressOf }: FleetInput): string {
  return renderDocument({
    title: `${counted(totals.workflows, 'workflow')} – squadc`,
    style: pageStyle,
    script: { address: `./${scriptName}` },
    body: html`<header class="top">
        <h1>Migration of ${counted(totals.workflows, 'workflow')}</h1>
        ${renderTotals(totals)}
      </header>
      <main>
        <h2>${shown.which === 'all' ? 'Workflows' : 'Workflows that need attention'}</h2>
        ${renderNote(shown, totals)} ${renderFilters()} ${renderTable(shown.rows, addressOf)}
      </main>
      <footer><p>Made by squadc ${squadc}. All rows: <a href="./summary.csv">summary.csv</a></p></footer>`,
  });
}

function renderNote({ which, rows, of }: ShownRows, totals: Totals): Markup | null {
  if (which === 'all') return null;
  const listed =
    rows.length < of ? `The ${grouped(rows.length)} most urgent are listed` : 'They are listed';
  return html`<p>
    ${grouped(of)} of ${counted(totals.workflows, 'workflow')} need attention. ${listed} here;
    <a href="./summary.csv">summary.csv</a> lists all workflows.
  </p>`;
}

function renderTotals(totals: Totals): Markup {
  const { byStatus, byLevel, questions, minutes, nodes, assistants, errors, warnings } = totals;
  const statuses = (Object.keys(statusWords) as (keyof typeof statusWords)[]).map((status) => {
    const [label, badge] = statusWords[status];
    const tone = byStatus[status] === 0 ? '' : badge;
    return html`<li><b>${grouped(byStatus[status])}</b> <span class="badge ${tone}">${label}</span></li>`;
  });
  const levels = (Object.keys(levelWords) as (keyof typeof levelWords)[]).map(
    (level) => html`<li>
      <b>${grouped(byLevel[level])}</b>
      <span class="badge ${byLevel[level] > 0 && `level-${level}`}">Level ${level}</span> ${levelWords[level]}
    </li>`,
  );
  return html`<ul class="numbers">${statuses}</ul>
    <ul class="numbers">${levels}</ul>
    <ul class="numbers">
      <li>about <b>${duration(minutes)}</b> of manual work</li>
      <li><b>${grouped(nodes)}</b> ${counted(nodes, 'node', false)}</li>
      <li><b>${grouped(assistants)}</b> ${counted(assistants, 'assistant', false)}</li>
      <li><b>${grouped(errors)}</b> ${counted(errors, 'error', false)}</li>
      <li><b>${grouped(warnings)}</b> ${counted(warnings, 'warning', false)}</li>
    </ul>
    ${renderKinds(questions)}`;
}

function renderKinds(questions: Totals['questions']): Markup {
  const kinds = Object.entries(questions);
  if (kinds.length === 0) return html`<p class="quiet">No question is open.</p>`;
  return html`<h2 class="kinds-title">Open questions by kind</h2>
    <ul class="kinds">
      ${kinds.map(([kind, count]) => html`<li><b>${grouped(count)}</b> <code>${kind}</code></li>`)}
    </ul>`;
}

const titles = [
  ...['Name', 'Source', 'Status', 'Level', 'Nodes', 'Assistants'],
  ...['Questions', 'Errors', 'Warnings', 'Minutes'],
];

function renderFilters(): Markup {
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
function renderTable(
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
  const shown = cutInMiddle(name || key);
  const text = [name ?? '', source, key, ...kinds].join('\n');
  return html`<tr data-text="${text}" data-status="${status}" data-level="${level}">
    <th scope="row" title="${key}">${address === '' ? shown : html`<a href="${address}">${shown}</a>`}</th>
    <td title="${source}">${cutInMiddle(source)}</td>
    <td><span class="badge ${badge}" data-status>${label}</span></td>
    <td><span class="badge level-${level}">${level}${size}</span></td>
    <td class="amount">${stats.nodes}</td>
    <td class="amount">${stats.assistants}</td>
    <td class="amount" title="${kinds.join(' ')}">${openIn(row)}</td>
    ${[errors, warnings, minutes].map((amount) => html`<td class="amount">${amount}</td>`)}
  </tr>`;
}

/** How much of the end of a name stays: names often differ there. */
const tail = 8;

/** The style cuts the first part where there is no room. */
function cutInMiddle(text: string): Markup {
  const characters = [...text];
  const [start, end] = [characters.slice(0, -tail), characters.slice(-tail)];
  if (start.length < tail) return html`<bdi>${text}</bdi>`;
  return html`<bdi class="cut"><span>${start.join('')}</span><span>${end.join('')}</span></bdi>`;
}
