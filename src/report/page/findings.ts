/** The section on diagnostics, the gravest first; those with the same code stand together. */

import { groupBy } from '../../graph/lists.js';
import { html, type Markup } from '../html.js';
import type { ResultFile } from '../model.js';
import { type Places, placeLink } from './places.js';

type Diagnostic = ResultFile['diagnostics'][number];

const order = ['error', 'warning', 'info'] as const;
/** More findings of one kind are folded. */
const mostOpen = 3;

const words = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

export function renderFindings(diagnostics: readonly Diagnostic[], places: Places): Markup {
  if (diagnostics.length === 0) return html`<p class="quiet">Nothing was found.</p>`;
  const groups = order.flatMap((severity) => {
    const found = diagnostics.filter((each) => each.severity === severity);
    return [...groupBy(found, ({ code }) => code).values()];
  });
  return html`<ul class="findings">
    ${groups.map((group) => renderGroup(group, places))}
  </ul>`;
}

/** Findings with one code stand together, with the help that they share once. */
function renderGroup(group: readonly Diagnostic[], places: Places): Markup {
  const [{ code, severity, help }] = group as [Diagnostic, ...Diagnostic[]];
  const shared = group.every((each) => each.help === help) ? help : '';
  const found = group.map((each) => renderFinding(each, shared === '' ? each.help : '', places));
  const head = html`<span class="badge ${severity}">${words[severity]}</span> <code class="quiet">${code}</code>`;
  const helped = shared !== '' && html`<p class="help"><bdi>${shared}</bdi></p>`;
  if (group.length <= mostOpen) return html`<li>${head} ${found} ${helped}</li>`;
  return html`<li>
    <details><summary>${head} <span class="count">${group.length}</span></summary>${found}</details>
    ${helped}
  </li>`;
}

function renderFinding(diagnostic: Diagnostic, help: string, places: Places): Markup {
  const { message, related } = diagnostic;
  return html`<div class="finding">
    <p><bdi>${message}</bdi></p>
    <p class="quiet">${renderWhere(diagnostic, places)}</p>
    ${help !== '' && html`<p class="help"><bdi>${help}</bdi></p>`}
    ${related.length > 0 && html`<p class="quiet">See also: ${related.map((at) => html`${placeLink(places.source(at))} `)}</p>`}
  </div>`;
}

function renderWhere(diagnostic: Diagnostic, places: Places): Markup {
  const { at, in: document } = diagnostic;
  const line = 'line' in diagnostic && html`, line ${diagnostic.line}, column ${diagnostic.column}`;
  if (document === 'squad') return html`${placeLink(places.output(at))}${line}`;
  if (document !== undefined) return html`In the ${document}: <code>${at}</code>${line}`;
  return html`${placeLink(places.source(at))}${line}`;
}
