/**
 * A JSON Schema of an answer's value → fields of a form.
 *
 * The page's script reads the value back by the same marks: `data-control` says how, `data-name`
 * which member it is. What has no field of its own is written as JSON.
 */
import { isJsonObject } from '../../compiler/ir/json.js';
import type { Json, JsonObject } from '../../index.js';
import { html, type Markup } from '../html.js';

/** A field for a value of the schema. */
export interface Field {
  /** Of this page; for the label. */
  readonly id: string;
  readonly schema: JsonObject;
  /** What stands in it at first. */
  readonly value: Json | undefined;
  /** Null at the top. */
  readonly name: string | null;
  readonly required: boolean;
}

export function renderField(field: Field): Markup {
  const { schema, name } = field;
  const properties = objectAt(schema, 'properties');
  if (properties !== null) return renderObject(field, properties);
  const groups = groupedIds(schema);
  if (groups !== null) return renderGroups(field, groups);
  const label = html`${name !== null && html`<span class="name">${name}</span>`}${
    !field.required && html` <span class="quiet">(optional)</span>`
  }<span class="quiet">${textAt(schema, 'description')}</span>`;
  return html`<div class="field">
    <label for="${field.id}">${label}</label>
    ${renderInput(field)}
  </div>`;
}

function renderObject(field: Field, properties: JsonObject): Markup {
  const { id, schema, name, value } = field;
  const required = listAt(schema, 'required');
  return html`<div class="fields" data-control="object"${nameMark(name)}>
    ${Object.entries(properties).map(([key, inner], index) =>
      isJsonObject(inner)
        ? renderField({
            id: `${id}-${index}`,
            schema: inner,
            value: isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined,
            name: key,
            required: required.includes(key),
          })
        : null,
    )}
  </div>`;
}

/** Each id goes into a group with a number; those without one stay by themselves. */
function renderGroups({ id, schema, name }: Field, ids: readonly string[]): Markup {
  const numbers = ids
    .map((_, index) => index + 1)
    .slice(0, Math.max(1, Math.floor(ids.length / 2)));
  return html`<div class="fields" data-control="groups"${nameMark(name)}>
    <p class="quiet">${textAt(schema, 'description')}</p>
    ${ids.map(
      (each, index) => html`<div class="field">
        <label for="${id}-${index}"><bdi>${each}</bdi></label>
        <select id="${id}-${index}" data-member="${index}">
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
    return html`<select id="${id}" data-control="choice"${nameMark(name)}>
      <option value="">choose…</option>
      ${choices.map(
        (each, index) =>
          html`<option value="${index}"${each === value && html` selected`}>${each}</option>`,
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
  return name === null ? null : html` data-name="${name}"`;
}

/** The ids of a list of lists of ids; null for any other schema. */
function groupedIds(schema: JsonObject): string[] | null {
  const items = objectAt(schema, 'items');
  const inner = items === null ? null : objectAt(items, 'items');
  const ids = inner === null ? [] : listAt(inner, 'enum');
  return ids.length > 0 ? ids.filter((id) => typeof id === 'string') : null;
}

function objectAt(schema: JsonObject, key: string): JsonObject | null {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  return isJsonObject(value) ? value : null;
}

function listAt(schema: JsonObject, key: string): readonly Json[] {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  return Array.isArray(value) ? value : [];
}

function textAt(schema: JsonObject, key: string): string {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined;
  return typeof value === 'string' ? value : '';
}
