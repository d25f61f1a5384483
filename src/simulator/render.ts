/**
 * Renders a text as the platform does.
 *
 * A name that is not in the bag stays as its token, `{{name}}`; a block or a filter over it sees
 * nothing. A value is a text, and what is read out of it is `value.path`, so that two values that
 * differ also differ in their parts.
 */
import { Drop, Liquid, type Template } from 'liquidjs';

/** Values by the name of the variable. */
export type Bag = ReadonlyMap<string, string>;

/** Templates are hostile: no files, and an end to what is computed. */
const liquid = new Liquid({
  templates: {},
  parseLimit: 200_000,
  memoryLimit: 1_000_000,
  renderLimit: 1000,
  cache: false,
  outputEscape: (value) => Unknown.token(value),
});

/** A name that is not in the bag; its own name is hidden, since a template may read into it. */
class Unknown extends Drop {
  readonly #path: string;

  constructor(path: string) {
    super();
    this.#path = path;
  }

  static token(value: unknown): string {
    return value instanceof Unknown ? `{{${value.#path}}}` : (value as string);
  }

  override valueOf(): unknown {
    return undefined;
  }

  override liquidMethodMissing(key: string | number): Unknown {
    return new Unknown(`${this.#path}.${key}`);
  }
}

class Value extends Drop {
  readonly #text: string;

  constructor(text: string) {
    super();
    this.#text = text;
  }

  override valueOf(): string {
    return this.#text;
  }

  override liquidMethodMissing(key: string | number): Value {
    return new Value(`${this.#text}.${key}`);
  }
}

/** Has every name, those of methods too. */
function scopeOf(bag: Bag): object {
  const get = (_: object, name: string | symbol) => {
    if (typeof name === 'symbol') return undefined;
    const value = bag.get(name);
    return value === undefined ? new Unknown(name) : new Value(value);
  };
  return new Proxy(
    {},
    {
      get,
      has: () => true,
      getOwnPropertyDescriptor: (_, name) => ({ value: get(_, name), configurable: true }),
    },
  );
}

const parsed = new Map<string, readonly Template[]>();

export function render(text: string, bag: Bag): string {
  if (!/\{[{%]/.test(text)) return text;
  const templates = parsed.get(text) ?? liquid.parse(text);
  if (parsed.size > 1000) parsed.clear();
  parsed.set(text, templates);
  return liquid.renderSync(templates as Template[], scopeOf(bag));
}

/** The text as a model reads it that knows these values: a token stands for what it names. */
export function resolve(text: string, known: Bag): string {
  return text.replaceAll(token, (_, name: string, path: string) => {
    const rest = path.replaceAll(/\[["']?(.*?)["']?\]/g, '.$1');
    const value = known.get(name);
    return value === undefined ? `{{${name}${rest}}}` : value + rest;
  });
}

/** An output of a variable, or of what a path leads to in it. */
const token = /\{\{-?\s*([\w-]+)((?:\.[\w-]+|\[[^{}[\]]*\])*)\s*-?\}\}/g;
