/** The section on diagnostics, the gravest first. */

import { html, type Markup } from '../html.js';
import type { ResultFile } from '../model.js';
import { type Places, placeLink } from './places.js';

type Diagnostic = ResultFile['diagnostics'][number];

const order = ['error', 'warning', 'info'] as const;
const words = { error: 'Error', warning: 'Warning', info: 'Note' } as const;

export function renderFindings(diagnostics: readonly Diagnostic[], places: Places): Markup {
  if (diagnostics.length === 0) return html`<p class="quiet">Nothing was found.</p>`;
  const sorted = order.flatMap((each) => diagnostics.filter(({ severity }) => severity === each));
  return html`<ul class="findings">
    ${sorted.map((diagnostic) => renderFinding(diagnostic, places))}
  </ul>`;
}

function renderFinding(diagnostic: Diagnostic, places: Places): Markup {
  const { code, severity, message, related, help } = diagnostic;
  return html`<li>
    <p>
      <span class="badge ${severity}">${words[severity]}</span> <bdi>${message}</bdi>
      <code class="quiet">${code}</code>
    </p>
    <p class="quiet">${renderWhere(diagnostic, places)}</p>
    ${help !== '' && html`<p class="help"><bdi>${help}</bdi></p>`}
    ${related.length > 0 && html`<p class="quiet">See also: ${related.map((at) => html`${placeLink(places.source(at))} `)}</p>`}
  </li>`;
}

function renderWhere(diagnostic: Diagnostic, places: Places): Markup {
  const { at, in: document } = diagnostic;
  const line = 'line' in diagnostic && html`, line ${diagnostic.line}, column ${diagnostic.column}`;
  if (document === 'squad') return html`${placeLink(places.output(at))}${line}`;
  if (document !== undefined) return html`In the ${document}: <code>${at}</code>${line}`;
  return html`${placeLink(places.source(at))}${line}`;
}
