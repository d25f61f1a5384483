/**
 * What a page shows of a workflow, without the document around it. It depends on its input alone, and
 * runs in a browser too.
 */
import { redact } from '../../compiler/ir/secrets.js';
import { type Both, drawPictures } from '../graph/pictures.js';
import { endEdgeId } from '../graph/squad-picture.js';
import { dataElement, html, type Markup, trusted } from '../html.js';
import type { PageInput, ResultFile } from '../model.js';
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
import { renderQuestions } from './questions.js';

type Section = readonly [id: string, title: string, body: Markup, entries?: number];

export function renderBody({ squad, ...given }: PageInput): Markup {
  const shown = redact({ workflow: given.result.workflow, squad });
  const result = { ...given.result, workflow: shown.workflow };
  const input = { ...given, result, squad: shown.squad };
  const view = viewSquad(input.squad) ?? { name: null, members: [] };
  const sections = sectionsOf(input, view).map(([id, title, body, entries]) => {
    const count = entries !== undefined && html` <span class="count">${entries}</span>`;
    return { id, body, heading: html`${title}${count}`, mark: id === 'walk' && scripted };
  });
  return html`${renderHeader(input, view)} <nav aria-label="Sections">
    <ul>${sections.map(({ id, heading, mark }) => html`<li${mark}><a href="#${id}">${heading}</a></li>`)}</ul>
  </nav>
  <main>${sections.map(
    ({ id, heading, mark, body }) => html`<section id="${id}" aria-labelledby="${id}-title"${mark}>
    <h2 id="${id}-title">${heading}</h2>
    <div>${body}</div>
  </section>`,
  )}</main>
  <p id="linked" role="status" hidden></p>
  <footer><p>Made by squadc ${input.result.squadc}.</p></footer>`;
}

/** Hidden until the page's script runs. */
const scripted = html` class="scripted" hidden`;

/** What needs attention comes first. */
function sectionsOf(input: PageInput, view: SquadView): Section[] {
  const { result, squad } = input;
  const { questions, diagnostics, checklist, ledger, sourceMap, status, workflow } = result;
  const drawn = drawPictures(result, squad);
  const places = createPlaces(workflow, view, drawn);
  const draft = status === 'needs-answers' ? ' (draft)' : '';
  const prompts = renderPrompts(view, sourceMap, places);
  const variables = variablesOf(result, view);
  return [
    ['pictures', 'Pictures', renderPictures(result, drawn, draft, view, places)],
    ['questions', 'Open questions', renderQuestions(input, places), questions.length],
    ...(status === 'complete' ? [['walk', 'Walk a call', callToWalk] as const] : []),
    ['findings', 'Findings', renderFindings(diagnostics, places), diagnostics.length],
    ['assistants', `Assistants${draft}`, prompts, view.members.length],
    ['variables', 'Variables', renderVariables(variables, places), variables.size],
    ['checklist', 'Checklist', renderChecklist(checklist, places)],
    ['ledger', 'Ledger', renderLedger(ledger, places), ledger.length],
  ];
}

/** The page's script fills it. */
const callToWalk = html`<p class="quiet">Take the caller’s place, and see step by step what each side says.</p>
  <div id="call"><button type="button" data-begin>Start a call</button></div>`;

const nothingDrawn = html`<p class="quiet">There is nothing to draw.</p>`;

function renderPictures(
  result: ResultFile,
  pictures: Both<string>,
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
      Point at a shape, or move to it with the arrow keys, to highlight what it became. Enter keeps
      the highlight, Escape removes it.
    </p>
    <p class="fit"><label><input type="checkbox" id="actual-size"> Actual size</label></p>
    <div class="pictures">
      ${picture('Workflow', pictures.workflow)} ${picture(`Squad${draft}`, pictures.squad)}
    </div>
    ${dataElement('labels', labels)}`;
}
