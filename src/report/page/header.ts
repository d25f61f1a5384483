/** The head of a workflow's page: its status, its numbers, and the files to take. */
import { html, type Markup, relativeAddress } from '../html.js';
import type { Assessment, WorkflowStatus } from '../model.js';
import type { SquadView } from '../squad-view.js';
import { counted, duration } from '../words.js';
import type { PageInput } from './body.js';
import { longestCall } from './longest-call.js';

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
  const { result, home, downloads = [] } = input;
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
    ${failure !== undefined && html`<p class="fault"><bdi>${failure.message}</bdi> <code>${failure.code}</code></p>`}
    ${home !== null && renderFacts(input)}
    <ul class="numbers">
      ${numbers.map(([count, word]) => html`<li><b>${count}</b> ${counted(count, word, false)}</li>`)}
      <li><b>${automatic}</b> automatic</li>
      <li><b>${manual}</b> by hand</li>
    </ul>
    ${squad.members.length > 0 && renderLongest(squad)}
    <div class="actions scripted" hidden>
      ${[...downloads, 'findings.md'].map((file) => html`<button type="button" data-file="${file}">Download ${file}</button> `)}
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
      <div><dt>Target</dt><dd>${options.target ?? (dialect === 'spec' ? 'squad' : 'vapi')}</dd></div>
      ${files.length > 0 && html`<div><dt>Files</dt><dd>${files.map((file) => html`<a href="${relativeAddress(file)}">${file}</a> `)}</dd></div>`}
    </dl>`;
}

function renderLongest(squad: SquadView): Markup {
  const { assistants, handoffs, modelCalls, isOpen } = longestCall(squad);
  const parts = [
    counted(assistants, 'assistant'),
    counted(handoffs, 'handoff'),
    counted(modelCalls, 'extra model call'),
  ];
  return html`<p class="longest">The longest call${isOpen && ' that goes nowhere twice'}: ${parts.join(', ')}.</p>`;
}
