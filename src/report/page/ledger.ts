/** The ledger: what became of every node, edge, variable, line and field of the workflow. */
import type { LedgerEntry } from '../../index.js';
import { html, type Markup } from '../html.js';
import { type Places, placeLink, placeList } from './places.js';

type Status = LedgerEntry['status'];

/** In the order of the rows: what is open or lost comes first. */
const words: Readonly<Record<Status, readonly [label: string, badge: string]>> = {
  'needs-answer': ['needs an answer', 'error'],
  dropped: ['dropped', 'warning'],
  folded: ['folded', 'info'],
  converted: ['converted', 'good'],
};

const statuses = Object.keys(words) as Status[];

export function renderLedger(entries: readonly LedgerEntry[], places: Places): Markup {
  if (entries.length === 0)
    return html`<p class="quiet">Nothing was compiled, so nothing is listed.</p>`;
  return html`${renderFilter(entries)}
    <div class="wide" tabindex="0" role="region" aria-label="Ledger">
      <table id="ledger-rows">
        <thead>
          <tr>
            <th scope="col">In the workflow</th>
            <th scope="col">What it is</th>
            <th scope="col">What became of it</th>
            <th scope="col">In the squad</th>
          </tr>
        </thead>
        <tbody>
          ${statuses.map((status) =>
            entries
              .filter((entry) => entry.status === status)
              .map((entry) => renderEntry(entry, places)),
          )}
        </tbody>
      </table>
    </div>`;
}

/** Works with the page's script alone, which shows it. */
function renderFilter(entries: readonly LedgerEntry[]): Markup {
  const count = (wanted: Status) => entries.filter(({ status }) => status === wanted).length;
  return html`<fieldset id="ledger-filter" class="filter scripted" hidden>
    <legend>Show</legend>
    ${statuses.map(
      (status) => html`<label
        ><input type="checkbox" value="${status}" checked> ${words[status][0]} (${count(status)})</label
      >`,
    )}
  </fieldset>`;
}

function renderEntry({ at, kind, status, reason, outputs }: LedgerEntry, places: Places): Markup {
  const [label, badge] = words[status];
  return html`<tr data-status="${status}">
    <td>${placeLink(places.source(at))}</td>
    <td>${kind}</td>
    <td>
      <span class="badge ${badge}">${label}</span>
      ${reason !== undefined && html`<span class="quiet"><bdi>${reason}</bdi></span>`}
    </td>
    <td>${outputs.length > 0 && placeList(outputs.map(places.output), 5)}</td>
  </tr>`;
}
