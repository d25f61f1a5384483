/** What squadc keeps as evidence: the validation checklist, and the ledger of what became of everything. */
import type { ChecklistItem, LedgerEntry } from '../../index.js';
import { html, type Markup } from '../html.js';
import { type Places, placeLink, placeList } from './places.js';

/** Items that do not hold are open from the start. */
export function renderChecklist(items: readonly ChecklistItem[], places: Places): Markup {
  if (items.length === 0)
    return html`<p class="quiet">Nothing was compiled, so nothing was checked.</p>`;
  return html`<div class="checklist">${items.map((check) => {
    const { item, title, holds, waivedBy, evidence } = check;
    return html`<details${!holds && html` open`}>
    <summary>${verdict(check)} <span class="item">${item}.</span> ${title}</summary>
    ${waivedBy !== undefined && html`<p class="quiet">Waived by the answer to <code>${waivedBy}</code>.</p>`}
    <ul class="evidence">
      ${evidence.map(({ holds, text, source, output }) => {
        const linked = [...source.map(places.source), ...output.map(places.output)];
        return html`<li>
          ${!holds && html`<span class="badge error">does not hold</span> `}<bdi>${text}</bdi>
          <span class="quiet">${linked.map((place) => html`${placeLink(place)} `)}</span>
        </li>`;
      })}
    </ul>
  </details>`;
  })}</div>`;
}

function verdict({ holds, waivedBy }: ChecklistItem): Markup {
  if (waivedBy !== undefined) return html`<span class="badge warning">waived</span>`;
  return holds
    ? html`<span class="badge good">holds</span>`
    : html`<span class="badge error">open</span>`;
}

type Status = LedgerEntry['status'];

/** In the order of the rows: what is open or lost comes first. */
const statuses: Readonly<Record<Status, readonly [label: string, badge: string]>> = {
  'needs-answer': ['needs an answer', 'error'],
  dropped: ['dropped', 'warning'],
  folded: ['folded', 'info'],
  converted: ['converted', 'good'],
};

export function renderLedger(entries: readonly LedgerEntry[], places: Places): Markup {
  if (entries.length === 0)
    return html`<p class="quiet">Nothing was compiled, so nothing is listed.</p>`;
  const groups = Object.entries(statuses).map(([status, [label, badge]]) => {
    return { status, label, badge, held: entries.filter((entry) => entry.status === status) };
  });
  return html`<fieldset id="ledger-filter" class="filter scripted" hidden>
    <legend>Show</legend>
    ${groups.map(
      ({ status, label, held }) => html`<label
        ><input type="checkbox" value="${status}" checked> ${label} (${held.length})</label
      >`,
    )}
  </fieldset>
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
        ${groups.map(({ status, label, badge, held }) =>
          held.map(
            ({ at, kind, reason, outputs }) => html`<tr data-status="${status}">
            <td>${placeLink(places.source(at))}</td>
            <td>${kind}</td>
            <td>
              <span class="badge ${badge}">${label}</span>
              ${reason !== undefined && html`<span class="quiet"><bdi>${reason}</bdi></span>`}
            </td>
            <td>${outputs.length > 0 && placeList(outputs.map(places.output), 5)}</td>
          </tr>`,
          ),
        )}
      </tbody>
    </table>
  </div>`;
}
