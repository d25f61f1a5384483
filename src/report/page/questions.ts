/**
 * The open questions as a form, which can be read without the page's script. With it, an answer counts
 * at once.
 */
import type { Choice } from '../../index.js';
import { html, type Markup } from '../html.js';
import type { AskedQuestion, GivenAnswer, PageInput } from '../model.js';
import { renderFields } from './fields.js';
import { type Places, placeLink } from './places.js';

export function renderQuestions({ result, home, given = [] }: PageInput, places: Places): Markup {
  const { key, questions } = result;
  const isProposed = questions.some(({ proposal }) => proposal !== null);
  return html`${questions.length === 0 && html`<p class="quiet">No question is open.</p>`}
    ${given.length > 0 && renderGiven(given)}
    ${renderNext(home === null, key, given.length > 0)}
    ${
      questions.length > 0 &&
      html`<form id="questions-form" novalidate>
      ${questions.map((question, index) => renderQuestion(question, index, places))}
      ${
        isProposed &&
        html`<p class="actions scripted" hidden>
        <button type="button" id="accept-proposals" data-accept>Accept all proposals</button>
      </p>`
      }
    </form>`
    }`;
}

function renderGiven(given: readonly GivenAnswer[]): Markup {
  return html`<h3>Answered here</h3>
    <ul id="answers">${given.map(
      ({ text, choice }, index) => html`<li>
      <bdi>${text}</bdi> <b><bdi>${choice}</bdi></b>
      <button type="button" data-take-back="${index}">Take back</button>
    </li>`,
    )}</ul>`;
}

/** The command that does the same. */
function renderNext(isPlayground: boolean, key: string, hasAnswers: boolean): Markup | null {
  if (!(isPlayground || hasAnswers)) return null;
  const command = isPlayground
    ? `squadc compile workflow.json${hasAnswers ? ' --answers answers.json' : ''} -o squad.json`
    : `squadc migrate SOURCES -o OUTPUT --answers ${key}.answers.json`;
  return html`<div class="next scripted" hidden>
    <p class="quiet">${hasAnswers ? 'Download the answers; then' : 'On the command line'}:</p>
    <p class="command"><code>${command}</code>
      <button type="button" data-copy="command">Copy the command</button></p>
  </div>`;
}

function renderQuestion(question: AskedQuestion, index: number, places: Places): Markup {
  const { kind, at, text, choices, proposal } = question;
  const owners = at.map((place) => places.source(place).owner).filter((owner) => owner !== null);
  return html`<fieldset class="question" data-links="${[...new Set(owners)].join(' ')}">
    <legend><bdi>${text}</bdi></legend>
    <p class="quiet">
      <code>${kind}</code> ${at.map((place) => html`${placeLink(places.source(place))} `)}
    </p>
    ${choices.map((choice, number) => renderChoice(question, choice, index, number))}
    <p class="actions scripted" hidden><button type="button" data-answer>Answer</button>
      ${proposal !== null && html`<span class="quiet">The selected choice is only a proposal.</span>`}</p>
    <p class="fault" role="alert" hidden></p>
  </fieldset>`;
}

function renderChoice(
  { proposal, proposalValue }: AskedQuestion,
  { key, label, effect, value }: Choice,
  index: number,
  number: number,
): Markup {
  const isProposed = key === proposal;
  return html`<div class="choice">
    <label
      ><input type="radio" name="q${index}" value="${key}"${isProposed && html` checked`}>
      <span><bdi>${label}</bdi>${isProposed && html` <span class="badge info">proposed</span>`}<br
        ><span class="quiet">${effect}</span></span
      ></label
    >
    ${
      value !== undefined &&
      html`<div class="value" data-value="${key}">${renderFields(value, `q${index}-${number}`, isProposed ? proposalValue : undefined)}</div>`
    }
  </div>`;
}
