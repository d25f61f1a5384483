/** The variables of a workflow: where they are captured, which texts read them, which handoffs carry them. */
import type { Json } from '../../index.js';
import { html, type Markup } from '../html.js';
import type { ResultFile } from '../model.js';
import { textAt } from '../places.js';
import type { SquadView } from '../squad-view.js';
import { type Places, placeList } from './places.js';

/** Places in the workflow, and in the squad, by variable. */
export type Variables = ReadonlyMap<string, Record<'captured' | 'read' | 'carried', Set<string>>>;

/** In the order in which they are captured, then read, then carried. */
export function variablesOf(
  { workflow, ledger, reads }: Pick<ResultFile, 'workflow' | 'ledger' | 'reads'>,
  { members }: SquadView,
): Variables {
  const rows = new Map<string, Record<'captured' | 'read' | 'carried', Set<string>>>();
  const rowOf = (name: string) => {
    const row = rows.get(name) ?? { captured: new Set(), read: new Set(), carried: new Set() };
    rows.set(name, row);
    return row;
  };
  for (const { kind, at } of ledger) {
    if (kind === 'variable') rowOf(variableName(workflow, at)).captured.add(at);
  }
  for (const { variable, outputs } of reads) {
    for (const at of outputs) rowOf(variable).read.add(at);
  }
  for (const { at, carries } of members.flatMap(({ destinations }) => destinations)) {
    for (const name of carries) rowOf(name).carried.add(at);
  }
  return rows;
}

/** A capture is an object with a name, or a property with the variable's name as its key. */
function variableName(workflow: Json, at: string): string {
  const last = at.slice(at.lastIndexOf('/') + 1);
  const isKey = !/^\d+$/.test(last) || /\/properties\/[^/]+$/.test(at);
  const named = isKey ? null : textAt(workflow, `${at}/name`, `${at}/title`, `${at}/key`);
  return named ?? last.replaceAll('~1', '/').replaceAll('~0', '~');
}

export function renderVariables(variables: Variables, { source, output }: Places): Markup {
  if (variables.size === 0)
    return html`<p class="quiet">No variable is captured, read or carried.</p>`;
  const cell = (places: ReadonlySet<string>, placeOf: Places['source'], none: string) =>
    places.size === 0
      ? html`<span class="quiet">${none}</span>`
      : placeList([...places].map(placeOf));
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
        ${[...variables].map(
          ([name, { captured, read, carried }]) => html`<tr>
          <th scope="row"><code>${name}</code></th>
          <td>${cell(captured, source, 'supplied when the call starts')}</td>
          <td>${cell(read, output, 'in no text')}</td>
          <td>${cell(carried, output, 'by none')}</td>
        </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
