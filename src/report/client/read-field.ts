/** What stands in the fields of a form → the value that the schema asks for. */
import { isObject, type Schema, type Value } from './answers-file.js';

/** A field holds a text that is no JSON. */
export class NotJson extends Error {}

/** Undefined where nothing is filled in. */
export function readField(schema: Schema, control: HTMLElement): Value | undefined {
  switch (control.dataset.control) {
    case 'object':
      return readObject(schema, control);
    case 'groups':
      return readGroups(schema, control);
    case 'choice':
      return readChoice(schema, textOf(control));
    case 'number':
      return textOf(control) === '' ? undefined : Number(textOf(control));
    case 'json':
      return readJson(textOf(control), control.dataset.name ?? 'value');
    default:
      return textOf(control) || undefined;
  }
}

function textOf(control: HTMLElement): string {
  return (control as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement).value.trim();
}

function readObject({ properties }: Schema, control: HTMLElement): Value | undefined {
  const fields = [...control.querySelectorAll<HTMLElement>('[data-name]')].filter(
    (field) => field.parentElement?.closest('[data-control="object"]') === control,
  );
  const entries = fields.flatMap((field) => {
    const name = field.dataset.name ?? '';
    const schema = isObject(properties) ? properties[name] : undefined;
    const value = isObject(schema) ? readField(schema, field) : undefined;
    return value === undefined ? [] : [[name, value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function readChoice({ enum: choices }: Schema, index: string): Value | undefined {
  return index === '' || !Array.isArray(choices) ? undefined : choices[Number(index)];
}

/** The ids of each group, in the order of the groups' numbers. */
function readGroups({ items }: Schema, control: HTMLElement): Value | undefined {
  const inner = isObject(items) ? items.items : undefined;
  const ids = isObject(inner) && Array.isArray(inner.enum) ? inner.enum : [];
  const groups = new Map<string, Value[]>();
  for (const select of control.querySelectorAll('select')) {
    if (select.value === '') continue;
    const group = groups.get(select.value) ?? [];
    groups.set(select.value, [...group, ids[Number(select.dataset.member)] ?? '']);
  }
  const numbers = [...groups.keys()].sort((a, b) => Number(a) - Number(b));
  return numbers.length === 0 ? undefined : numbers.map((number) => groups.get(number) ?? []);
}

function readJson(text: string, name: string): Value | undefined {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new NotJson(`${name}: this is not JSON`);
  }
}
