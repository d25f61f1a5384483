/**
 * The open questions as a form, which can be read without the page's script. With it, an answer counts
 * at once.
 *
 * `data-control` says how a field is read, `data-name` which member of an object it is. A value that
 * no other field fits is written as JSON.
 */
import { isJsonObject } from '../../compiler/ir/json.js';
import type { Answer, Choice, Json, JsonObject } from '../../index.js';
import { asciiJson, html, type Markup } from '../html.js';
import type { AskedQuestion } from '../model.js';
import type { PageInput } from './body.js';
import { type Places, placeLink } from './places.js';

/** An answer that was given on the page, with the text of its question. */
export interface GivenAnswer extends Answer {
  readonly id: string;
  readonly text: string;
}

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
        <button type="button" id="accept-proposals">Accept all proposals</button>
      </p>`
      }
    </form>`
    }`;
}

function renderGiven(given: readonly GivenAnswer[]): Markup {
  return html`<h3>Answered here</h3>
    <ul id="answers">${given.map(
      ({ id, text, choice }) => html`<li>
      <bdi>${text}</bdi> <b><bdi>${choice}</bdi></b>
      <button type="button" data-take-back="${asciiJson(id)}">Take back</button>
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
  const { id, kind, at, text, choices, proposal } = question;
  const owners = at.map((place) => places.source(place).owner).filter((owner) => owner !== null);
  return html`<fieldset class="question" data-question="${asciiJson(id)}" data-links="${[...new Set(owners)].join(' ')}">
    <legend><bdi>${text}</bdi></legend>
    <p class="quiet">
      <code>${kind}</code> ${at.map((place) => html`${placeLink(places.source(place))} `)}
    </p>
    ${choices.map((choice, number) => renderChoice(question, choice, index, number))}
    <p class="actions scripted" hidden><button type="button" data-answer>Answer</button>
      ${proposal !== null && html`<span class="quiet">The choice that is marked is only a proposal.</span>`}</p>
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
  const field = value && {
    id: `q${index}-${number}`,
    schema: value,
    value: isProposed ? proposalValue : undefined,
    name: null,
    required: true,
  };
  return html`<div class="choice">
    <label
      ><input type="radio" name="q${index}" value="${key}"${isProposed && html` checked`}>
      <span><bdi>${label}</bdi>${isProposed && html` <span class="badge info">proposed</span>`}<br
        ><span class="quiet">${effect}</span></span
      ></label
    >
    ${field !== undefined && html`<div class="value" data-value="${key}">${renderField(field)}</div>`}
  </div>`;
}

/** A field for a value of the schema. */
export interface Field {
  /** For the label. */
  readonly id: string;
  readonly schema: JsonObject;
  /** The proposal. */
  readonly value: Json | undefined;
  /** Null for a value that is no member of an object. */
  readonly name: string | null;
  readonly required: boolean;
}

function renderField(field: Field): Markup {
  const { id, schema, name, value, required } = field;
  const properties = schema['properties'];
  if (isJsonObject(properties)) {
    const needed = listAt(schema, 'required');
    const members = Object.entries(properties).map(([key, inner], index) => {
      if (!isJsonObject(inner)) return null;
      const known = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
      const isNeeded = needed.includes(key);
      return renderField({
        id: `${id}-${index}`,
        schema: inner,
        value: known,
        name: key,
        required: isNeeded,
      });
    });
    return html`<div class="fields" data-control="object"${nameMark(name)}>${members}</div>`;
  }
  const ids = groupedIds(schema);
  if (ids !== null) return renderGroups(field, ids);
  return html`<div class="field">
    <label for="${id}">${name !== null && html`<span class="name">${name}</span>`}${
      !required && html` <span class="quiet">(optional)</span>`
    }<span class="quiet">${textAt(schema, 'description')}</span></label>
    ${renderInput(field)}
  </div>`;
}

/** A group number for each id, or none. */
function renderGroups({ id, schema, name }: Field, ids: readonly string[]): Markup {
  const most = Math.max(1, Math.floor(ids.length / 2));
  const numbers = Array.from({ length: most }, (_, index) => index + 1);
  return html`<div class="fields" data-control="groups"${nameMark(name)}>
    <p class="quiet">${textAt(schema, 'description')}</p>
    ${ids.map(
      (each, index) => html`<div class="field">
        <label for="${id}-${index}"><bdi>${each}</bdi></label>
        <select id="${id}-${index}" data-member="${asciiJson(each)}">
          <option value="">on its own</option>
          ${numbers.map((number) => html`<option value="${number}">group ${number}</option>`)}
        </select>
      </div>`,
    )}
  </div>`;
}

function renderInput({ id, schema, value, name }: Field): Markup {
  const choices = listAt(schema, 'enum').filter((each) => typeof each === 'string');
  if (choices.length > 0) {
    return html`<select id="${id}" data-control="json"${nameMark(name)}>
      <option value="">choose…</option>
      ${choices.map(
        (each) =>
          html`<option value="${asciiJson(each)}"${each === value && html` selected`}>${each}</option>`,
      )}
    </select>`;
  }
  const given =
    value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const type = textAt(schema, 'type');
  if (type === 'string' || type === 'number' || type === 'integer') {
    const control = type === 'string' ? 'text' : 'number';
    return html`<input id="${id}" type="${control}" data-control="${control}"${nameMark(name)} value="${given}" autocomplete="off" spellcheck="false">`;
  }
  return html`<textarea id="${id}" rows="3" data-control="json"${nameMark(name)} placeholder="JSON" spellcheck="false">${given}</textarea>`;
}

function nameMark(name: string | null): Markup | null {
  return name === null ? null : html` data-name="${asciiJson(name)}"`;
}

/** The ids that a list of groups may contain; null for any other schema. */
function groupedIds({ items }: JsonObject): string[] | null {
  const inner = isJsonObject(items) ? items['items'] : undefined;
  const ids = isJsonObject(inner) ? listAt(inner, 'enum') : [];
  return ids.length > 0 ? ids.filter((id) => typeof id === 'string') : null;
}

function listAt(schema: JsonObject, key: string): readonly Json[] {
  const value = schema[key];
  return Array.isArray(value) ? value : [];
}

function textAt(schema: JsonObject, key: string): string {
  const value = schema[key];
  return typeof value === 'string' ? value : '';
}
