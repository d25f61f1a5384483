/**
 * The fields of a value that a choice asks for. The page shows them, and its script reads them: both
 * go by the schema of the value, which is flat: a text, a number, one of several, a list of groups,
 * or an object of such. Anything else is written as JSON.
 */
import type { Json, JsonObject } from '../../index.js';
import { asObject, isObject } from '../../text/json.js';
import { html, type Markup } from '../html.js';

interface Field {
  /** A member of the value, or an id to be put into a group; null for the value itself. */
  readonly name: string | null;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
}

function fieldsOf(schema: JsonObject): Field[] {
  const ids = idsIn(schema);
  if (ids.length > 0) {
    const numbers = Array.from({ length: Math.max(1, Math.floor(ids.length / 2)) }, (_, at) => at);
    const groups = { enum: numbers.map((at) => `group ${at + 1}`) };
    return ids.map((name) => ({ name, schema: groups, isRequired: true }));
  }
  const { properties, required } = schema;
  if (!isObject(properties)) return [{ name: null, schema, isRequired: true }];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([name, part]) => {
    return { name, schema: asObject(part), isRequired: needed.includes(name) };
  });
}

/** The ids that a list of groups may contain; none for any other schema. */
function idsIn({ items }: JsonObject): string[] {
  return textsIn(asObject(asObject(items)['items']));
}

/** The texts that a schema allows. */
function textsIn({ enum: values }: JsonObject): string[] {
  return Array.isArray(values) ? values.filter((each) => typeof each === 'string') : [];
}

/** With the proposal filled in. Fields have the ids `id-0`, `id-1`, and so on. */
export function renderFields(schema: JsonObject, id: string, proposal: Json | undefined): Markup {
  const hasGroups = idsIn(schema).length > 0;
  const fields = fieldsOf(schema).map((field, at) => {
    const { name, isRequired } = field;
    const known = name === null ? proposal : asObject(proposal)[name];
    return html`<div class="field">
      <label for="${id}-${at}">${name !== null && html`<bdi class="name">${name}</bdi> `}${
        !isRequired && html`<span class="quiet">(optional)</span> `
      }<span class="quiet">${descriptionOf(field.schema)}</span></label>
      ${renderInput(field.schema, `${id}-${at}`, known, hasGroups ? 'on its own' : 'choose…')}
    </div>`;
  });
  if (fields.length === 1 && !isObject(schema['properties'])) return html`${fields}`;
  const title = hasGroups && html`<p class="quiet">${descriptionOf(schema)}</p>`;
  return html`<div class="fields">${title}${fields}</div>`;
}

function renderInput(
  schema: JsonObject,
  id: string,
  value: Json | undefined,
  unset: string,
): Markup {
  const choices = textsIn(schema);
  if (choices.length > 0) {
    return html`<select id="${id}">
      <option value="">${unset}</option>
      ${choices.map((each) => html`<option${each === value && html` selected`}>${each}</option>`)}
    </select>`;
  }
  const given = typeof value === 'string' ? value : JSON.stringify(value);
  if (isJson(schema)) {
    return html`<textarea id="${id}" rows="3" placeholder="JSON" spellcheck="false">${given ?? ''}</textarea>`;
  }
  const type = schema['type'] === 'string' ? 'text' : 'number';
  return html`<input id="${id}" type="${type}" value="${given ?? ''}" autocomplete="off" spellcheck="false">`;
}

function isJson({ type }: JsonObject): boolean {
  return type !== 'string' && type !== 'number' && type !== 'integer';
}

function descriptionOf({ description }: JsonObject): string {
  return typeof description === 'string' ? description : '';
}

/**
 * The value that the texts of the fields make; if all are empty, one that no choice takes. Throws a
 * SyntaxError for invalid JSON.
 */
export function readFields(schema: JsonObject, texts: readonly string[]): Json {
  const fields = fieldsOf(schema);
  const filled = fields.flatMap(({ name, schema: part }, at) => {
    const text = (texts[at] ?? '').trim();
    return text === '' ? [] : [[name ?? '', readText(part, text)] as const];
  });
  if (idsIn(schema).length > 0) {
    const groups = textsIn(fields[0]!.schema).map((group) =>
      filled.flatMap(([id, chosen]) => (chosen === group ? id : [])),
    );
    return groups.filter((ids) => ids.length > 0);
  }
  return isObject(schema['properties']) ? Object.fromEntries(filled) : (filled[0]?.[1] ?? null);
}

function readText(schema: JsonObject, text: string): Json {
  if (textsIn(schema).length > 0 || schema['type'] === 'string') return text;
  return isJson(schema) ? JSON.parse(text) : Number(text);
}
