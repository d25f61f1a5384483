/**
 * A call, step by step, through the workflow and the squad at once: the simulator with a person in
 * the place of the model. Each choice plays the call again from its start, one step further.
 */
import { type Bag, render } from '../../simulator/render.js';
import { runSquad } from '../../simulator/run.js';
import type { Tracks } from '../../simulator/squad.js';
import { nodeOf, type Step, stepsFrom } from '../../simulator/walks.js';
import { type CallEvent, definedVariables, runWorkflow } from '../../simulator/workflow.js';
import { html, type Markup } from '../html.js';

/** Where somebody is in a call. */
export interface CallState {
  /** Steps after the start, by their position among those that could be taken. */
  readonly choices: readonly number[];
  /** What the caller says, by variable. */
  readonly values: Readonly<Record<string, string>>;
}

export function renderCall(tracks: Tracks, state: CallState): Markup {
  const { graph } = tracks;
  const steps = stepsOf(tracks, state);
  const value = (variable: string) =>
    Object.hasOwn(state.values, variable) ? state.values[variable]! : `«${variable}»`;
  const script = { steps, given: new Map(), value };
  const squad = runSquad(tracks, script);
  const active = squad.findLast((event) => event.kind === 'active');
  const next = stepsFrom(graph, steps.at(-1)?.to ?? graph.start);
  return html`<div class="call">
    <section aria-label="The call in the workflow">
      <h3>Workflow</h3>
      ${renderVisits(tracks, runWorkflow(graph, script), steps.length)}
    </section>
    <section aria-label="The call in the squad">
      <h3>Squad</h3>
      ${renderVisits(tracks, squad, steps.length)}
    </section>
    <section aria-label="The assistant that is active">
      <h3><bdi>${active?.assistant ?? ''}</bdi> <span class="quiet">is active</span></h3>
      <pre class="prompt">${active?.prompt ?? ''}</pre>
      ${active !== undefined && renderBag(active.bag)}
    </section>
  </div>
  <div class="actions" id="choices">
    ${next.length === 0 && html`<p role="status">The call has ended.</p>`}
    ${next.map((step, index) => renderChoice(tracks, step, index, steps, value))}
    ${steps.length > 0 && html`<button type="button" data-back>Back</button>`}
  </div>
  ${renderValues(definedVariables(graph), value)}`;
}

/** Choices that the workflow no longer has end the call where it was. */
function stepsOf({ graph }: Tracks, { choices }: CallState): Step[] {
  const steps: Step[] = [];
  for (const choice of choices) {
    const step = stepsFrom(graph, steps.at(-1)?.to ?? graph.start)[choice];
    if (step === undefined) break;
    steps.push(step);
  }
  return steps;
}

function renderVisits(tracks: Tracks, events: readonly CallEvent[], last: number): Markup {
  const visits = Array.from({ length: last + 1 }, (_, visit) =>
    events.filter((event) => event.visit === visit),
  );
  return html`<ol class="visits">
    ${visits.map((all) => html`<li>${all.map((event) => renderEvent(tracks, event))}</li>`)}
  </ol>`;
}

function renderEvent({ graph }: Tracks, event: CallEvent): Markup | null {
  switch (event.kind) {
    case 'node': {
      const { id, name } = nodeOf(graph, event.node);
      return html`<p><b><bdi>${name ?? id}</bdi></b></p>`;
    }
    case 'handoff':
      return html`<p class="handoff">→ <bdi>${event.to}</bdi>${renderCarried(event.carried)}</p>`;
    case 'said':
      return html`<p class="spoken">“<bdi>${event.text}</bdi>”</p>`;
    case 'sent':
      return html`<p class="quiet">request: <code>${requestText(event.request)}</code></p>`;
    case 'found':
    case 'response':
      return html`<p class="quiet"><code>${event.variable}</code> = <bdi>${event.value ?? 'nothing'}</bdi></p>`;
    default:
      return null;
  }
}

function renderCarried(carried: Bag): Markup | null {
  if (carried.size === 0) return null;
  const names = [...carried.keys()].map((name) => html` <code>${name}</code>`);
  return html`<span class="quiet">, carries${names}</span>`;
}

function requestText(request: Readonly<Record<string, string | null>>): string {
  return Object.entries(request)
    .map(([field, text]) => `${field}: ${text ?? '…'}`)
    .join('  ');
}

function renderBag(bag: Bag): Markup {
  if (bag.size === 0) return html`<p class="quiet">No variable is set yet.</p>`;
  return html`<dl class="facts">${[...bag].map(
    ([name, text]) => html`<div><dt><code>${name}</code></dt><dd><bdi>${text}</bdi></dd></div>`,
  )}</dl>`;
}

function renderChoice(
  { graph }: Tracks,
  { to, edge }: Step,
  index: number,
  steps: readonly Step[],
  value: (variable: string) => string,
): Markup {
  const node = nodeOf(graph, to);
  const condition = edge === undefined ? (node.global?.condition ?? null) : edge.condition;
  const known = new Map(definedVariables(graph).map((name) => [name, value(name)]));
  const words = condition === null ? 'go on' : render(condition.value, known);
  const isFirst = index === 0 && steps.length === 0;
  return html`<button type="button" data-choice="${index}"${isFirst && html` class="primary"`}>
    ${edge === undefined && html`<span class="quiet">at any time: </span>`}<bdi>${words}</bdi>
    <span class="quiet">→ <bdi>${node.name ?? node.id}</bdi></span>
  </button>`;
}

/** What the caller says: made up until somebody writes something else. */
function renderValues(variables: readonly string[], value: (variable: string) => string): Markup {
  if (variables.length === 0) return html``;
  return html`<details id="values"><summary>What the caller says</summary>
    <div class="fields">${variables.map(
      (name, index) => html`<div class="field">
        <label for="value-${index}"><code>${name}</code></label>
        <input id="value-${index}" data-variable="${name}" value="${value(name)}" autocomplete="off">
      </div>`,
    )}</div>
  </details>`;
}
