/** The section on the validation checklist: an item each, with the facts that it rests on. */
import type { ChecklistItem, Evidence } from '../../index.js';
import { html, type Markup } from '../html.js';
import { type Places, placeLink } from './places.js';

export function renderChecklist(items: readonly ChecklistItem[], places: Places): Markup {
  if (items.length === 0)
    return html`<p class="quiet">Nothing was compiled, so nothing was checked.</p>`;
  return html`<div class="checklist">${items.map((item) => renderItem(item, places))}</div>`;
}

/** Items that do not hold are open from the start. */
function renderItem(check: ChecklistItem, places: Places): Markup {
  const { item, title, holds, waivedBy, evidence } = check;
  return html`<details${!holds && html` open`}>
    <summary>
      ${verdict(check)} <span class="item">${item}.</span> ${title}
    </summary>
    ${waivedBy !== undefined && html`<p class="quiet">Waived by the answer to <code>${waivedBy}</code>.</p>`}
    <ul class="evidence">
      ${evidence.map((each) => renderEvidence(each, places))}
    </ul>
  </details>`;
}

function verdict({ holds, waivedBy }: ChecklistItem): Markup {
  if (waivedBy !== undefined) return html`<span class="badge warning">waived</span>`;
  return holds
    ? html`<span class="badge good">holds</span>`
    : html`<span class="badge error">open</span>`;
}

function renderEvidence({ holds, text, source, output }: Evidence, places: Places): Markup {
  const linked = [...source.map(places.source), ...output.map(places.output)];
  return html`<li>
    ${!holds && html`<span class="badge error">does not hold</span> `}<bdi>${text}</bdi>
    ${linked.length > 0 && html`<span class="quiet">${linked.map((place) => html`${placeLink(place)} `)}</span>`}
  </li>`;
}
