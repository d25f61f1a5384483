/**
 * A call, step by step, through the workflow and the squad at once: a script with a person in
 * the place of the model. Each choice plays the call again from its start, one step further.
 */

import { nodeOf, type Step, stepsFrom } from '../../call/machine.js';
import { run } from '../../compiler/compile.js';
import { hideTexts, redact } from '../../compiler/ir/secrets.js';
import type { CompileResult, JsonObject } from '../../index.js';
import { layTracks, type Tracks } from '../../scenarios/explore.js';
import { type CallEvent, definedVariables, runSquad, runWorkflow } from '../../scenarios/play.js';
import { type Bag, render } from '../../scenarios/render.js';
import { type BoundOptions, bindFor } from '../../serve/compile-bound.js';
import { html, type Markup } from '../html.js';

/** Where somebody is in a call. */
export interface CallState {
  /** The steps taken, each by its position among those that were possible. */
  readonly choices: readonly number[];
  /** What the caller says, by variable. */
  readonly values: Readonly<Record<string, string>>;
}

/** A workflow and its squad, side by side; null if there is no squad. */
export function tracksOf(
  workflow: unknown,
  options: BoundOptions,
  made: CompileResult,
): Tracks | null {
  if (made.output === null) return null;
  const bound = bindFor(workflow, options);
  const read = run(bound.workflow, bound.options);
  return 'graph' in read ? layTracks(read.graph, made.output as JsonObject) : null;
}

/** A call so far. */
export type Call = ReturnType<typeof playCall>;

/** Plays the call from its start; it ends before a choice that the workflow does not have. */
export function playCall(tracks: Tracks, state: CallState) {
  const { graph } = tracks;
  const steps: Step[] = [];
  for (const choice of state.choices) {
    const step = stepsFrom(graph, steps.at(-1)?.to ?? graph.start)[choice];
    if (step === undefined) break;
    steps.push(step);
  }
  // What the caller says, by variable: made up until somebody writes something else.
  const spoken = (name: string) =>
    Object.hasOwn(state.values, name) ? state.values[name]! : `«${name}»`;
  const values = new Map(definedVariables(graph).map((name) => [name, spoken(name)]));
  const script = { steps, given: new Map(), value: spoken };
  const squad = runSquad(tracks, script);
  const nameOf = (index: number) => nodeOf(graph, index).name ?? nodeOf(graph, index).id;
  const now = steps.at(-1)?.to ?? graph.start;
  const next = stepsFrom(graph, now).map(({ to, edge }) => {
    // Null for an edge without a condition; a global node can be entered at any time.
    const text = (edge ?? nodeOf(graph, to).global)?.condition?.value;
    const condition = text === undefined ? null : render(text, values);
    return { condition, isGlobal: edge === undefined, to: nameOf(to) };
  });
  const active = squad.findLast((event) => event.kind === 'active');
  const workflow = runWorkflow(graph, script);
  return { at: nameOf(now), steps: steps.length, workflow, squad, active, next, values };
}

export function renderCall(tracks: Tracks, state: CallState): Markup {
  const { steps, workflow, squad, active, next, values } = playCall(tracks, state);
  const visits = (events: readonly CallEvent[]) =>
    Array.from({ length: steps + 1 }, (_, visit) => {
      const all = events.filter((event) => event.visit === visit);
      return html`<li>${all.map((event) => renderEvent(tracks, event))}</li>`;
    });
  return html`<div class="call">
    <section aria-label="The call in the workflow">
      <h3>Workflow</h3>
      <ol class="visits">${visits(workflow)}</ol>
    </section>
    <section aria-label="The call in the squad">
      <h3>Squad</h3>
      <ol class="visits">${visits(squad)}</ol>
    </section>
    <section aria-label="The assistant that is active">
      <h3><bdi>${active?.assistant ?? ''}</bdi> <span class="quiet">is active</span></h3>
      <pre class="prompt">${hideTexts(active?.prompt ?? '', tracks.graph.workflow.secrets)}</pre>
      ${active !== undefined && renderBag(active.bag)}
    </section>
  </div>
  <div class="actions" id="choices">
    ${next.length === 0 && html`<p role="status">The call has ended.</p>`}
    ${next.map(
      (
        { condition, isGlobal, to },
        index,
      ) => html`<button type="button" data-choice="${index}"${steps === 0 && index === 0 && html` class="primary"`}>
        ${isGlobal && html`<span class="quiet">at any time: </span>`}<bdi>${condition ?? 'go on'}</bdi>
        <span class="quiet">→ <bdi>${to}</bdi></span>
      </button>`,
    )}
    ${steps > 0 && html`<button type="button" data-back>Back</button>`}
  </div>
  ${values.size > 0 && renderValues(values)}`;
}

function renderEvent({ graph }: Tracks, event: CallEvent): Markup | null {
  switch (event.kind) {
    case 'node': {
      const { id, name } = nodeOf(graph, event.node);
      return html`<p><b><bdi>${name ?? id}</bdi></b></p>`;
    }
    case 'handoff': {
      const names = [...event.carried.keys()].map((name) => html` <code>${name}</code>`);
      const carried = names.length > 0 && html`<span class="quiet">, carries${names}</span>`;
      return html`<p class="handoff">→ <bdi>${event.to}</bdi>${carried}</p>`;
    }
    case 'said':
      return html`<p class="spoken">“<bdi>${hideTexts(event.text, graph.workflow.secrets)}</bdi>”</p>`;
    case 'sent': {
      const fields = Object.entries(event.request).map(([path, text]) => {
        const name = path.split('/').at(-1)!;
        return `${path}: ${redact({ body: { [name]: text } }).body[name] ?? '…'}`;
      });
      return html`<p class="quiet">request: <code>${fields.join('  ')}</code></p>`;
    }
    case 'found':
    case 'response':
      return html`<p class="quiet"><code>${event.variable}</code> = <bdi>${event.value ?? 'nothing'}</bdi></p>`;
    default:
      return null;
  }
}

function renderBag(bag: Bag): Markup {
  if (bag.size === 0) return html`<p class="quiet">No variable is set yet.</p>`;
  return html`<dl class="facts">${[...bag].map(
    ([name, text]) => html`<div><dt><code>${name}</code></dt><dd><bdi>${text}</bdi></dd></div>`,
  )}</dl>`;
}

function renderValues(values: Bag): Markup {
  return html`<details id="values"><summary>What the caller says</summary>
    <div class="fields">${[...values].map(
      ([name, value], index) => html`<div class="field">
        <label for="value-${index}"><code>${name}</code></label>
        <input id="value-${index}" data-variable="${name}" value="${value}" autocomplete="off">
      </div>`,
    )}</div>
  </details>`;
}
