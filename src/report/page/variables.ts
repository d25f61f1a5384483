/**
 * The variables of a workflow: where they are captured, which texts of the squad read them, which
 * handoffs carry them. What is captured is the ledger's to say, what is carried the squad's; that a
 * text reads a variable is seen in its templates.
 */
import type { Json, LedgerEntry } from '../../index.js';
import { html, type Markup } from '../html.js';
import { textAt } from '../places.js';
import type { SquadView } from '../squad-view.js';
import { type Places, placeList } from './places.js';

export interface VariableRow {
  readonly name: string;
  /** Places in the workflow. */
  readonly captured: readonly string[];
  /** Places in the squad. */
  readonly read: readonly string[];
  /** Places of the handoffs' destinations. */
  readonly carried: readonly string[];
}

/** In the order in which they are captured, then read, then carried. */
export function variableRows(
  workflow: Json,
  ledger: readonly LedgerEntry[],
  { members }: SquadView,
): VariableRow[] {
  const rows = new Map<string, Record<'captured' | 'read' | 'carried', string[]>>();
  const rowOf = (name: string) => {
    const row = rows.get(name) ?? { captured: [], read: [], carried: [] };
    rows.set(name, row);
    return row;
  };
  for (const { kind, at } of ledger) {
    if (kind === 'variable') rowOf(variableName(workflow, at)).captured.push(at);
  }
  for (const { texts, destinations } of members) {
    for (const { at, text } of texts) for (const name of readsOf(text)) rowOf(name).read.push(at);
    for (const { at, carries } of destinations) {
      for (const name of carries.keys()) rowOf(name).carried.push(at);
    }
  }
  return Array.from(rows, ([name, row]) => ({ name, ...row }));
}

/** A capture is an object with a name, or a property with the variable's name as its key. */
function variableName(workflow: Json, at: string): string {
  const last = at.slice(at.lastIndexOf('/') + 1);
  const isKey = !/^\d+$/.test(last) || /\/properties\/[^/]+$/.test(at);
  const named = isKey ? null : textAt(workflow, `${at}/name`, `${at}/title`, `${at}/key`);
  return named ?? last.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Names that stand first in the outputs and the conditions of a text's templates. */
export function readsOf(text: string): Set<string> {
  const names = new Set<string>();
  for (const [template] of text.matchAll(/\{\{.*?\}\}|\{%.*?%\}/gsu)) {
    const bare = template.slice(2, -2).replace(/"[^"]*"|'[^']*'/gu, ' ');
    // Filters and what follows a dot are no variables, nor is the word that a tag begins with.
    const [values = ''] = template.startsWith('{%')
      ? [bare.replace(/^-?\s*\w+/u, ' ')]
      : bare.split('|');
    for (const [name] of values.matchAll(/(?<![\p{L}\p{N}_.-])[\p{L}_][\p{L}\p{N}_-]*/gu)) {
      if (!liquidWords.has(name)) names.add(name);
    }
  }
  return names;
}

const liquidWords: ReadonlySet<string> = new Set(
  'and or not in contains true false nil null empty blank reversed limit offset'.split(' '),
);

export function renderVariables(rows: readonly VariableRow[], places: Places): Markup {
  if (rows.length === 0)
    return html`<p class="quiet">No variable is captured, read or carried.</p>`;
  const cell = (list: Parameters<typeof placeList>[0], none: string) =>
    list.length === 0 ? html`<span class="quiet">${none}</span>` : placeList(list);
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
        ${rows.map(
          ({ name, captured, read, carried }) => html`<tr>
          <th scope="row"><code>${name}</code></th>
          <td>${cell(captured.map(places.source), 'supplied when the call starts')}</td>
          <td>${cell(read.map(places.output), 'in no text')}</td>
          <td>${cell(carried.map(places.output), 'by none')}</td>
        </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
