/** The head of a workflow's page: its status, its numbers, and the files to take. */
import { usualTarget } from '../../compiler/targets.js';
import { computeComponents } from '../../graph/partitions.js';
import { counted } from '../../text/counted.js';
import { duration } from '../assess.js';
import { html, type Markup, relativeAddress } from '../html.js';
import type { Assessment, PageInput, WorkflowStatus } from '../model.js';
import type { SquadView } from '../squad-view.js';

/** The words and the badge of a status. */
export const statusWords: Readonly<Record<WorkflowStatus, readonly [string, string]>> = {
  complete: ['complete', 'good'],
  'needs-answers': ['needs answers', 'warning'],
  invalid: ['invalid', 'error'],
  failed: ['failed', 'error'],
};

export const levelWords: Readonly<Record<Assessment['level'], string>> = {
  A: 'automatic',
  B: 'answers are needed',
  C: 'work is needed',
};

export function renderHeader(input: PageInput, squad: SquadView): Markup {
  const { result, home, hasTokens, downloads = ['findings.md'] } = input;
  const { name, key, status, failure, assessment, stats } = result;
  const [label, badge] = statusWords[status];
  const { level, size, minutes, automatic, manual } = assessment;
  const title = html`<bdi>${name ?? (home === null ? 'Without a name' : key)}</bdi>`;
  const numbers = [
    [stats.nodes, 'node'],
    [stats.edges, 'edge'],
    [stats.assistants, 'assistant'],
    [stats.handoffs, 'handoff'],
    [stats.tools, 'tool'],
    [stats.questions, 'open question'],
  ] as const;
  const head = html`
    ${home !== null && html`<p class="home"><a href="${home}">All workflows</a></p>`}
    ${home === null ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`}
    <p class="facts"><span class="badge ${badge}">${label}</span>
    <span class="badge level-${level}">Level ${level}${size}: ${levelWords[level]}</span>
    <span>${minutes === 0 ? 'no manual work' : `about ${duration(minutes)} of manual work`}</span></p>
    ${hasTokens && html`<p class="quiet tokens">Tokens such as <code>squadc-secret-1</code> stand in the place of secrets here. While one is in the squad, only the command gives <code>squad.json</code>.</p>`}
    ${failure !== undefined && html`<p class="fault"><bdi>${failure.message}</bdi> <code>${failure.code}</code></p>`}
    ${home !== null && renderFacts(input)}
    <ul class="numbers">
      ${numbers.map(([count, word]) => html`<li><b>${count}</b> ${counted(count, word, false)}</li>`)}
      <li><b>${automatic}</b> automatic</li>
      <li><b>${manual}</b> by hand</li>
    </ul>
    ${squad.members.length > 0 && renderLongest(squad)}
    <div class="actions scripted" hidden>
      ${downloads.map((file) => html`<button type="button" data-file="${file}">Download ${file}</button> `)}
      <button type="button" data-copy="findings">Copy findings as Markdown</button>
      ${home === null && html`<button type="button" data-copy="link">Copy a link to this</button>`}
    </div>`;
  if (home === null) return html`<section class="top" aria-label="Outcome">${head}</section>`;
  return html`<header class="top">${head}</header>`;
}

function renderFacts({ result, files }: PageInput): Markup {
  const { key, source, dialect, options } = result;
  return html`<dl class="facts">
      <div><dt>Source</dt><dd><bdi>${source}</bdi></dd></div>
      <div><dt>Key</dt><dd><code>${key}</code></dd></div>
      ${dialect !== null && html`<div><dt>Dialect</dt><dd>${dialect}</dd></div>`}
      <div><dt>Target</dt><dd>${options.target ?? usualTarget(dialect)}</dd></div>
      ${files.length > 0 && html`<div><dt>Files</dt><dd>${files.map((file) => html`<a href="${relativeAddress(file)}">${file}</a> `)}</dd></div>`}
    </dl>`;
}

/** The longest call: how many assistants it meets, and the model calls that the workflow did not need. */
function renderLongest(squad: SquadView): Markup {
  const { handoffs, extractions, isOpen } = longestCall(squad);
  const parts = [
    counted(handoffs + 1, 'assistant'),
    counted(handoffs, 'handoff'),
    counted(extractions, 'extra model call'),
  ];
  return html`<p class="longest">The longest call${isOpen && ' without repetition'}: ${parts.join(', ')}.</p>`;
}

/**
 * The call with the most handoffs; of several, the one with the most extractions. In a circle each
 * assistant is met once, and if any handoff of the circle extracts, all count as extracting.
 */
function longestCall({ members }: SquadView) {
  const arcs = members.map(({ destinations }) =>
    destinations.flatMap(({ member }) => (member === null ? [] : [member])),
  );
  const { of, members: components } = computeComponents(arcs);
  // The cost of reaching each component. They stand in topological order; the first member starts.
  const costs = components.map((component) =>
    component.includes(0) ? { handoffs: 0, extractions: 0 } : null,
  );
  let [most, isOpen] = [{ handoffs: 0, extractions: 0 }, false];
  for (const [at, component] of components.entries()) {
    const begun = costs[at];
    if (begun === null || begun === undefined) continue;
    const steps = component.flatMap((index) => members[index]!.destinations);
    const inner = steps.filter(({ member }) => member !== null && of[member] === at);
    isOpen ||= inner.length > 0;
    const within = component.length - 1;
    const cost = {
      handoffs: begun.handoffs + within,
      extractions: begun.extractions + (inner.some((step) => step.isExtracted) ? within : 0),
    };
    most = longer(most, cost);
    for (const { member, isExtracted } of steps) {
      if (member === null || of[member] === at) continue;
      const { handoffs, extractions } = cost;
      const next = { handoffs: handoffs + 1, extractions: extractions + Number(isExtracted) };
      costs[of[member]!] = longer(costs[of[member]!] ?? next, next);
    }
  }
  return { ...most, isOpen };
}

function longer<Cost extends Record<'handoffs' | 'extractions', number>>(a: Cost, b: Cost): Cost {
  const more = b.handoffs - a.handoffs || b.extractions - a.extractions;
  return more > 0 ? b : a;
}
