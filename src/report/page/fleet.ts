/** `summary.html`. A large run lists only the workflows that need somebody; `summary.csv` has all. */
import { counted, grouped } from '../../text/counted.js';
import { duration } from '../assess.js';
import { renderDocument, scriptName } from '../document.js';
import { html, type Markup } from '../html.js';
import type { Assessment, Totals, WorkflowRow, WorkflowStatus } from '../model.js';
import { byNeed, needsPerson, openIn } from '../rows.js';
import { levelWords, statusWords } from './header.js';
import { pageStyle } from './page.js';

export interface FleetInput {
  readonly squadc: string;
  readonly totals: Totals;
  readonly rows: readonly WorkflowRow[];
  /** Address of its page or result; empty if there is neither. */
  readonly addressOf: (row: WorkflowRow) => string;
}

/** Nobody looks at more rows one by one. */
const mostRows = 5_000;

export function renderFleet({ squadc, totals, rows, addressOf }: FleetInput): string {
  const isAll = rows.length <= mostRows;
  const sorted = (isAll ? [...rows] : rows.filter(needsPerson)).sort(byNeed);
  const workflows = counted(totals.workflows, 'workflow');
  const listed =
    sorted.length > mostRows
      ? `The ${grouped(mostRows)} most urgent are listed`
      : 'They are listed';
  const note = html`<p>
    ${grouped(sorted.length)} of ${workflows} need attention. ${listed} here;
    <a href="./summary.csv">summary.csv</a> lists all workflows.
  </p>`;
  return renderDocument({
    title: `${workflows} – squadc`,
    style: pageStyle,
    script: { address: `./${scriptName}` },
    body: html`<header class="top">
        <h1>Migration of ${workflows}</h1>
        ${renderTotals(totals)}
      </header>
      <main>
        <h2>${isAll ? 'Workflows' : 'Workflows that need attention'}</h2>
        ${!isAll && note} ${renderFilters()}
        <div class="wide" id="fleet" tabindex="0" role="region" aria-label="Workflows">
          <table>
            <thead>
              <tr>${titles.map(renderTitle)}</tr>
            </thead>
            <tbody>
              ${sorted.slice(0, mostRows).map((row) => renderRow(row, addressOf(row)))}
            </tbody>
          </table>
        </div>
      </main>
      <footer><p>Made by squadc ${squadc}. All rows: <a href="./summary.csv">summary.csv</a></p></footer>`,
  });
}

const statuses = Object.keys(statusWords) as WorkflowStatus[];
const levels = Object.keys(levelWords) as Assessment['level'][];

function renderTotals(totals: Totals): Markup {
  const { byStatus, byLevel, minutes } = totals;
  const kinds = Object.entries(totals.questions);
  const sums = [
    [totals.nodes, 'node'],
    [totals.assistants, 'assistant'],
    [totals.errors, 'error'],
    [totals.warnings, 'warning'],
  ] as const;
  return html`<ul class="numbers">${statuses.map((status) => {
    const [label, badge] = statusWords[status];
    return html`<li><b>${grouped(byStatus[status])}</b> <span class="badge ${byStatus[status] > 0 && badge}">${label}</span></li>`;
  })}</ul>
    <ul class="numbers">${levels.map(
      (level) => html`<li>
      <b>${grouped(byLevel[level])}</b>
      <span class="badge ${byLevel[level] > 0 && `level-${level}`}">Level ${level}</span> ${levelWords[level]}
    </li>`,
    )}</ul>
    <ul class="numbers">
      <li>about <b>${duration(minutes)}</b> of manual work</li>
      ${sums.map(([sum, word]) => html`<li><b>${grouped(sum)}</b> ${counted(sum, word, false)}</li>`)}
    </ul>
    ${
      kinds.length === 0
        ? html`<p class="quiet">No question is open.</p>`
        : html`<h2 class="kinds-title">Open questions by kind</h2>
    <ul class="kinds">
      ${kinds.map(([kind, count]) => html`<li><b>${grouped(count)}</b> <code>${kind}</code></li>`)}
    </ul>`
    }`;
}

function renderFilters(): Markup {
  const select = (id: string, title: string, options: readonly (readonly [string, string])[]) =>
    html`<label>${title} <select id="filter-${id}">
      <option value="">any</option>
      ${options.map(([value, label]) => html`<option value="${value}">${label}</option>`)}
    </select></label>`;
  return html`<div class="filters scripted" hidden>
    <label>Find <input type="search" id="filter-text" placeholder="name, source, kind of question" autocomplete="off" spellcheck="false"></label>
    ${select(
      'status',
      'Status',
      statuses.map((status) => [status, statusWords[status][0]]),
    )}
    ${select(
      'level',
      'Level',
      levels.map((level) => [level, `${level}: ${levelWords[level]}`]),
    )}
    <p id="shown" role="status" class="quiet"></p>
  </div>`;
}

const titles = [
  ...['Name', 'Source', 'Status', 'Level', 'Nodes', 'Assistants'],
  ...['Questions', 'Errors', 'Warnings', 'Minutes'],
];

function renderTitle(title: string): Markup {
  return html`<th scope="col" class="column-${title.toLowerCase()}" aria-sort="none"><button type="button">${title}</button></th>`;
}

function renderRow(row: WorkflowRow, address: string): Markup {
  const { name, key, source: file, line, status, stats, errors, warnings, questions } = row;
  const { level, size, minutes } = row.assessment;
  const source = line === undefined ? file : `${file}:${line}`;
  const [label, badge] = statusWords[status];
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

/** Characters at the end of a name, where names often differ, that are never cut. */
const tail = 8;

/** The style cuts the first part if there is no room. */
function cutInMiddle(text: string): Markup {
  const characters = [...text];
  const [start, end] = [characters.slice(0, -tail), characters.slice(-tail)];
  if (start.length < tail) return html`<bdi>${text}</bdi>`;
  return html`<bdi class="cut"><span>${start.join('')}</span><span>${end.join('')}</span></bdi>`;
}
