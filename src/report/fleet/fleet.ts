/**
 * The page of a run: `summary.html`.
 *
 * In: the totals, the rows that are shown. Out: a document that needs no other file. Above a limit
 * only the rows that need a person are shown, and the page says so; all are in `summary.csv`.
 */
import { fleetAssets } from '../assets.generated.js';
import { renderDocument } from '../document.js';
import { html, type Markup } from '../html.js';
import type { Totals, WorkflowRow } from '../model.js';
import { counted, grouped } from '../words.js';
import { renderFilters, renderTable } from './table.js';
import { renderTotals } from './totals.js';

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
    assets: fleetAssets,
    body: html`<header class="top">
        <h1>Migration of ${counted(totals.workflows, 'workflow')}</h1>
        ${renderTotals(totals)}
      </header>
      <main>
        <h2>${shown.which === 'all' ? 'Workflows' : 'Workflows that need a person'}</h2>
        ${renderNote(shown, totals)} ${renderFilters()} ${renderTable(shown.rows, addressOf)}
      </main>
      <footer><p>Made by squadc ${squadc}. All rows: <a href="./summary.csv">summary.csv</a></p></footer>`,
  });
}

function renderNote({ which, rows, of }: ShownRows, totals: Totals): Markup | null {
  if (which === 'all') return null;
  const listed =
    rows.length < of ? `the ${grouped(rows.length)} most urgent are listed` : 'they are listed';
  return html`<p>
    ${grouped(of)} of ${counted(totals.workflows, 'workflow')} need a person; ${listed} here. All of
    them stand in <a href="./summary.csv">summary.csv</a>.
  </p>`;
}
