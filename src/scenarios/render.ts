/**
 * Renders a text as the platform does.
 *
 * A name that is not in the bag stays as its token, `{{name}}`; to a block or a filter it is empty.
 * A value is a text, and a part of it is `value.path`, so that different values also differ in
 * their parts.
 */
import { Drop, Liquid, type Template } from 'liquidjs';
import { marks } from '../call/prompt.js';

/** Values by the name of the variable. */
export type Bag = ReadonlyMap<string, string>;

/** Templates are hostile: no files, and limits on computation. */
const liquid = new Liquid({
  templates: {},
  parseLimit: 200_000,
  memoryLimit: 1_000_000,
  renderLimit: 1000,
  cache: false,
  outputEscape: (value) => (value instanceof Name ? value.toString() : (value as string)),
});

/** The value of a name or a path. Its fields are private because a template may read into it. */
class Name extends Drop {
  readonly #path: string;
  readonly #text: string | undefined;

  constructor(path: string, text: string | undefined) {
    super();
    this.#path = path;
    this.#text = text;
  }

  override toString(): string {
    return this.#text ?? `{{${this.#path}}}`;
  }

  override valueOf(): string | undefined {
    return this.#text;
  }

  override liquidMethodMissing(key: string | number): Name {
    const text = this.#text === undefined ? undefined : `${this.#text}.${key}`;
    return new Name(`${this.#path}.${key}`, text);
  }
}

/** Has every name, including those of methods. */
function scopeOf(bag: Bag): object {
  const get = (_: object, name: string | symbol) =>
    typeof name === 'symbol' ? undefined : new Name(name, bag.get(name));
  const getOwnPropertyDescriptor = (_: object, name: string | symbol) => {
    return { value: get(_, name), configurable: true };
  };
  return new Proxy({}, { get, has: () => true, getOwnPropertyDescriptor });
}

const parsed = new Map<string, readonly Template[]>();

export function render(text: string, bag: Bag): string {
  if (!/\{[{%]/.test(text)) return text;
  const templates = parsed.get(text) ?? liquid.parse(text);
  if (parsed.size > 1000) parsed.clear();
  parsed.set(text, templates);
  return liquid.renderSync(templates as Template[], scopeOf(bag));
}

/** The text as a model with these values reads it: a token stands for its value. */
export function resolve(text: string, known: Bag): string {
  return text.replaceAll(token, (_, name: string, path: string) => {
    const rest = path.replaceAll(/\[["']?(.*?)["']?\]/g, '.$1');
    const value = known.get(name);
    return value === undefined ? `{{${name}${rest}}}` : value + rest;
  });
}

/** An output of a variable, or of a path into it. */
const token = /\{\{-?\s*([\w-]+)((?:\.[\w-]+|\[[^{}[\]]*\])*)\s*-?\}\}/g;

/** The marked part as it reads when the whole text is rendered; all of a text without marks. */
export function renderMarked(text: string, bag: Bag): string {
  const rendered = render(text, bag);
  if (!text.includes(marks[0])) return rendered;
  return rendered.split(marks[0])[1]?.split(marks[1])[0] ?? '';
}
