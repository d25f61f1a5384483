/** What the rows of a run come to, as the fleet's page begins. */
import { html, type Markup } from '../html.js';
import type { Totals } from '../model.js';
import { levelWords, statusWords } from '../page/header.js';
import { counted, duration, grouped } from '../words.js';

export function renderTotals(totals: Totals): Markup {
  const { byStatus, byLevel, questions, minutes, nodes, assistants, errors, warnings } = totals;
  const statuses = (Object.keys(statusWords) as (keyof typeof statusWords)[]).map((status) => {
    const [label, badge] = statusWords[status];
    return html`<li><b>${grouped(byStatus[status])}</b> <span class="badge ${badge}">${label}</span></li>`;
  });
  const levels = (Object.keys(levelWords) as (keyof typeof levelWords)[]).map(
    (level) => html`<li>
      <b>${grouped(byLevel[level])}</b>
      <span class="badge level-${level}">Level ${level}</span> ${levelWords[level]}
    </li>`,
  );
  return html`<ul class="numbers">${statuses}</ul>
    <ul class="numbers">${levels}</ul>
    <ul class="numbers">
      <li><b>${duration(minutes)}</b> of a person, about</li>
      <li><b>${grouped(nodes)}</b> ${counted(nodes, 'node', false)}</li>
      <li><b>${grouped(assistants)}</b> ${counted(assistants, 'assistant', false)}</li>
      <li><b>${grouped(errors)}</b> ${counted(errors, 'error', false)}</li>
      <li><b>${grouped(warnings)}</b> ${counted(warnings, 'warning', false)}</li>
    </ul>
    ${renderKinds(questions)}`;
}

function renderKinds(questions: Totals['questions']): Markup {
  const kinds = Object.entries(questions);
  if (kinds.length === 0) return html`<p class="quiet">No question is open.</p>`;
  return html`<h2 class="kinds-title">Open questions by kind</h2>
    <ul class="kinds">
      ${kinds.map(([kind, count]) => html`<li><b>${grouped(count)}</b> <code>${kind}</code></li>`)}
    </ul>`;
}
