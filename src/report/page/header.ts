/** The head of a workflow's page: what it is, how it stands, and where to read on. */
import { html, type Markup, relativeAddress } from '../html.js';
import type { Assessment, ResultFile, WorkflowStatus } from '../model.js';
import type { SquadView } from '../squad-view.js';
import { counted, duration } from '../words.js';
import type { PageInput } from './body.js';
import { longestCall } from './longest-call.js';

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

/** A section with the number of what stands in it; none where it cannot be counted. */
export interface Heading {
  readonly id: string;
  readonly title: string;
  readonly count: number | null;
  /** Whether it is of no use without the page's script, which shows it. */
  readonly isScripted: boolean;
}

export function renderHeader(
  { result, home, files, downloads = [] }: PageInput,
  squad: SquadView,
): Markup {
  const { name, key, status, failure, assessment } = result;
  const [label, badge] = statusWords[status];
  const { level, size, minutes } = assessment;
  const title = html`<bdi>${name ?? (home === null ? 'Without a name' : key)}</bdi>`;
  const head = html`
    ${home !== null && html`<p class="home"><a href="${home}">All workflows</a></p>`}
    ${home === null ? html`<h2>${title}</h2>` : html`<h1>${title}</h1>`}
    <p class="facts"><span class="badge ${badge}">${label}</span>
    <span class="badge level-${level}">Level ${level}${size}: ${levelWords[level]}</span>
    <span>${minutes === 0 ? 'no manual work' : `about ${duration(minutes)} of manual work`}</span></p>
    ${failure !== undefined && html`<p class="fault"><bdi>${failure.message}</bdi> <code>${failure.code}</code></p>`}
    ${home !== null && renderFacts(result, files)}
    ${renderNumbers(result, squad)}
    <div class="actions scripted" hidden>
      ${downloads.map((file) => html`<button type="button" data-file="${file}">Download ${file}</button> `)}
      <button type="button" data-file="findings.md">Download findings.md</button>
      <button type="button" data-copy="findings">Copy findings as Markdown</button>
      ${home === null && html`<button type="button" data-copy="link">Copy a link to this</button>`}
    </div>`;
  if (home === null) return html`<section class="top" aria-label="Outcome">${head}</section>`;
  return html`<header class="top">${head}</header>`;
}

function renderFacts(
  { key, source, dialect, options }: ResultFile,
  files: readonly string[],
): Markup {
  return html`<dl class="facts">
      <div><dt>Source</dt><dd><bdi>${source}</bdi></dd></div>
      <div><dt>Key</dt><dd><code>${key}</code></dd></div>
      ${dialect !== null && html`<div><dt>Dialect</dt><dd>${dialect}</dd></div>`}
      <div><dt>Target</dt><dd>${options.target ?? (dialect === 'spec' ? 'squad' : 'vapi')}</dd></div>
      ${files.length > 0 && html`<div><dt>Files</dt><dd>${files.map((file) => html`<a href="${relativeAddress(file)}">${file}</a> `)}</dd></div>`}
    </dl>`;
}

function renderNumbers({ stats, assessment }: ResultFile, squad: SquadView): Markup {
  const numbers: readonly (readonly [number, string])[] = [
    [stats.nodes, 'node'],
    [stats.edges, 'edge'],
    [stats.assistants, 'assistant'],
    [stats.handoffs, 'handoff'],
    [stats.tools, 'tool'],
    [stats.questions, 'open question'],
  ];
  return html`<ul class="numbers">
    ${numbers.map(([count, word]) => html`<li><b>${count}</b> ${counted(count, word, false)}</li>`)}
    <li><b>${assessment.automatic}</b> automatic</li>
    <li><b>${assessment.manual}</b> by hand</li>
  </ul>
  ${squad.members.length > 0 && renderLongest(squad)}`;
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

export function renderNavigation(headings: readonly Heading[]): Markup {
  return html`<nav aria-label="Sections">
    <ul>
      ${headings.map(
        ({ id, title, count, isScripted }) =>
          html`<li${isScripted && html` class="scripted" hidden`}><a href="#${id}">${title}${count !== null && html` <span class="count">${count}</span>`}</a></li>`,
      )}
    </ul>
  </nav>`;
}
