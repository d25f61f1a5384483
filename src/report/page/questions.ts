/**
 * The open questions as a form. Its script gathers the answers into a file that `squadc migrate`
 * takes; without it, the questions, the choices and their effects can still be read.
 */
import type { Choice } from '../../index.js';
import type { QuestionsData } from '../client/answers-file.js';
import { dataElement, html, type Markup } from '../html.js';
import type { AskedQuestion, ResultFile } from '../model.js';
import { renderField } from './controls.js';
import { type Places, placeLink } from './places.js';

export function renderQuestions(
  { key, questions }: ResultFile,
  places: Places,
  isLive: boolean,
): Markup {
  if (questions.length === 0) return html`<p class="quiet">No question is open.</p>`;
  const data: QuestionsData = {
    key,
    questions: questions.map(({ id, subject, choices }) => ({ id, subject, choices })),
  };
  return html`<form id="questions-form" novalidate>
      ${questions.map((question, index) => renderQuestion(question, index, places, isLive))}
      ${isLive ? liveActions : fileActions(key)}
    </form>
    ${dataElement('questions-data', data)}`;
}

const liveActions = html`<div class="actions">
    <button type="button" id="accept-proposals">Accept all proposals</button>
  </div>`;

function fileActions(key: string): Markup {
  return html`<div class="actions scripted" hidden>
        <p id="answered" role="status"></p>
        <button type="button" id="confirm-proposals">Confirm all proposals</button>
        <button type="submit" class="primary">Download answers</button>
        <button type="button" id="copy-answers">Copy</button>
        <p class="quiet">
          Then run <code>squadc migrate</code> again with <code>--answers ${key}.answers.json</code>;
          the option can be given several times.
        </p>
      </div>`;
}

function renderQuestion(
  question: AskedQuestion,
  index: number,
  places: Places,
  isLive: boolean,
): Markup {
  const { kind, at, text, choices, proposal } = question;
  const links = [...new Set(at.map((place) => places.source(place).owner))].filter(
    (owner) => owner !== null,
  );
  return html`<fieldset class="question" data-question="${index}" data-links="${links.join(' ')}">
    <legend><bdi>${text}</bdi></legend>
    <p class="quiet">
      <code>${kind}</code> ${at.map((place) => html`${placeLink(places.source(place))} `)}
    </p>
    ${choices.map((choice, number) => renderChoice(question, choice, `q${index}-${number}`))}
    ${
      isLive
        ? html`<p><button type="button" data-answer>Answer</button></p>`
        : html`<p class="confirm scripted" hidden>
            <label><input type="checkbox" data-confirm> Answer this question so</label>
            ${proposal !== null && html`<span class="quiet">The choice that is marked is only a proposal until you confirm it.</span>`}
          </p>`
    }
    <p class="fault" role="alert" hidden></p>
  </fieldset>`;
}

function renderChoice(
  { proposal, proposalValue }: AskedQuestion,
  { key, label, effect, value }: Choice,
  id: string,
): Markup {
  const isProposed = key === proposal;
  const [group] = id.split('-');
  return html`<div class="choice">
    <label
      ><input type="radio" name="${group ?? ''}" value="${key}"${isProposed && html` checked`}>
      <span><bdi>${label}</bdi>${isProposed && html` <span class="badge info">proposed</span>`}<br
        ><span class="quiet">${effect}</span></span
      ></label
    >
    ${
      value !== undefined &&
      html`<div class="value" data-value="${key}">
        ${renderField({
          id: `${id}-value`,
          schema: value,
          value: isProposed ? proposalValue : undefined,
          name: null,
          required: true,
        })}
      </div>`
    }
  </div>`;
}
