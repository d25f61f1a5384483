/** The head of a workflow's page: what it is, how it stands, and where to read on. */
import { html, type Markup, relativeAddress } from '../html.js';
import type { Assessment, ResultFile, WorkflowStatus } from '../model.js';
import { counted, duration } from '../words.js';

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
}

export function renderHeader(
  result: ResultFile,
  home: string | null,
  files: readonly string[],
): Markup {
  const { name, key, source, failure, dialect, options } = result;
  return html`<header class="top">
    ${home !== null && html`<p class="home"><a href="${home}">All workflows</a></p>`}
    <h1><bdi>${name ?? key}</bdi></h1>
    <p class="facts">${renderBadges(result)}</p>
    ${failure !== undefined && html`<p class="fault"><bdi>${failure.message}</bdi> <code>${failure.code}</code></p>`}
    <dl class="facts">
      <div><dt>Source</dt><dd><bdi>${source}</bdi></dd></div>
      <div><dt>Key</dt><dd><code>${key}</code></dd></div>
      ${dialect !== null && html`<div><dt>Dialect</dt><dd>${dialect}</dd></div>`}
      <div><dt>Target</dt><dd>${options.target ?? (dialect === 'spec' ? 'squad' : 'vapi')}</dd></div>
      ${files.length > 0 && html`<div><dt>Files</dt><dd>${files.map((file) => html`<a href="${relativeAddress(file)}">${file}</a> `)}</dd></div>`}
    </dl>
    ${renderNumbers(result)}
  </header>`;
}

/** How it stands, without what tells one file from another. */
export function renderOutcome(result: ResultFile): Markup {
  return html`<div class="top">
    <h2><bdi>${result.name ?? 'Without a name'}</bdi></h2>
    <p class="facts">${renderBadges(result)}</p>
    ${renderNumbers(result)}
  </div>`;
}

function renderBadges({ status, assessment }: ResultFile): Markup {
  const [label, badge] = statusWords[status];
  const { level, size, minutes } = assessment;
  return html`<span class="badge ${badge}">${label}</span>
    <span class="badge level-${level}">Level ${level}${size}: ${levelWords[level]}</span>
    <span>${minutes === 0 ? 'no work of a person' : `about ${duration(minutes)} of a person`}</span>`;
}

function renderNumbers({ stats, assessment }: ResultFile): Markup {
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
  </ul>`;
}

export function renderNavigation(headings: readonly Heading[]): Markup {
  return html`<nav aria-label="Sections">
    <ul>
      ${headings.map(
        ({ id, title, count }) =>
          html`<li><a href="#${id}">${title}${count !== null && html` <span class="count">${count}</span>`}</a></li>`,
      )}
    </ul>
  </nav>`;
}
