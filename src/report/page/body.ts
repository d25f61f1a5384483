/**
 * What a page shows of a workflow, without the document around it. It depends on its input alone, and
 * runs in a browser too.
 */
import type { Json } from '../../index.js';
import { endEdgeId } from '../graph/squad-picture.js';
import { dataElement, html, type Markup, trusted } from '../html.js';
import type { ResultFile } from '../model.js';
import { type SquadView, viewSquad } from '../squad-view.js';
import {
  renderChecklist,
  renderFindings,
  renderLedger,
  renderVariables,
  variablesOf,
} from './evidence.js';
import { renderHeader } from './header.js';
import { createPlaces, type Places } from './places.js';
import { renderPrompts } from './prompts.js';
import { type GivenAnswer, renderQuestions } from './questions.js';

export interface PageInput {
  readonly result: ResultFile;
  /** The squad, or the draft while questions are open; else null. */
  readonly squad: Json;
  /** SVG elements; empty if there is nothing to draw. */
  readonly pictures: { readonly workflow: string; readonly squad: string };
  /** Address of the summary; null in the playground. */
  readonly home: string | null;
  /** Names of the files beside the page. */
  readonly files: readonly string[];
  /** Answers given on the page. */
  readonly given?: readonly GivenAnswer[];
  /** Names of files that the page offers. */
  readonly downloads?: readonly string[];
}

interface Section {
  readonly id: string;
  readonly title: string;
  /** Number of entries; null if they are not counted. */
  readonly count: number | null;
  readonly body: Markup;
  /** Whether it is hidden until the page's script runs. */
  readonly isScripted: boolean;
}

export function renderBody(input: PageInput): Markup {
  const view = viewSquad(input.squad) ?? { name: null, members: [] };
  const sections = sectionsOf(input, view);
  const scripted = ({ isScripted }: Section) => isScripted && html` class="scripted" hidden`;
  const number = ({ count }: Section) =>
    count !== null && html` <span class="count">${count}</span>`;
  return html`${renderHeader(input, view)} <nav aria-label="Sections">
    <ul>${sections.map(
      (each) =>
        html`<li${scripted(each)}><a href="#${each.id}">${each.title}${number(each)}</a></li>`,
    )}</ul>
  </nav>
  <main>${sections.map(
    (each) => html`<section id="${each.id}" aria-labelledby="${each.id}-title"${scripted(each)}>
    <h2 id="${each.id}-title">${each.title}${number(each)}</h2>
    <div>${each.body}</div>
  </section>`,
  )}</main>
  <p id="linked" role="status" hidden></p>
  <footer><p>Made by squadc ${input.result.squadc}.</p></footer>`;
}

/** What needs attention comes first. */
function sectionsOf(input: PageInput, view: SquadView): Section[] {
  const { result, pictures } = input;
  const { questions, diagnostics, checklist, ledger, sourceMap, status } = result;
  const places = createPlaces(result.workflow, view, {
    workflow: pictures.workflow !== '',
    squad: pictures.squad !== '',
  });
  const draft = status === 'needs-answers' ? ' (draft)' : '';
  const variables = variablesOf(result, view);
  const section = (id: string, title: string, count: number | null, body: Markup): Section => {
    return { id, title, count, body, isScripted: false };
  };
  const walk = { ...section('walk', 'Walk a call', null, callToWalk), isScripted: true };
  return [
    section('pictures', 'Pictures', null, renderPictures(input, draft, view, places)),
    section('questions', 'Open questions', questions.length, renderQuestions(input, places)),
    ...(status === 'complete' ? [walk] : []),
    section('findings', 'Findings', diagnostics.length, renderFindings(diagnostics, places)),
    section(
      'assistants',
      `Assistants${draft}`,
      view.members.length,
      renderPrompts(view, sourceMap, places),
    ),
    section('variables', 'Variables', variables.size, renderVariables(variables, places)),
    section('checklist', 'Checklist', null, renderChecklist(checklist, places)),
    section('ledger', 'Ledger', ledger.length, renderLedger(ledger, places)),
  ];
}

/** The page's script fills it. */
const callToWalk = html`<p class="quiet">Take the caller’s place: what each side says, step by step.</p>
  <div id="call"><button type="button" data-begin>Begin a call</button></div>`;

const nothingDrawn = html`<p class="quiet">There is nothing to draw.</p>`;

function renderPictures(
  { result, pictures }: PageInput,
  draft: string,
  { members }: SquadView,
  places: Places,
): Markup {
  if (pictures.workflow === '' && pictures.squad === '') return nothingDrawn;
  const picture = (title: string, svg: string) => html`<figure>
    <figcaption>${title}</figcaption>
    ${svg === '' ? nothingDrawn : html`<div class="wide canvas">${trusted(svg)}</div>`}
  </figure>`;
  // Names of edges and handoffs, for the line below the pictures: the pictures show only conditions.
  const edges = result.ledger.filter(({ kind }) => kind === 'edge');
  const named = [
    ...edges.map(({ at }) => places.source(at)),
    ...members.flatMap(({ destinations }) => destinations.map(({ at }) => places.output(at))),
  ];
  const labels = Object.fromEntries([
    ...named.map(({ owner, pointer, label }) => [owner ?? pointer, label]),
    ...members.map(({ at, name }) => [endEdgeId(at), `${name} → end of call`]),
  ]);
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
