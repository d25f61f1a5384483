/**
 * The only place where markup is made. A value in a template is text, unless it is markup that came
 * out of a template.
 *
 * Texts may come from anybody. None becomes an element, an attribute, a script or a comment; control
 * characters and marks that change the direction of text are shown instead of obeyed.
 */

/** A piece of a page. Only this module can make one: no parsed value passes for it. */
export class Markup {
  readonly #text: string;

  constructor(text: string, key: typeof maker) {
    if (key !== maker) throw new TypeError('markup comes out of a template');
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

const maker = Symbol('maker');

/** `null` and `false` are left out; a list stands for its parts. */
export type Part = string | number | Markup | null | false | readonly Part[];

/** Markup in which every value is escaped. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const places = placesIn(literals);
  const pieces = [literals[0]!];
  for (const [at, part] of parts.entries()) {
    if (places[at] === 'tag') assertMarkup(part);
    pieces.push(renderPart(part), literals[at + 1]!);
  }
  return new Markup(pieces.join(''), maker);
}

/** Text that is markup already: pictures, and the package's own styles and scripts. */
export function trusted(text: string): Markup {
  return new Markup(text, maker);
}

/** Data for the page's script, in an element that does not run. */
export function dataElement(id: string, value: unknown): Markup {
  const json = JSON.stringify(value).replace(unsafeInScript, escapeUnit);
  return html`<script type="application/json" id="${id}">${trusted(json)}</script>`;
}

/** A relative address, whatever the file is called. */
export function relativeAddress(path: string): string {
  return `./${path.split('/').map(encodeSegment).join('/')}`;
}

function encodeSegment(segment: string): string {
  return segment === '..' ? segment : encodeURIComponent(segment.toWellFormed());
}

type Place = 'text' | 'tag' | 'value';

const known = new WeakMap<TemplateStringsArray, readonly Place[]>();

/** Whether each value stands in text, in a tag or in an attribute's value. */
function placesIn(literals: TemplateStringsArray): readonly Place[] {
  const places = known.get(literals) ?? readPlaces(literals);
  known.set(literals, places);
  return places;
}

function readPlaces(literals: TemplateStringsArray): Place[] {
  let place: Place = 'text';
  return literals.slice(0, -1).map((literal) => {
    for (const character of literal) place = next(place, character);
    assertWritable(literal, place);
    return place;
  });
}

function next(place: Place, character: string): Place {
  if (place === 'text') return character === '<' ? 'tag' : 'text';
  if (place === 'value') return character === '"' ? 'tag' : 'value';
  if (character === '"') return 'value';
  return character === '>' ? 'text' : 'tag';
}

/** A value must not be the name of an element or attribute, or something that runs or is loaded. */
function assertWritable(before: string, place: Place): void {
  const isName = place === 'tag' && /[^\s\w"]$/.test(before);
  const runs = place === 'value' && /\s(?:on\w+|style|src|srcset)="[^"]*$/i.test(before);
  if (isName || runs) throw new TypeError('no value can stand here in a template');
}

function assertMarkup(part: Part): void {
  if (part === null || part === false || part instanceof Markup) return;
  throw new TypeError('only markup can stand inside of a tag');
}

function renderPart(part: Part): string {
  if (part === null || part === false) return '';
  if (part instanceof Markup) return part.toString();
  if (typeof part === 'object') return part.map(renderPart).join('');
  return escapeText(String(part));
}

function escapeText(text: string): string {
  return text.toWellFormed().replace(special, escapeCharacter);
}

const special = /[&<>"'`]|(?![\t\n])\p{Cc}|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const unsafeInScript = /[<>&\u2028\u2029]/g;

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (character >= ' ' && character <= '`') return `&#${code};`;
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}

function escapeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
