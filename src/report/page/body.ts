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
import { type SquadView, viewSquad } from '../squad-view.js';
import { renderFindings } from './findings.js';
import { type Heading, renderHeader, renderNavigation } from './header.js';
import { createPlaces, type Places } from './places.js';
import { renderPrompts } from './prompts.js';
import { type GivenAnswer, renderQuestions } from './questions.js';
import { renderChecklist, renderLedger } from './records.js';
import { renderVariables, variableRows } from './variables.js';
import { planWalks, renderWalks, type Walks } from './walks.js';

export interface PageInput {
  readonly result: ResultFile;
  /** The squad document, or the draft while questions are open; null where there is neither. */
  readonly squad: Json;
  /** Fragments of SVG; empty where there is nothing to draw. */
  readonly pictures: { readonly workflow: string; readonly squad: string };
  readonly walks: Walks;
  /** Address of the fleet's page; null in the playground, where there is no file that this is about. */
  readonly home: string | null;
  /** Names of the files beside the page. */
  readonly files: readonly string[];
  /** What has been answered on the page. */
  readonly given?: readonly GivenAnswer[];
  /** Names of the files that the page can make. */
  readonly downloads?: readonly string[];
}

interface Section extends Heading {
  readonly body: Markup;
}

export function renderBody(input: PageInput): Markup {
  const { result, squad } = input;
  const view = viewSquad(squad) ?? noSquad;
  const sections = sectionsOf(input, view);
  return html`${renderHeader(input, view)} ${renderNavigation(sections)}
      <main>${sections.map(renderSection)}</main>
      <p id="linked" role="status" hidden></p>
      <footer><p>Made by squadc ${result.squadc}.</p></footer>`;
}

/** What needs attention comes before what can be looked up. */
function sectionsOf(input: PageInput, view: SquadView): Section[] {
  const { result, pictures, walks } = input;
  const { questions, diagnostics, checklist, ledger, sourceMap, status } = result;
  const places = createPlaces(result.workflow, view, {
    workflow: pictures.workflow !== '',
    squad: pictures.squad !== '',
  });
  const draft = status === 'needs-answers' ? ' (draft)' : '';
  const variables = variableRows(result.workflow, ledger, view);
  const labels = labelsOf(ledger, view, places);
  const scripts = 'plan' in walks ? walks.plan.scripts.length : null;
  const rows: readonly (readonly [string, string, number | null, Markup, scripted?: boolean])[] = [
    ['pictures', 'Pictures', null, renderPictures(pictures, draft, labels)],
    ['questions', 'Open questions', questions.length, renderQuestions(input, places)],
    ...(status === 'complete' ? [['walk', 'Walk a call', null, callToWalk, true] as const] : []),
    ['findings', 'Findings', diagnostics.length, renderFindings(diagnostics, places)],
    [
      'assistants',
      `Assistants${draft}`,
      view.members.length,
      renderPrompts(view, sourceMap, places),
    ],
    ['variables', 'Variables', variables.length, renderVariables(variables, places)],
    ['checklist', 'Checklist', null, renderChecklist(checklist, places)],
    ['ledger', 'Ledger', ledger.length, renderLedger(ledger, places)],
    ['walks', 'Test calls', scripts, renderWalks(walks, places)],
  ];
  return rows.map(([id, title, count, body, isScripted = false]) => {
    return { id, title, count, body, isScripted };
  });
}

/** What stands in the section on test calls, planned now. */
export function renderTestCalls(result: ResultFile, squad: Json): Markup {
  const view = viewSquad(squad) ?? noSquad;
  const places = createPlaces(result.workflow, view, { workflow: true, squad: true });
  return renderWalks(planWalks(result), places);
}

const noSquad: SquadView = { name: null, members: [] };

/** The script fills it. */
const callToWalk = html`<p class="quiet">Take the caller’s place: what each side says, step by step.</p>
  <div id="call"><button type="button" data-begin>Begin a call</button></div>`;

function renderSection({ id, title, count, body, isScripted }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-title"${isScripted && html` class="scripted" hidden`}>
    <h2 id="${id}-title">${title}${count !== null && html` <span class="count">${count}</span>`}</h2>
    <div>${body}</div>
  </section>`;
}

/** How edges and handoffs are called beside the pictures, which show their conditions alone. */
function labelsOf(ledger: readonly LedgerEntry[], { members }: SquadView, places: Places) {
  const edges = ledger.filter(({ kind }) => kind === 'edge').map(({ at }) => places.source(at));
  const handoffs = members.flatMap(({ destinations }) =>
    destinations.map(({ at }) => places.output(at)),
  );
  const ends = members.map(({ at, name }) => [endEdgeId(at), `${name} → end of call`] as const);
  const named = [...edges, ...handoffs].map(
    ({ owner, pointer, label }) => [owner ?? pointer, label] as const,
  );
  return Object.fromEntries([...named, ...ends]);
}

const nothingDrawn = html`<p class="quiet">There is nothing to draw.</p>`;

function renderPictures(
  pictures: PageInput['pictures'],
  draft: string,
  labels: Readonly<Record<string, string>>,
): Markup {
  if (pictures.workflow === '' && pictures.squad === '') return nothingDrawn;
  const picture = (title: string, svg: string) => html`<figure>
    <figcaption>${title}</figcaption>
    ${svg === '' ? nothingDrawn : html`<div class="wide canvas">${trusted(svg)}</div>`}
  </figure>`;
  return html`<p class="quiet hint scripted" hidden>
      Point at a shape, or move to it with the arrow keys, to see what became of it. Enter keeps it
      marked, Escape lets it go.
    </p>
    <p class="fit"><label><input type="checkbox" id="actual-size"> Actual size</label></p>
    <div class="pictures">
      ${picture('Workflow', pictures.workflow)} ${picture(`Squad${draft}`, pictures.squad)}
    </div>
    ${dataElement('labels', labels)}`;
}
