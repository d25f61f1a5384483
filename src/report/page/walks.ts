/** The section on test calls: the fewest walks that take every edge, as a person can follow them. */

import { type BoundOptions, bindFor } from '../../adapters/tools/compile-bound.js';
import { run } from '../../compiler/compile.js';
import { sizeOf, type TestPlan } from '../../scenarios/markdown.js';
import { planScenarios } from '../../scenarios/plan-scenarios.js';
import type { Script, Turn } from '../../scenarios/script.js';
import { edgeText, howItEnds, whatToDo, whatToSay } from '../../scenarios/wording.js';
import { html, type Markup } from '../html.js';
import type { ResultFile } from '../model.js';
import { type Places, placeLink } from './places.js';

/** Above this many edges, planning takes longer than a page is worth. */
const mostEdges = 1_000;
/** Turns on one page; a plan can have a hundred times as many. */
const mostTurns = 2_000;

/** The plan, or a sentence that says why there is none. */
export type Walks = { readonly plan: TestPlan } | { readonly note: string };

export function planWalks(result: ResultFile): Walks {
  const { status, stats } = result;
  if (status !== 'complete')
    return { note: 'Test calls are available once the squad is complete.' };
  if (stats.edges > mostEdges) {
    return { note: 'For large workflows, use squadc scenarios.' };
  }
  const { workflow, options } = bindFor(result.workflow, answeredOptions(result));
  // What is kept of the workflow has its secrets masked, and may not be what was compiled.
  const isSame = !('status' in run(workflow, options));
  const plan = isSame ? planScenarios(workflow, options) : null;
  return plan === null
    ? { note: 'squadc scenarios plans the test calls of the source.' }
    : { plan };
}

/** As the compiler takes them: without the subjects that a run adds to its answers. */
export function answeredOptions({
  options,
  answers,
  policies,
}: Pick<ResultFile, 'options' | 'answers' | 'policies'>): BoundOptions {
  const plain = Object.entries(answers).map(
    ([id, { subject, ...answer }]) => [id, answer] as const,
  );
  return { ...options, answers: { answers: Object.fromEntries(plain), policies } };
}

export function renderWalks(walks: Walks, places: Places): Markup {
  if ('note' in walks) return html`<p class="quiet">${walks.note}</p>`;
  const { plan } = walks;
  const shown = shownScripts(plan.scripts);
  const rest = plan.scripts.length - shown.length;
  return html`<p>${sizeOf(plan)}: every edge that a call can take, every global node and every exit.</p>
    ${plan.leftOut.length > 0 && html`<p class="quiet">No call can take: ${plan.leftOut.map((edge) => html`${edgeText(edge, quote)}; `)}</p>`}
    ${shown.map((script) => renderScript(script, places))}
    ${rest > 0 && html`<p class="quiet">and ${rest} more calls; squadc scenarios writes them all.</p>`}`;
}

function shownScripts(scripts: readonly Script[]): Script[] {
  let turns = 0;
  return scripts.filter((script) => {
    turns += script.turns.length;
    return turns <= mostTurns;
  });
}

function renderScript({ number, turns, mocks, supplied, end }: Script, places: Places): Markup {
  const [first, last] = [turns[0]!.node, turns.at(-1)!.node];
  return html`<details class="walk">
    <summary>Call ${number}: <bdi>${first.name ?? first.id}</bdi> to <bdi>${last.name ?? last.id}</bdi>, ${turns.length} steps</summary>
    ${supplied.size > 0 && html`<p>The call begins with: ${[...supplied].map(([name, value]) => html`<code>${name}</code> = <code>${String(value)}</code> `)}</p>`}
    <ol>${turns.map((turn) => renderTurn(turn, places))}</ol>
    <p>${howItEnds(end, last, quote)}</p>
    ${
      mocks.length > 0 &&
      html`<p>Responses of the tools:</p>
      <ul>${mocks.map(({ tool, result }) => html`<li><code>${tool}</code>: <code>${result}</code></li>`)}</ul>`
    }
  </details>`;
}

function renderTurn(turn: Turn, places: Places): Markup {
  const { node, says, tools } = turn;
  const place = places.source(node.at);
  return html`<li data-links="${place.owner ?? ''}">
    ${placeLink(place)}
    <p>${whatToDo(turn, quote)}</p>
    ${node.firstMessage !== null && html`<p class="said">“${node.firstMessage.value}”</p>`}
    ${tools.length > 0 && html`<p class="quiet">Tools: ${tools.map((tool) => html`<code>${tool}</code> `)}</p>`}
    ${says.map((each) => html`<p>You: ${whatToSay(each, quote)}</p>`)}
  </li>`;
}

function quote(text: string): string {
  return `“${text}”`;
}
