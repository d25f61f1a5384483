/**
 * What a page shows of one workflow, as a body without a document around it.
 *
 * In: `result.json`, the squad or its draft, the pictures. Guarantee: a function of these alone, so
 * that the same run gives the same bytes; it runs in a browser too.
 */
import type { Json, LedgerEntry } from '../../index.js';
import { endEdgeId } from '../graph/squad-picture.js';
import { dataElement, html, type Markup, trusted } from '../html.js';
import type { ResultFile } from '../model.js';
import { renderChecklist } from './checklist.js';
import { renderFindings } from './findings.js';
import { type Heading, renderHeader, renderNavigation, renderOutcome } from './header.js';
import { renderLedger } from './ledger.js';
import { createPlaces, type Places } from './places.js';
import { renderPrompts } from './prompts.js';
import { renderQuestions } from './questions.js';
import { type SquadView, viewSquad } from './squad-view.js';
import { variableRows } from './variable-table.js';
import { renderVariables } from './variables.js';
import { renderWalks, type Walks } from './walks.js';

export interface PageInput {
  readonly result: ResultFile;
  /** The squad document, or the draft while questions are open; null where there is neither. */
  readonly squad: Json;
  /** Fragments of SVG; empty where there is nothing to draw. */
  readonly pictures: { readonly workflow: string; readonly squad: string };
  readonly walks: Walks;
  /** Address of the fleet's page. */
  readonly home: string | null;
  /** Names of the files beside the page. */
  readonly files: readonly string[];
  /** In the playground: answers count at once, and there is no file that this is about. */
  readonly isLive?: boolean;
}

interface Section extends Heading {
  readonly body: Markup;
}

export function renderBody(input: PageInput): Markup {
  const { result, home, files, isLive } = input;
  const sections = sectionsOf(input);
  const head = isLive ? renderOutcome(result) : renderHeader(result, home, files);
  return html`${head} ${renderNavigation(sections)}
      <main>${sections.map(renderSection)}</main>
      <p id="linked" role="status" hidden></p>
      <footer><p>Made by squadc ${result.squadc}.</p></footer>`;
}

/** What needs a person comes before what can be looked up. */
function sectionsOf({ result, squad, pictures, walks, isLive = false }: PageInput): Section[] {
  const view = viewSquad(squad);
  const places = createPlaces(result.workflow, view, {
    workflow: pictures.workflow !== '',
    squad: pictures.squad !== '',
  });
  const { questions, diagnostics, checklist, ledger, sourceMap, status } = result;
  const variables = variableRows(result.workflow, ledger, view);
  const draft = status === 'needs-answers' ? ' (draft)' : '';
  return [
    section(
      'pictures',
      'Pictures',
      null,
      renderPictures(pictures, draft, labelsOf(ledger, view, places)),
    ),
    section(
      'questions',
      'Open questions',
      questions.length,
      renderQuestions(result, places, isLive),
    ),
    section('findings', 'Findings', diagnostics.length, renderFindings(diagnostics, places)),
    section(
      'assistants',
      `Assistants${draft}`,
      view.members.length,
      renderPrompts(view, sourceMap, places),
    ),
    section('variables', 'Variables', variables.length, renderVariables(variables, places)),
    section('checklist', 'Checklist', null, renderChecklist(checklist, places)),
    section('ledger', 'Ledger', ledger.length, renderLedger(ledger, places)),
    section('walks', 'Test calls', countOf(walks), renderWalks(walks, places)),
  ];
}

function section(id: string, title: string, count: number | null, body: Markup): Section {
  return { id, title, count, body };
}

function countOf(walks: Walks): number | null {
  return 'plan' in walks ? walks.plan.scripts.length : null;
}

function renderSection({ id, title, count, body }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}${count !== null && html` <span class="count">${count}</span>`}</h2>
    ${body}
  </section>`;
}

/** How edges and handoffs are called beside the pictures, which show their conditions alone. */
function labelsOf(ledger: readonly LedgerEntry[], { members }: SquadView, places: Places): Labels {
  const edges = ledger.filter(({ kind }) => kind === 'edge').map(({ at }) => places.source(at));
  const ways = members.flatMap(({ destinations }) =>
    destinations.map(({ at }) => places.output(at)),
  );
  const ends = members.map(({ at, name }) => [endEdgeId(at), `${name} → end of call`] as const);
  const named = [...edges, ...ways].map(
    ({ owner, pointer, label }) => [owner ?? pointer, label] as const,
  );
  return Object.fromEntries([...named, ...ends]);
}

type Labels = Readonly<Record<string, string>>;

const nothingDrawn = html`<p class="quiet">There is nothing to draw.</p>`;

function renderPictures(pictures: PageInput['pictures'], draft: string, labels: Labels): Markup {
  if (pictures.workflow === '' && pictures.squad === '') return nothingDrawn;
  return html`<p class="quiet hint scripted" hidden>
      Point at a shape, or move to it with the arrow keys, to see what became of it. Enter keeps it
      marked, Escape lets it go.
    </p>
    <p class="fit"><label><input type="checkbox" id="actual-size"> Actual size</label></p>
    <div class="pictures">
      ${renderPicture('Workflow', pictures.workflow)}
      ${renderPicture(`Squad${draft}`, pictures.squad)}
    </div>
    ${dataElement('labels', labels)}`;
}

function renderPicture(title: string, svg: string): Markup {
  return html`<figure>
    <figcaption>${title}</figcaption>
    ${svg === '' ? nothingDrawn : html`<div class="wide canvas">${trusted(svg)}</div>`}
  </figure>`;
}
